// `docent analytics export`: all rows of one export, to standard output or to a file that is written whole or not at
// all.

import { resolve } from 'node:path'
import { breakdownNames } from '../../analytics/dimensions/view-dimensions.ts'
import { type Command, Option } from 'commander'
import type { Api } from '../api/api.ts'
import { writeFileAtomically } from './atomic-file.ts'
import type { CommandContext } from '../context.ts'
import { addFilterOptions, type FilterOptions, filtersOf } from '../filter-options.ts'
import { addProjectOption } from '../project-option.ts'
import { withProject } from '../api/with-api.ts'
import { CommandFailure, usage } from '../exit.ts'
import type { Output } from '../output.ts'
import { createScreen } from '../screen.ts'
import { exportCsv, exportJson, exportRows, type ExportRequest, type Part } from './export-text.ts'
import { toDay, toRange } from './range.ts'

const whats = [
  'visitors',
  'views',
  'timeseries',
  'ai-agents',
  'referrers',
  'crawlers',
  'broken-pages',
  'downloads',
  'breakdown',
] as const

const sortable: ReadonlySet<string> = new Set(['visitors', 'views', 'breakdown'])

type Options = FilterOptions & {
  readonly project?: string
  readonly what: (typeof whats)[number]
  readonly by?: string
  readonly format: 'csv' | 'json'
  readonly interval?: string
  readonly search?: string
  readonly sort?: string
  readonly from?: string
  readonly to?: string
  readonly rows?: true
  readonly visitorIds?: true
  readonly output?: string
  readonly json?: true
}

type Wanted = Options & { readonly project: string }

export function defineExport(command: Command, context: CommandContext): void {
  addFilterOptions(addProjectOption(command))
    .addOption(new Option('--what <export>', 'the export').choices(whats).default('visitors'))
    .addOption(new Option('--by <dimension>', 'of a breakdown: what the rows are').choices(breakdownNames))
    .addOption(new Option('--format <format>', 'CSV or JSON').choices(['csv', 'json']).default('csv'))
    .addOption(new Option('--interval <length>', 'interval of a timeseries').choices(['day', 'week', 'month']))
    .option('--search <text>', 'only rows whose first column contains the text')
    .addOption(
      new Option('--sort <column>', 'of visitors, views and breakdowns: the largest first').choices([
        'total',
        'human',
        'ai',
      ]),
    )
    .option('--from <day>', 'the first day (default: the first day kept)', toDay)
    .option('--to <day>', 'the day after the last day (default: tomorrow)', toDay)
    .option('--rows', 'the stored page views themselves, day by day, one JSON object per line')
    .option('--visitor-ids', 'with --rows: the ids of visitors, too (needs admin)')
    .option('--output <file>', 'write to a file (default: standard output)')
    .option('--json', 'print one JSON object with file and rows; needs --output')
    .action(async (options: Options, given: Command) => {
      refuseUnfit(options)
      refuseUnfitRows(options, given)
      await withProject(context, options, (api, projectId) =>
        runExport(context, api, { ...options, project: projectId }),
      ).catch((error: unknown) => {
        if (!context.stop.aborted) throw error
        const fate = options.output === undefined ? '' : '; no file was written'
        throw new CommandFailure('stopped', 'unavailable', `The export was stopped${fate}.`)
      })
    })
}

/** Not every export has every option, and the API names parameters, not options. */
function refuseUnfit({ what, by, json, output, interval, search, sort }: Options): void {
  const isTimeseries = what === 'timeseries'
  if (json && output === undefined) throw usage('--json needs --output; for the rows: --format json.')
  if (by !== undefined && what !== 'breakdown') throw usage('--by is for --what breakdown.')
  if (by === undefined && what === 'breakdown')
    throw usage(`--what breakdown needs --by: ${breakdownNames.join(', ')}.`)
  if (interval !== undefined && !isTimeseries) throw usage('--interval is for a timeseries.')
  if (search !== undefined && isTimeseries) throw usage('--search is for all exports except a timeseries.')
  if (sort !== undefined && !sortable.has(what)) throw usage('--sort is for visitors, views and breakdowns.')
}

/** Rows are all that is stored: the range and the filters alone choose among them. */
function refuseUnfitRows({ rows, visitorIds }: Options, command: Command): void {
  if (visitorIds && !rows) throw usage('--visitor-ids is for --rows.')
  if (!rows) return
  const unfit = ['what', 'by', 'format', 'interval', 'search', 'sort'].find((name) => {
    return command.getOptionValueSource(name) === 'cli'
  })
  if (unfit !== undefined) throw usage(`--${unfit} is not for --rows.`)
}

async function runExport(context: CommandContext, api: Api, options: Wanted): Promise<void> {
  const { output, stop } = context
  if (options.output === undefined) {
    await printLines(
      output,
      readParts(api, options, () => undefined, stop),
    )
    return
  }
  const screen = context.json ? undefined : createScreen(output)
  const file = resolve(options.output)
  let rows = 0
  const report = (count: number) => {
    rows = count
    screen?.live([{ text: `${count.toLocaleString('en')} rows`, style: 'gray' }])
  }
  try {
    await writeFileAtomically(file, readParts(api, options, report, stop), stop)
  } finally {
    screen?.clear()
  }
  output.print(options.json ? JSON.stringify({ file, rows }) : `Wrote ${options.output}, ${rows} rows.`)
}

async function* readParts(
  api: Api,
  options: Wanted,
  report: (rows: number) => void,
  stop: AbortSignal,
): AsyncGenerator<string, void> {
  for await (const { text, rows } of partsOf(api, options, report, stop)) {
    report(rows)
    yield text
  }
}

function partsOf(
  api: Api,
  options: Wanted,
  report: (rows: number) => void,
  stop: AbortSignal,
): AsyncGenerator<Part, void> {
  if (options.rows) return exportRows(api, toRowsRequest(options), stop)
  return options.format === 'csv' ? exportCsv(api, toRequest(options), stop) : wholeJson(api, options, report, stop)
}

async function* wholeJson(
  api: Api,
  options: Wanted,
  report: (rows: number) => void,
  stop: AbortSignal,
): AsyncGenerator<Part, void> {
  yield await exportJson(api, toRequest(options), report, stop)
}

function toRequest(options: Wanted): ExportRequest {
  const { project, what, by, from, to, interval, search, sort } = options
  const query = {
    ...filtersOf(options),
    ...toRange({ from, to }),
    ...(by === undefined ? {} : { by }),
    ...(interval === undefined ? {} : { interval }),
    ...(search === undefined ? {} : { search }),
    ...(sort === undefined ? {} : { sort }),
  }
  return { path: `/v1/analytics/${project}/${what}`, query }
}

function toRowsRequest({ project, from, to, visitorIds, ...options }: Wanted): ExportRequest {
  const query = { ...filtersOf(options), ...toRange({ from, to }), ...(visitorIds ? { visitorIds: 'true' } : {}) }
  return { path: `/v1/analytics/${project}/page-views`, query }
}

async function printLines(output: Output, texts: AsyncIterable<string>): Promise<void> {
  let rest = ''
  for await (const text of texts) {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) output.print(line)
  }
  if (rest !== '') output.print(rest)
}
