// `docent analytics reclassify`: labels history by the rules of this release, a month at a time, and says how far it is.

import type { Command } from 'commander'
import type { Reclassified } from '../../analytics/upkeep/reclassify.ts'
import type { Api } from '../api.ts'
import { type CommandContext, withApi } from '../context.ts'
import { CommandFailure } from '../exit.ts'
import { createScreen } from '../screen.ts'
import { addDays, toDay } from './range.ts'

type Options = { readonly project: string; readonly since: string; readonly json?: true }

export function addReclassifyCommand(parent: Command, context: CommandContext): void {
  parent
    .command('reclassify')
    .description('label page views by the rules of this release; counts follow')
    .requiredOption('--project <id>', 'the project')
    .requiredOption('--since <day>', 'the first day', toDay)
    .option('--json', 'print one JSON object')
    .action((options: Options) => withApi(context, (api) => reclassifyMonths(context, api, options)))
}

async function reclassifyMonths(context: CommandContext, api: Api, options: Options): Promise<void> {
  const { output, stop } = context
  const screen = options.json ? undefined : createScreen(output)
  const path = `/v1/analytics/${encodeURIComponent(options.project)}/reclassify`
  const months = splitMonths(options.since, new Date().toISOString().slice(0, 10))
  const sum = { looked: 0, changed: 0 }
  for (const [at, month] of months.entries()) {
    if (stop.aborted) throw stopped(month.since)
    screen?.live([{ style: 'gray', text: `${month.since}: month ${at + 1} of ${months.length}` }])
    const done = JSON.parse((await api.send('POST', path, month)).body) as Reclassified
    screen?.clear()
    sum.looked += done.looked
    sum.changed += done.changed
    if (!options.json) output.print(`${month.since.slice(0, 7)}  ${describe(done)}`)
  }
  output.print(options.json ? JSON.stringify(sum) : `Done: ${describe(sum)}.`)
}

function stopped(next: string): CommandFailure {
  return new CommandFailure('stopped', 'unavailable', `Stopped. Go on with --since ${next}.`)
}

function describe({ looked, changed }: Reclassified): string {
  return `${looked.toLocaleString('en')} kinds of client looked at, ${changed.toLocaleString('en')} labelled anew`
}

type Part = { readonly since: string; readonly until?: string }

/** Whole months but for the first; the last one has no end, since today of the project may be tomorrow of ours. */
export function splitMonths(since: string, today: string): readonly Part[] {
  const parts: Part[] = []
  for (let begin = since; ;) {
    const next = `${addDays(`${begin.slice(0, 7)}-28`, 4).slice(0, 7)}-01`
    if (next > today) return [...parts, { since: begin }]
    parts.push({ since: begin, until: next })
    begin = next
  }
}
