// `docent analytics import`: access logs → page views. Parses here and sends page views: a log stays on its machine,
// and so do the queries in it. Stopped or failed, the same command goes on.

import type { Command } from 'commander'
import { InvalidArgumentError, Option } from 'commander'
import { type FormatName, formatNames } from '../../analytics/import/formats/formats.ts'
import { finishImport, type ImportContext, importFile } from '../../analytics/import/import-file.ts'
import { type LogFile, openLogFile } from '../../analytics/import/log-file.ts'
import { systemClock } from '../../lib/clock.ts'
import { type CommandContext, withApi } from '../context.ts'
import { CommandFailure, usage } from '../exit.ts'
import { createScreen, type Screen } from '../screen.ts'
import { createImportPort } from './import-port.ts'
import { type NamedSummary, printSummary, showImport } from './import-screen.ts'

type Options = {
  readonly project: string
  readonly format?: FormatName
  readonly host?: string
  readonly fromStart?: true
  readonly json?: true
}

export function addImportCommand(parent: Command, context: CommandContext): void {
  parent
    .command('import <file...>')
    .description('import page views from access logs, plain or gzip; - is standard input')
    .requiredOption('--project <id>', 'the project')
    .addOption(new Option('--format <format>', 'of the lines (default: told by the first ones)').choices(formatNames))
    .option('--host <host>', 'for lines that name none, such as those of the format combined', toHost)
    .option('--from-start', 'read what was read before again; what is known counts once')
    .option('--json', 'print one JSON object')
    .action((paths: readonly string[], options: Options) => importLogs(context, paths, options))
}

async function importLogs(context: CommandContext, paths: readonly string[], options: Options): Promise<void> {
  const { output } = context
  const files = await Promise.all(paths.map(open))
  // With JSON, standard error has nothing but a problem.
  const quiet = { ...output, warn: () => undefined, terminal: undefined }
  const screen = createScreen(options.json ? quiet : output)
  const summaries = await importAll(context, screen, { files, options })
  if (options.json) output.print(JSON.stringify(toJson(summaries)))
  else for (const summary of summaries) printSummary(output, summary)
  if (!context.stop.aborted) return
  throw new CommandFailure('stopped', 'unavailable', 'Stopped before the end. The same command goes on where it was.')
}

async function open(path: string): Promise<LogFile> {
  try {
    return await openLogFile(path)
  } catch (error) {
    throw usage(error instanceof Error ? error.message : `${path} cannot be read.`)
  }
}

type Wanted = { readonly files: readonly LogFile[]; readonly options: Options }

/** The imports are finished together: as long as one is open, they share what tells visitors apart. */
async function importAll(
  context: CommandContext,
  screen: Screen,
  { files, options }: Wanted,
): Promise<readonly NamedSummary[]> {
  const { output, stop } = context
  const { format, host, fromStart = false } = options
  return withApi(context, async (api) => {
    const port = createImportPort(api, options.project)
    const summaries: NamedSummary[] = []
    const own: ImportContext = { port, clock: systemClock, stop, tell: () => undefined }
    for (const file of files) {
      if (stop.aborted) break
      const tell = showImport({ file, screen, output, clock: systemClock })
      try {
        const summary = await importFile({ file, format, host, fromStart }, { ...own, tell })
        summaries.push({ file: file.name, ...summary })
      } catch (error) {
        screen.clear()
        screen.print([{ style: 'yellow', text: `${file.name} is not done: the same command goes on where it was.` }])
        throw error
      } finally {
        screen.clear()
      }
    }
    if (!stop.aborted) await finishAll(summaries, own)
    return summaries
  })
}

async function finishAll(summaries: readonly NamedSummary[], context: ImportContext): Promise<void> {
  for (const importId of new Set(summaries.map((summary) => summary.importId))) {
    if (importId !== undefined) await finishImport(importId, context)
  }
}

function toJson(files: readonly NamedSummary[]) {
  const sum = (of: (summary: NamedSummary) => number) => files.reduce((total, one) => total + of(one), 0)
  return { lines: sum(({ lines }) => lines), accepted: sum(({ accepted }) => accepted), files }
}

function toHost(text: string): string {
  const url = URL.parse(`https://${text}/`)
  if (url === null || url.host !== text.toLowerCase() || url.pathname !== '/') {
    throw new InvalidArgumentError('Write a host, such as docs.example.com.')
  }
  return url.host
}
