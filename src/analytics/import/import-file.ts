// Imports one log: finds where an earlier import stopped, reads from there, and sends page views in batches. Finishing
// is a separate call, so that several files imported together can share one group. After a kill at any moment, the next
// start continues after what was stored; page views sent twice have the same ids and count once. Knows no HTTP: the
// service is a port.

import { hash } from 'node:crypto'
import type { Clock } from '../../lib/clock.ts'
import { Failure } from '../../lib/failure.ts'
import { type AddressFrom, requirePlace } from './address/address-from.ts'
import type { AddressUse } from './address/address-use.ts'
import type { AutomatedDay } from './address/part-use.ts'
import { addLine, type Batch, emptyBatch, isFull } from './batch.ts'
import { toText } from './bytes.ts'
import { createDelivery, type Delivery, type DeliveryContext, tryAgain } from './deliver.ts'
import { describeUnknown, detectFormat, type Format, readFormat } from './formats/formats.ts'
import { commandSettings, type FormatSettings, type SettingNames } from './formats/mapped/field-map.ts'
import { createLineHash, createLineIds } from './ids/line-id.ts'
import { continueRotation, endRotation, type Rotation } from './ids/rotation.ts'
import type { Line } from './lines.ts'
import type { LogFile } from './log-file.ts'
import { type OpenLog, openLog } from './open-log.ts'
import type { ImportPort } from './port.ts'
import { createLineReader, type LineReader, namesNoHost } from './read-line.ts'
import { type Counts, createTally } from './tally.ts'
import { isRejected, type ParseLine, type WirePageView } from './wire-page-view.ts'

export type ImportOptions = Pick<FormatSettings, 'fields' | 'timeZone'> & {
  readonly file: LogFile
  /** A name, or a format string of nginx or Apache. Undefined: detected from the first lines. */
  readonly format: string | undefined
  /** For lines without a host. Undefined: that of the project's only site. */
  readonly host: string | undefined
  readonly fromStart: boolean
  /** Undefined: from the connection. */
  readonly addressFrom?: AddressFrom | undefined
}

export type ImportContext = {
  readonly port: ImportPort
  readonly projectId: string
  readonly clock: Clock
  /** Stops the import after the batches that are already full. */
  readonly stop: AbortSignal
  readonly report: (news: ImportNews) => void
  /** Counts the addresses of accepted page views. */
  readonly addresses?: AddressUse
  /** Shared by logs that are imported together. */
  readonly rotation?: Rotation
  /** The names of options in messages, where they are not those of the command line. */
  readonly optionNames?: OptionNames
}

type OptionNames = SettingNames & {
  readonly format: string
  readonly fromStart: string
  readonly addressFrom: string
  readonly host: string
}

const commandOptions: OptionNames = {
  ...commandSettings,
  format: '--format',
  fromStart: '--from-start',
  addressFrom: '--address-from',
  host: '--host',
}

export type ImportNews =
  | { readonly kind: 'began'; readonly format: Format['name']; readonly isDetected: boolean; readonly position: number }
  /** The position belongs to another log: this one was rotated or truncated. */
  | { readonly kind: 'restarted'; readonly position: number }
  | { readonly kind: 'progress'; readonly counts: () => Counts }
  | { readonly kind: 'waits'; readonly failure: Failure; readonly ms: number }

/** `lines` is all lines of the log up to the end of this import: those before, the accepted and the rejected ones. */
export type ImportSummary = Counts & {
  readonly outcome: 'done' | 'stopped'
  /** Undefined: the log was empty. */
  readonly format: Format['name'] | undefined
  readonly importId: string | undefined
  /** Lines that an earlier import has read. */
  readonly linesBefore: number
  /** The start and end of this import, in bytes of the decompressed log. */
  readonly from: number
  readonly position: number
  /** Damage of compressed data. */
  readonly damage: 'truncated' | 'corrupt' | undefined
}

/** Throws a permanent Failure of the port; a new start continues from there. Does not finish the import. */
export async function importFile(options: ImportOptions, context: ImportContext): Promise<ImportSummary> {
  const log = await openLog(options.file)
  try {
    if (log.isEmpty) return nothingIn(options.file)
    return await importLog(log, options, context)
  } finally {
    await log.close()
  }
}

function nothingIn({ progress }: LogFile): ImportSummary {
  const none = { lines: 0, linesBefore: 0, accepted: 0, rejected: [], from: 0, position: 0 }
  return { ...none, outcome: 'done', format: undefined, importId: undefined, damage: progress.damage }
}

async function importLog(log: OpenLog, options: ImportOptions, given: ImportContext): Promise<ImportSummary> {
  const { file, addressFrom, fields, timeZone } = options
  const { optionNames = commandOptions, rotation = { end: undefined } } = given
  const { sample } = log
  const text = options.format ?? detect(log, file, given)
  const read = readFormat(text, { fields, timeZone, names: optionNames })
  const { name: format, createParser, isHeaded, isExport, ...about } = read
  const context = isExport ? withoutAddresses(given) : given
  if (addressFrom !== undefined) {
    requirePlace(addressFrom, { ...about, file: file.name, format, sample, option: optionNames.addressFrom })
  }
  const waiting = { ...context, onWait: reportWait(context) }
  const parseWith = (from: AddressFrom | undefined): ParseLine => {
    const parse = createParser(from)
    return (line) => parse(log.unwrap(line))
  }
  const parse = parseWith(addressFrom)
  const first = firstView(sample, createParser())
  const continued = continueRotation(rotation, { firstLine: log.firstLine, timestamp: first?.timestamp })
  const chosen = {
    ...options,
    format: text,
    formatName: format,
    pass: isExport ? (line: Uint8Array) => void parse(toText(line)) : isHeaded && passTo(parse, sample),
    // All exports of a tool begin with the same line.
    exported: isExport ? [file.size ?? 0, ...sample] : undefined,
    isAnother: continued.looksAlike,
  }
  const { importId, start, lines, linesBefore, lastLine, ids, facts } = await begin(log, chosen, waiting)
  context.addresses?.begin({ format, linesHaveForwarded: haveForwarded(sample, createParser) }, facts.timeZone)
  if (facts.needsHost && first !== undefined && namesNoHost(first)) {
    await finishImport(importId, context)
    throw refuseHostless(file.name, optionNames.host)
  }
  const isDetected = options.format === undefined
  context.report({ kind: 'began', format, isDetected, position: start })
  const tally = createTally()
  const delivery = createDelivery({ ...waiting, importId, tally }, start)
  const progress = () => context.report({ kind: 'progress', counts: () => tally.counts() })
  const beyond = context.addresses?.beyond
  const hasPlace = beyond !== undefined && (beyond.kind === 'field' || about.hasForwarded)
  const parseBeyond = hasPlace ? parseWith(beyond) : undefined
  const seeOther = context.addresses?.seeOther
  const reader = createLineReader({ parse, parseBeyond, ids, facts, continued, isExport, seeOther })
  const sending = { lines, reader, delivery, start }
  const outcome = await runToEnd(context, delivery, () => sendLines(sending, context, progress))
  const timestamp = reader.lastTime() ?? firstView([lastLine], parse)?.timestamp
  endRotation(rotation, { firstLine: log.firstLine, timestamp }, { ids, continued })
  const position = delivery.position()
  const counts = tally.counts()
  const totals = { ...counts, lines: linesBefore + counts.lines, linesBefore }
  return { ...totals, outcome, format, importId, from: start, position, damage: file.progress.damage }
}

/** Nobody looks for addresses where sessions are. */
function withoutAddresses(context: ImportContext): ImportContext {
  const { addresses: _, ...rest } = context
  return rest
}

/** Finishes imports that ran together. What was found in all their logs is sent once, with the first. */
export async function finishImports(importIds: Iterable<string>, context: ImportContext): Promise<void> {
  let automated = context.addresses?.automatedDays() ?? []
  for (const importId of importIds) {
    await finishImport(importId, context, automated)
    automated = []
  }
}

/**
 * Finishes the import, so that the same log starts a new one, whose visitors match no earlier visitors. Safe to repeat.
 */
async function finishImport(
  importId: string,
  context: ImportContext,
  automated: readonly AutomatedDay[] = [],
): Promise<void> {
  await tryAgain({ ...context, onWait: reportWait(context) }, async () => {
    try {
      await context.port.finish(importId, automated)
    } catch (error) {
      // A response was lost, or another process has finished the import of the same log.
      if (!(error instanceof Failure) || error.code !== 'not_found') throw error
    }
  })
}

function firstView(sample: readonly string[], parse: ParseLine): WirePageView | undefined {
  return sample.map((line) => parse(line)).find((parsed): parsed is WirePageView => !isRejected(parsed))
}

function refuseHostless(file: string, option: string): Failure {
  const message = `The lines of ${file} name no host, and the project has several sites: name the host with ${option}.`
  return new Failure('invalid_input', message)
}

function haveForwarded(sample: readonly string[], createParser: Format['createParser']): boolean {
  const parse = createParser({ kind: 'forwarded', hops: 1 })
  return sample.map((line) => parse(line)).some((parsed) => !isRejected(parsed) && parsed.address !== undefined)
}

/** A resumed import begins in the middle: the parser sees the comments before, and all lines if it has to count days. */
function passTo(parse: ParseLine, sample: readonly string[]) {
  const isDated = sample.every((line) => !/^#Fields:/i.test(line) || /\sdate(?:\s|$)/i.test(line))
  return (line: Uint8Array) => void ((line[0] === 0x23 || !isDated) && parse(toText(line)))
}

/** The fingerprint has the whole format string; the service stores its name. */
type Chosen = ImportOptions & {
  readonly format: string
  readonly formatName: string
  readonly pass: ReturnType<typeof passTo> | undefined
  /** Distinguishes the exports of a tool. */
  readonly exported: readonly unknown[] | undefined
  /** The log before began with the same line, but is another one. */
  readonly isAnother: boolean
}
type Waiting = ImportContext & Pick<DeliveryContext, 'onWait'>

async function begin(log: OpenLog, options: Chosen, context: Waiting) {
  const { file, format, formatName, host, fromStart, fields, timeZone, exported, isAnother } = options
  const about = { name: file.name.slice(-500), format: formatName }
  // Without settings, the fingerprint is that of earlier releases.
  const settings = fields === undefined && timeZone === undefined ? [] : [fields ?? '', timeZone ?? '']
  if (isAnother) settings.push('another')
  const parts = exported ?? [log.firstLine, ...settings]
  const fingerprint = hash('sha256', JSON.stringify([format, host ?? '', ...parts]), 'hex')
  const ask = () => tryAgain(context, () => context.port.begin({ ...about, fingerprint, host: host ?? null }))
  const found = await ask()
  const { lines: facts } = found
  const started = await startAt(log, { ...options, ...context }, fromStart ? 0 : found.position)
  if (fromStart || started.start === found.position) return { importId: found.id, facts, ...started }
  // The rest of the other log is gone, and its position means nothing here: this log gets its own import.
  context.report({ kind: 'restarted', position: found.position })
  await finishImport(found.id, context)
  return { importId: (await ask()).id, facts, ...started }
}

function detect(log: OpenLog, file: LogFile, { optionNames = commandOptions }: ImportContext): string {
  const format = detectFormat(log.sample)
  if (format !== undefined) return format
  const advice = describeUnknown(log.sample, optionNames.format, optionNames)
  throw new Failure('invalid_input', `${file.name} has an unknown log format; ${advice}.`)
}

function reportWait({ report }: ImportContext) {
  return (failure: Failure, ms: number) => report({ kind: 'waits', failure, ms })
}

/** Starts at the position, or at the beginning if the position is not in this log. */
async function startAt(
  log: OpenLog,
  { file, pass, projectId, optionNames = commandOptions }: Chosen & ImportContext,
  position: number,
) {
  const hashOf = createLineHash(projectId)
  const ids = createLineIds(hashOf)
  const last = { line: new Uint8Array() }
  const warm = (line: Uint8Array) => {
    ids.count(line)
    // The memory of the line may be reused.
    last.line = new Uint8Array(line)
  }
  const rest = await log.from(position, warm, pass)
  if (rest !== undefined) return { start: position, ...rest, ids, lastLine: toText(last.line) }
  const anew = await log.from(0, () => undefined)
  if (anew !== undefined) return { start: 0, ...anew, ids: createLineIds(hashOf), lastLine: '' }
  throw new Failure(
    'invalid_input',
    `${file.name} is shorter than what was imported of it before: import it with ${optionNames.fromStart}.`,
  )
}

async function runToEnd(
  { stop }: ImportContext,
  delivery: Delivery,
  work: () => Promise<void>,
): Promise<ImportSummary['outcome']> {
  try {
    await work()
    await delivery.drain()
  } catch (error) {
    if (!stop.aborted) throw error
  }
  return stop.aborted ? 'stopped' : 'done'
}

type Sending = {
  readonly lines: AsyncGenerator<readonly Line[]>
  readonly reader: LineReader
  readonly delivery: Delivery
  readonly start: number
}

async function sendLines(
  { lines, reader, delivery, start }: Sending,
  { stop }: ImportContext,
  progress: () => void,
): Promise<void> {
  let batch = emptyBatch(start)
  let full: Batch | undefined
  const pass = async () => {
    if (full !== undefined) await delivery.add(full)
    full = batch
    batch = emptyBatch(batch.end)
  }
  for await (const some of lines) {
    for (const line of some) {
      addLine(batch, line, reader.read(line))
      if (isFull(batch)) await pass()
      if (stop.aborted) break
    }
    progress()
    if (stop.aborted) break
  }
  // After a stop, the next import reads the lines of an unfinished batch.
  if (batch.count > 0 && !stop.aborted) await pass()
  // The last batch is sent alone, so it reports its own end: the next import continues there and counts no line twice.
  await delivery.drain()
  if (full !== undefined) await delivery.add(full)
}
