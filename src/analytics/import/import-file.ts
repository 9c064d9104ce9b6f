// Imports one log: finds where an earlier import of it ended, reads on from there, sends page views in batches, and
// ends the import. Killed at any moment, it goes on behind what was stored when it is started again; what is sent
// twice has the same ids and counts once. Knows no HTTP: the service is a port.

import { hash } from 'node:crypto'
import type { Clock } from '../../lib/clock.ts'
import { Failure } from '../../lib/failure.ts'
import { addLine, type Batch, emptyBatch, isFull, type Reading, readLine } from './batch.ts'
import { createDelivery, type Delivery, tryAgain } from './deliver.ts'
import { createParser, detectFormat, type FormatName } from './formats/formats.ts'
import { createLineIds } from './line-id.ts'
import type { Line } from './lines.ts'
import type { LogFile } from './log-file.ts'
import { type OpenLog, openLog } from './open-log.ts'
import type { ImportPort } from './port.ts'
import { type Counts, createTally } from './tally.ts'

export type ImportOptions = {
  readonly file: LogFile
  /** undefined: the first lines tell. */
  readonly format: FormatName | undefined
  /** For lines that name none. */
  readonly host: string | undefined
  readonly fromStart: boolean
}

export type ImportContext = {
  readonly port: ImportPort
  readonly clock: Clock
  /** Ends the import where it is; what is on its way is waited for. */
  readonly stop: AbortSignal
  readonly tell: (news: ImportNews) => void
}

export type ImportNews =
  | { readonly kind: 'began'; readonly format: FormatName; readonly isDetected: boolean; readonly position: number }
  /** The log is not the one that the position is of: it was rotated or truncated. */
  | { readonly kind: 'anew'; readonly position: number }
  | { readonly kind: 'progress'; readonly counts: () => Counts }
  | { readonly kind: 'waits'; readonly failure: Failure; readonly ms: number }

export type ImportSummary = Counts & {
  readonly outcome: 'done' | 'stopped'
  /** undefined: the log was empty. */
  readonly format: FormatName | undefined
  readonly importId: string | undefined
  /** Where this import began and how far it came, in bytes of the unpacked log. */
  readonly from: number
  readonly position: number
  /** Of the gzip data. */
  readonly damage: 'truncated' | 'corrupt' | undefined
}

/** Throws the Failure of the port that did not pass; then starting it again goes on. */
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
  const none = { lines: 0, accepted: 0, rejected: [], from: 0, position: 0 }
  return { ...none, outcome: 'done', format: undefined, importId: undefined, damage: progress.damage }
}

async function importLog(log: OpenLog, options: ImportOptions, context: ImportContext): Promise<ImportSummary> {
  const { file, host } = options
  const format = options.format ?? detect(log, file)
  const fingerprint = hash('sha256', JSON.stringify([format, host ?? '', log.firstLine]), 'hex')
  const waiting = { ...context, onWait: tellWait(context) }
  const begun = await tryAgain(waiting, () => context.port.begin({ name: file.name, fingerprint, format }))
  const { start, lines, idOf } = await startAt(log, options, options.fromStart ? 0 : begun.position)
  context.tell({ kind: 'began', format, isDetected: options.format === undefined, position: start })
  if (start === 0 && begun.position > 0 && !options.fromStart) context.tell({ kind: 'anew', position: begun.position })
  const tally = createTally()
  const delivery = createDelivery({ ...waiting, importId: begun.id, tally }, start)
  const progress = () => context.tell({ kind: 'progress', counts: () => tally.counts() })
  const reading = { parse: createParser(format, host), idOf }
  const outcome = await runToEnd(context, delivery, () =>
    sendLines({ lines, reading, delivery, start }, context, progress),
  )
  if (outcome === 'done') await tryAgain(waiting, () => context.port.finish(begun.id))
  const position = delivery.position()
  const { damage } = file.progress
  return { ...tally.counts(), outcome, format, importId: begun.id, from: start, position, damage }
}

function detect(log: OpenLog, file: LogFile): FormatName {
  const format = detectFormat(log.sample)
  if (format !== undefined) return format
  throw new Failure('invalid_input', `The first lines of ${file.name} are of no known format: say it by --format.`)
}

function tellWait({ tell }: ImportContext) {
  return (failure: Failure, ms: number) => tell({ kind: 'waits', failure, ms })
}

/** At the position, or at the beginning when the position is not one of this log. */
async function startAt(log: OpenLog, { file, host }: ImportOptions, position: number) {
  const warmed = createLineIds(host ?? '')
  const lines = await log.from(position, warmed)
  if (lines !== undefined) return { start: position, lines, idOf: warmed }
  const anew = await log.from(0, () => undefined)
  if (anew !== undefined) return { start: 0, lines: anew, idOf: createLineIds(host ?? '') }
  throw new Failure(
    'invalid_input',
    `${file.name} is shorter than what was imported of it before: import it with --from-start.`,
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
  readonly reading: Reading
  readonly delivery: Delivery
  readonly start: number
}

async function sendLines(
  { lines, reading, delivery, start }: Sending,
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
      const read = readLine(reading, line)
      if (!addLine(batch, line, read)) {
        await pass()
        addLine(batch, line, read)
      }
      if (isFull(batch)) await pass()
      if (stop.aborted) return
    }
    progress()
  }
  if (batch.count > 0) await pass()
  // Alone on its way, the last one says the end of the log.
  await delivery.drain()
  if (full !== undefined) await delivery.add(full)
}
