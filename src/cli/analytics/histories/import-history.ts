// `docent analytics import-history`: imports what other tools exported. Plausible and Google Analytics 4 export daily sums, which
// are stored apart from page views; GoatCounter and Umami export page views, which `docent analytics import` reads.

import { createHash } from 'node:crypto'
import { type Command, Option } from 'commander'
import { type DailySum, type SumSource, sumSources } from '../../../analytics/histories/daily-sums.ts'
import { type LeftOut, leftOutReasons, readSums } from '../../../analytics/histories/read-sums.ts'
import type { LogFile } from '../../../analytics/import/log-file.ts'
import { Failure } from '../../../lib/failure.ts'
import type { CommandContext } from '../../context.ts'
import { withProject } from '../../api/with-api.ts'
import { usage } from '../../exit.ts'
import { paint, printTable } from '../../output.ts'
import { addProjectOption } from '../../project-option.ts'
import { createScreen, type Screen } from '../../screen.ts'
import { isTool, type Tool, tools } from '../../../analytics/import/tools.ts'
import { openFiles } from '../import/import-files.ts'
import { sendSums } from './send-sums.ts'

type Options = {
  readonly project?: string
  readonly from?: SumSource | Tool
  readonly dryRun?: true
  readonly json?: true
}

export function defineImportHistory(command: Command, context: CommandContext): void {
  addProjectOption(command)
    .addOption(
      new Option('--from <tool>', 'the tool (default: plausible or ga4, recognised by the heading)').choices([
        ...sumSources,
        ...tools,
      ]),
    )
    .option('--dry-run', 'read the files and print what is in them; store nothing')
    .option('--json', 'print one JSON object')
    .action((paths: readonly string[], options: Options) => importHistory(context, paths, options))
}

async function importHistory(context: CommandContext, paths: readonly string[], options: Options): Promise<void> {
  const { from, ...rest } = options
  if (from !== undefined && isTool(from)) {
    const { importLogs } = await import('../import/import.ts')
    return importLogs(context, paths, { ...rest, format: from })
  }
  const { output } = context
  const quiet = { ...output, warn: () => undefined, terminal: undefined }
  const screen = createScreen(options.json ? quiet : output)
  const files = await openFiles(paths, context.readBytes)
  const summaries = options.dryRun
    ? await readAll(screen, files, from)
    : await withProject(context, options, (api, projectId) =>
        readAll(screen, files, from, async (file) => {
          const history = await sendSums(file, {
            api,
            projectId,
            stop: context.stop,
            onSent: (sums) => screen.live([{ style: 'gray', text: `${file.name}: ${count(sums)} daily sums stored` }]),
            onWait: ({ message }, ms) =>
              screen.print([{ style: 'yellow', text: `! ${message} (again in ${Math.ceil(ms / 1_000)} s)` }]),
          })
          return history.id
        }),
      ).finally(() => screen.clear())
  if (options.json) output.print(JSON.stringify({ files: summaries }))
  else for (const summary of summaries) print(context, summary, options.dryRun === true)
  if (summaries.every(({ source }) => source === undefined)) {
    throw new Failure('invalid_input', nothingToRead)
  }
}

const nothingToRead =
  'No file has daily sums. Plausible: imported_visitors_….csv and imported_pages_….csv of its export. Google Analytics 4: ' +
  'a CSV with a date, active users and views.'

type Summary = {
  readonly file: string
  /** Undefined: the file has no daily sums. */
  readonly source: SumSource | undefined
  /** The id of the history. Undefined: nothing was stored. */
  readonly id: string | undefined
  readonly rows: number
  readonly sums: number
  /** They are of pages, not of the whole site. */
  readonly isOfPages: boolean
  readonly firstDay: string | undefined
  readonly lastDay: string | undefined
  readonly leftOut: Readonly<Partial<Record<LeftOut, number>>>
}

type Read = {
  readonly name: string
  readonly source: SumSource
  readonly fingerprint: string
  readonly sums: readonly DailySum[]
}

async function readAll(
  screen: Screen,
  files: readonly LogFile[],
  from: SumSource | undefined,
  store?: (file: Read) => Promise<string>,
): Promise<readonly Summary[]> {
  const summaries: Summary[] = []
  for (const file of files) {
    const { name } = file
    const digest = createHash('sha256')
    const onRows = (rows: number) => screen.live([{ style: 'gray', text: `${name}: ${count(rows)} rows read` }])
    const found = await readSums(hashed(file.read(0), digest), { name, source: from, onRows })
    if (file.progress.damage !== undefined) throw usage(`${name} is damaged: its compressed data is incomplete.`)
    if (found === undefined) {
      summaries.push({ ...nothing, file: name })
      continue
    }
    const id = await store?.({ ...found, name, fingerprint: digest.digest('hex') })
    const days = found.sums.map(({ date }) => date).toSorted()
    const { source, rows, sums, leftOut } = found
    const about = {
      file: name,
      source,
      id,
      rows,
      sums: sums.length,
      isOfPages: sums.every(({ path }) => path !== null),
    }
    summaries.push({ ...about, firstDay: days[0], lastDay: days.at(-1), leftOut })
  }
  screen.clear()
  return summaries
}

const nothing = {
  source: undefined,
  id: undefined,
  rows: 0,
  sums: 0,
  isOfPages: false,
  firstDay: undefined,
  lastDay: undefined,
  leftOut: {},
}

async function* hashed(
  chunks: AsyncIterable<Uint8Array>,
  digest: ReturnType<typeof createHash>,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    digest.update(chunk)
    yield chunk
  }
}

const toolNames: Readonly<Record<SumSource, string>> = { plausible: 'Plausible', ga4: 'Google Analytics 4' }

function print({ output }: CommandContext, summary: Summary, isDry: boolean): void {
  const { file, source, id, rows, sums, isOfPages, firstDay, lastDay, leftOut } = summary
  if (source === undefined) {
    output.print(paint(output, 'yellow', `${file}: no daily sums of people; it is left out.`))
    return
  }
  const of = isOfPages ? 'pages' : 'the site'
  const reasons = Object.entries(leftOut) as [LeftOut, number][]
  printTable(
    output,
    [`${file} (${toolNames[source]}, ${of})`],
    [
      ['ROWS', count(rows)],
      ['daily sums', count(sums), `${firstDay} to ${lastDay}`],
      ...reasons.map(([reason, times]) => [`  ${reason}`, count(times), leftOutReasons[reason]]),
    ],
  )
  if (isDry) output.print('Nothing was stored: this was a dry run.')
  else output.print(`Stored as ${id}. Undo: docent analytics delete-history ${id} --yes`)
  if (isOfPages) output.print('The chart of visitors needs the sums of the site: import them, too.')
}

function count(number: number): string {
  return number.toLocaleString('en-US')
}
