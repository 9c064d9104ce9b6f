// `docent analytics realtime`: who reads now, and today by the hour.

import type { Command } from 'commander'
import type { Realtime } from '../../../analytics/realtime/count.ts'
import { withProject } from '../../api/with-api.ts'
import type { CommandContext } from '../../context.ts'
import { addProjectOption } from '../../project-option.ts'
import { addFilterOptions, type FilterOptions, filtersOf } from '../../filter-options.ts'
import { toAddress } from '../export-text.ts'
import { printRealtime } from './realtime-text.ts'
import { blocksOf } from '../summary/sparkline.ts'

type Options = FilterOptions & { readonly project?: string; readonly json?: true }

export function defineRealtime(command: Command, context: CommandContext): void {
  addFilterOptions(addProjectOption(command))
    .option('--json', 'print one JSON object')
    .action(async (options: Options) => {
      const { body } = await withProject(context, options, (api, id) =>
        api.send('GET', toAddress(`/v1/analytics/${id}/realtime`, filtersOf(options))),
      )
      const realtime = JSON.parse(body) as Realtime
      if (options.json) context.output.print(JSON.stringify(realtime))
      else printRealtime(context.output, realtime, blocksOf(context.environment), filtersOf(options))
    })
}
