// `docent analytics histories` and `delete-history`: what was imported from other tools, and its undo.

import type { Command } from 'commander'
import type { DeletedHistory } from '../../../analytics/histories/histories.ts'
import type { History } from '../../../analytics/histories/records.ts'
import { Failure } from '../../../lib/failure.ts'
import { terminalText } from '../../../lib/plain-text.ts'
import { withProject } from '../../api/with-api.ts'
import type { CommandContext } from '../../context.ts'
import { printTable } from '../../output.ts'
import { addProjectOption } from '../../project-option.ts'

type Options = { readonly project?: string; readonly yes?: true; readonly json?: true }

export function defineHistories(command: Command, context: CommandContext): void {
  addProjectOption(command)
    .option('--json', 'print one JSON object')
    .action(async (options: Options) => {
      const { output } = context
      const body = await withProject(context, options, async (api, projectId) => {
        return (await api.send('GET', `/v1/analytics/${projectId}/histories`)).body
      })
      if (options.json) return output.print(body)
      const { histories } = JSON.parse(body) as { readonly histories: readonly History[] }
      if (histories.length === 0) return output.print('Nothing was imported from other tools.')
      printTable(output, ['ID', 'FROM', 'FILE', 'DAYS', 'STORED'], histories.map(toRow))
    })
}

function toRow({ id, source, name, sums, pageViews, firstDay, lastDay, isComplete }: History): readonly string[] {
  const days = firstDay === null ? '-' : `${firstDay} to ${lastDay}`
  const isOfViews = source === 'goatcounter' || source === 'umami'
  const stored = isOfViews ? `${count(pageViews)} page views` : `${count(sums)} daily sums`
  return [id, source, terminalText(name), days, isComplete ? stored : `${stored}, incomplete`]
}

export function defineDeleteHistory(command: Command, context: CommandContext): void {
  addProjectOption(command)
    .option('--yes', 'confirm')
    .option('--json', 'print one JSON object')
    .action(async (id: string, options: Options) => {
      if (!options.yes) {
        const words = `This deletes the daily sums or the page views that came from the file of ${id}. Keep the file, to`
        throw new Failure('invalid_input', `${words} import it again. Add --yes to confirm.`)
      }
      const { deleted } = await withProject(context, options, async (api, projectId) => {
        const path = `/v1/analytics/${projectId}/histories/${encodeURIComponent(id)}`
        return JSON.parse((await api.send('DELETE', path)).body) as { readonly deleted: DeletedHistory }
      })
      if (options.json) return context.output.print(JSON.stringify(deleted))
      context.output.print(`Deleted ${count(deleted.sums)} daily sums and ${count(deleted.pageViews)} page views.`)
    })
}

function count(number: number): string {
  return number.toLocaleString('en-US')
}
