// `docent analytics effect`: readers, AI agents and failures of pages before and after the merge of a job's pull request.

import type { Command } from 'commander'
import type { DayCounts } from '../../analytics/effect/effect.ts'
import type { EffectResponse } from '../../http/resources/analytics/effect-contract.ts'
import { plainText, terminalText } from '../../lib/plain-text.ts'
import { withProject } from '../api/with-api.ts'
import type { CommandContext } from '../context.ts'
import { type Output, paint, printTable } from '../output.ts'
import { addProjectOption } from '../project-option.ts'
import { addDays } from './range.ts'

type Options = { readonly project?: string; readonly path?: string; readonly json?: true }

export function defineEffect(command: Command, context: CommandContext): void {
  addProjectOption(command)
    .option('--path <path>', 'the path of a page (default: the pages that the pull request changed)')
    .option('--json', 'print JSON')
    .action(async (job: string, options: Options) => {
      const query = new URLSearchParams({ job, ...(options.path === undefined ? {} : { path: options.path }) })
      const body = await withProject(context, options, async (api, id) => {
        return (await api.send('GET', `/v1/analytics/${id}/effect?${query.toString()}`)).body
      })
      if (options.json) context.output.print(body)
      else printEffect(context.output, JSON.parse(body) as EffectResponse)
    })
}

/** Each number is the one before, and the one after. */
export function printEffect(output: Output, effect: EffectResponse): void {
  const { pullRequest, mergedOn, before, after, days, note, pages, pagesLeftOut, timeZone } = effect
  if (pullRequest && mergedOn !== null) {
    output.print(paint(output, 'bold', `#${pullRequest.number} ${terminalText(pullRequest.title)}`))
    output.print(`Merged on ${mergedOn} (${plainText(timeZone)}).`)
  }
  if (before && after) {
    const range = ({ dateFrom, dateTo }: typeof before) => `${dateFrom} to ${addDays(dateTo, -1)}`
    const count = days === 1 ? '1 day' : `${days} days`
    output.print(paint(output, 'gray', `Before: ${range(before)}. After: ${range(after)} (${count} each).`))
  }
  if (note !== null) output.print(plainText(note))
  if (pages.length === 0 || !before) return
  output.print('')
  printTable(
    output,
    ['PAGE', 'READERS', 'AI AGENTS', 'FAILURES'],
    pages.map(({ path, before, after }) => [plainText(path), ...keys.map((key) => `${before[key]} → ${after[key]}`)]),
  )
  if (pagesLeftOut > 0) output.print(`${pagesLeftOut} more pages have fewer. --path prints one of them.`)
}

const keys = ['readers', 'agents', 'failures'] as const satisfies readonly (keyof DayCounts)[]
