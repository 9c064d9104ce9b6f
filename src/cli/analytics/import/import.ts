// `docent analytics import`: access logs → page views. Parses locally and sends only page views: a log and the queries in
// it stay on the machine. The same command continues an import that was stopped or failed.

import type { Command } from 'commander'
import { InvalidArgumentError } from 'commander'
import { type AddressFrom, readAddressFrom } from '../../../analytics/import/address/address-from.ts'
import {
  type AddressHint,
  type AddressUse,
  connectionIsKnown,
  createAddressUse,
} from '../../../analytics/import/address/address-use.ts'
import { formatNames, readFormat, requireFormat } from '../../../analytics/import/formats/formats.ts'
import { commandSettings, describeZone } from '../../../analytics/import/formats/mapped/field-map.ts'
import type { ImportContext } from '../../../analytics/import/import-file.ts'
import type { LogFile } from '../../../analytics/import/log-file.ts'
import type { ImportPort } from '../../../analytics/import/port.ts'
import { systemClock } from '../../../lib/clock.ts'
import { Failure } from '../../../lib/failure.ts'
import type { CommandContext } from '../../context.ts'
import { addProjectOption } from '../../project-option.ts'
import { withProject } from '../../api/with-api.ts'
import { CommandFailure, usage } from '../../exit.ts'
import { paint } from '../../output.ts'
import { createScreen, type Screen } from '../../screen.ts'
import { createDryPort, createImportPort } from './import-port.ts'
import { type NamedSummary, printSummary, showImport } from './import-screen.ts'

type Options = {
  readonly project?: string
  readonly format?: string
  readonly host?: string
  readonly fields?: string
  readonly timeZone?: string
  readonly fromStart?: true
  readonly addressFrom?: string
  readonly trustedHops?: number
  readonly dryRun?: true
  readonly json?: true
}

/** For `import-history`. */
export type ImportLogsOptions = Options

export function defineImport(command: Command, context: CommandContext): void {
  addProjectOption(command)
    .option(
      '--format <format>',
      `format of the lines: ${formatNames.join(', ')}, or the log_format of nginx or the LogFormat of Apache in quotes ` +
        '(default: detected from the first lines)',
      toFormat,
    )
    .option('--host <host>', 'the host of lines without one, as in combined (default: that of the only site)', toHost)
    .option(
      '--address-from <place>',
      "for a log behind a proxy: forwarded (the X-Forwarded-For in the lines), 'field N', the place of the address in the " +
        'line (a position from 1, or a name in JSON, in a W3C log or in the format string), or connection (default; ' +
        'naming it says that these are the readers)',
      toAddressFrom,
    )
    .option('--trusted-hops <number>', 'with --address-from: your proxies before this log (default: 1)', toHops)
    .option(
      '--fields <map>',
      'where values are, for haproxy (the numbers of captured request headers: user_agent=1,host=2) and for nginx-json ' +
        '(the keys, if they are not names of nginx variables: time=ts,path=url,user_agent=ua)',
    )
    .option(
      '--time-zone <zone>',
      'for haproxy: the zone of the times in the lines, such as Europe/Berlin (default: UTC)',
    )
    .option('--from-start', 'read from the start again; page views that are already stored count once')
    .option('--dry-run', 'read the logs and print what would be sent; store nothing')
    .option('--json', 'print one JSON object')
    .action((paths: readonly string[], options: Options) => importLogs(context, paths, options))
}

export async function importLogs(context: CommandContext, paths: readonly string[], options: Options): Promise<void> {
  const { output } = context
  if (options.trustedHops !== undefined && options.addressFrom === undefined) {
    throw usage('--trusted-hops needs --address-from.')
  }
  const note = checkFormat(options)
  const { oldestFirst, openFiles } = await import('./import-files.ts')
  const { format, fields, timeZone } = options
  const parserOf = (name: string) => readFormat(name, { fields, timeZone }).createParser()
  const files = await oldestFirst(await openFiles(paths, context.readBytes), parserOf, format)
  // With JSON, standard error holds only a problem.
  const quiet = { ...output, warn: () => undefined, terminal: undefined }
  const screen = createScreen(options.json ? quiet : output)
  if (files.length > 1)
    screen.print([{ style: 'gray', text: `Oldest first: ${files.map(({ name }) => name).join(', ')}` }])
  if (note !== undefined) screen.print([{ style: 'yellow', text: note }])
  const addressFrom = readAddressFrom(options.addressFrom ?? '', options.trustedHops ?? 1)
  const addresses = createAddressUse(options.addressFrom === connectionIsKnown ? connectionIsKnown : addressFrom)
  const summaries = await importAll(context, screen, { files, options, addressFrom, addresses })
  const hints = addresses.hints()
  if (options.json) output.print(JSON.stringify(toJson(summaries, hints)))
  else {
    for (const summary of summaries) printSummary(output, summary)
    for (const { text } of hints) output.print(paint(output, 'yellow', text))
    if (options.dryRun) output.print(dry)
  }
  if (!context.stop.aborted) return
  throw new CommandFailure('stopped', 'unavailable', 'Stopped before the end. Run the same command again to continue.')
}

const dry =
  'Nothing was stored: this was a dry run. The service also checks the host, and the time against the retention.'

/** Returns what to say about the times of the lines. */
function checkFormat({ format, fields, timeZone }: Options): string | undefined {
  if (format === undefined) return undefined
  try {
    const { name, zone } = readFormat(format, { fields, timeZone })
    return zone === undefined ? undefined : describeZone(name, zone, commandSettings.timeZone)
  } catch (error) {
    throw error instanceof Failure ? usage(error.message) : error
  }
}

type Wanted = { readonly files: readonly LogFile[]; readonly options: Options } & {
  readonly addressFrom: AddressFrom | undefined
  readonly addresses: AddressUse
}

/** The imports are finished together: until then they share their salts, so a visitor in two logs counts once. */
async function importAll(
  context: CommandContext,
  screen: Screen,
  { files, options, addressFrom, addresses }: Wanted,
): Promise<readonly NamedSummary[]> {
  const { output, stop } = context
  const { format, host, fields, timeZone, fromStart = false } = options
  const { finishImports, importFile } = await import('../../../analytics/import/import-file.ts')
  const importWith = async (port: ImportPort, projectId: string) => {
    const summaries: NamedSummary[] = []
    const chosen = { format, host, fields, timeZone, fromStart, addressFrom }
    const about = { projectId, rotation: { end: undefined } }
    const shared: ImportContext = { port, clock: systemClock, stop, addresses, report: () => undefined, ...about }
    for (const file of files) {
      if (stop.aborted) break
      const report = showImport({ file, screen, output, clock: systemClock })
      try {
        const summary = await importFile({ ...chosen, file }, { ...shared, report })
        summaries.push({ file: file.name, ...summary })
      } catch (error) {
        screen.clear()
        if (error instanceof Failure && error.code === 'unavailable') {
          screen.print([{ style: 'yellow', text: `Run the same command again to continue with ${file.name}.` }])
        }
        throw error
      } finally {
        screen.clear()
      }
    }
    if (stop.aborted) return summaries
    await finishImports(new Set(summaries.flatMap(({ importId }) => importId ?? [])), shared)
    return summaries
  }
  if (options.dryRun) return importWith(createDryPort(host ?? null), '')
  return withProject(context, options, (api, projectId) => importWith(createImportPort(api, projectId), projectId))
}

function toJson(files: readonly NamedSummary[], hints: readonly AddressHint[]) {
  const sum = (of: (summary: NamedSummary) => number) => files.reduce((total, one) => total + of(one), 0)
  const lines = { lines: sum((file) => file.lines), linesBefore: sum((file) => file.linesBefore) }
  return { ...lines, accepted: sum(({ accepted }) => accepted), files, hints }
}

function toFormat(text: string): string {
  try {
    requireFormat(text)
    return text
  } catch (error) {
    throw error instanceof Failure ? new InvalidArgumentError(error.message) : error
  }
}

function toAddressFrom(text: string): string {
  if (text !== connectionIsKnown && readAddressFrom(text, 1) === undefined) {
    throw new InvalidArgumentError("Write forwarded, connection, or 'field 12'.")
  }
  return text
}

function toHops(text: string): number {
  if (!/^[1-9]\d?$/.test(text)) throw new InvalidArgumentError('Write a number from 1 to 99.')
  return Number(text)
}

function toHost(text: string): string {
  const url = URL.parse(`https://${text}/`)
  if (url === null || url.host !== text.toLowerCase() || url.pathname !== '/') {
    throw new InvalidArgumentError('Write a host, such as docs.example.com.')
  }
  return url.host
}
