// `docent analytics erase-imported`: deletes page views that came from logs, so that the logs can be imported again with other
// options. Page views that a browser or a server sent stay.

import type { Command } from 'commander'
import { Failure } from '../../lib/failure.ts'
import { withProject } from '../api/with-api.ts'
import type { CommandContext } from '../context.ts'
import { addProjectOption } from '../project-option.ts'
import { toDay } from './range.ts'

type Options = {
  readonly project?: string
  readonly since: string
  readonly until?: string
  readonly yes?: true
  readonly json?: true
}

export function defineEraseImported(command: Command, context: CommandContext): void {
  addProjectOption(command)
    .requiredOption('--since <day>', 'the first day', toDay)
    .option('--until <day>', 'the day after the last one (default: no end)', toDay)
    .option('--yes', 'confirm')
    .option('--json', 'print one JSON object')
    .action((options: Options) => eraseImported(context, options))
}

async function eraseImported(context: CommandContext, options: Options): Promise<void> {
  const { since, until } = options
  if (!options.yes) {
    const words = `This deletes all page views from logs since ${since}${until === undefined ? '' : `, before ${until}`}.`
    throw new Failure('invalid_input', `${words} Keep the logs, to import them again. Add --yes to confirm.`)
  }
  const pageViews = await withProject(context, options, async (api, projectId) => {
    const path = `/v1/analytics/${projectId}/imports/erase`
    const { erased } = JSON.parse((await api.send('POST', path, { since, until })).body) as Erased
    return erased.pageViews
  })
  if (options.json) return context.output.print(JSON.stringify({ pageViews }))
  context.output.print(`Deleted ${pageViews.toLocaleString('en-US')} page views. Import their logs with --from-start.`)
}

type Erased = { readonly erased: { readonly pageViews: number } }
