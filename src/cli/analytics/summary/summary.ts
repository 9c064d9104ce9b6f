// `docent analytics summary`: visitors of a range of days, compared with the days before, on one screen.

import type { Command } from 'commander'
import type { About } from '../../../analytics/counts/query/about.ts'
import type { AiAgentsResponse } from '../../../analytics/counts/query/exports/agents.ts'
import type { TimeseriesResponse } from '../../../analytics/counts/query/exports/timeseries.ts'
import type { VisitorsResponse } from '../../../analytics/counts/query/exports/visitors.ts'
import type { Api } from '../../api/api.ts'
import type { CommandContext } from '../../context.ts'
import { addFilterOptions, type FilterOptions, filtersOf } from '../../filter-options.ts'
import { addProjectOption } from '../../project-option.ts'
import { withProject } from '../../api/with-api.ts'
import { toAddress } from '../export-text.ts'
import { completeRange, type DayRange, hasData, rangeBefore, toDay, toRows } from '../range.ts'
import { blocksOf } from './sparkline.ts'
import { printSummary, type Summary } from './summary-text.ts'

type Options = FilterOptions & {
  readonly project?: string
  readonly from?: string
  readonly to?: string
  readonly top: string
  readonly json?: true
}

export function defineSummary(command: Command, context: CommandContext): void {
  addFilterOptions(addProjectOption(command))
    .option('--from <day>', 'the first day (default: the first of the month)', toDay)
    .option('--to <day>', 'the day after the last day (default: tomorrow)', toDay)
    .option('--top <count>', 'rows of each table, at most 250', toRows, '10')
    .option('--json', 'print one JSON object')
    .action(async (options: Options) => {
      const summary = await withProject(context, options, (api, id) => readSummary(api, id, options))
      if (options.json) context.output.print(JSON.stringify(summary))
      else printSummary(context.output, summary, blocksOf(context.environment))
    })
}

async function readSummary(api: Api, id: string, options: Options): Promise<Summary> {
  const read = async <T>(path: string): Promise<T> => JSON.parse((await api.send('GET', path)).body) as T
  const { timeZone, firstPageView } = await read<About>(`/v1/analytics/${id}`)
  const { dayOf } = await import('../../../analytics/zone.ts')
  const range = completeRange(options, dayOf(timeZone, Date.now()))
  const filters = filtersOf(options)
  const ask = <T>(what: string, { from, to }: DayRange, limit: string) =>
    read<T>(toAddress(`/v1/analytics/${id}/${what}`, { dateFrom: from, dateTo: to, limit, ...filters }))
  const now = await ask<VisitorsResponse>('visitors', range, options.top)
  const earlier = rangeBefore(range)
  const isCompared = hasData(earlier, firstPageView)
  const before = isCompared ? await ask<VisitorsResponse>('visitors', earlier, '1') : undefined
  const { timeseries: days } = await ask<TimeseriesResponse>('timeseries', range, '1')
  const { agents } = await ask<AiAgentsResponse>('ai-agents', range, options.top)
  const { totals, perWindow, probablyAutomated, visitors: pages } = now
  const previous = before ? { ...earlier, perWindow: before.perWindow, totals: before.totals } : null
  const automated = probablyAutomated && { probablyAutomated }
  return { range, timeZone, firstPageView, filters, totals, perWindow, ...automated, previous, days, pages, agents }
}
