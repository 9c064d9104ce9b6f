// Opens a log as lines from a position on: detects its kind of lines, reads the first ones, and checks that the
// position belongs to this log. A log that was rotated or truncated starts from its beginning; lines before the
// position fill the window of line ids.

import { hash } from 'node:crypto'
import { toText } from './bytes.ts'
import { findUnwrap } from './formats/wrapped.ts'
import { countLines, type Line, splitLines } from './lines.ts'
import type { LogFile } from './log-file.ts'
import { splitRecords } from './records.ts'

/** The bytes before the position that are read again, so that identical lines keep their numbers. */
const warmBytes = 16 * 1_048_576
const sampleLines = 100

type See = (line: Uint8Array) => void

export type Rest = {
  readonly lines: AsyncGenerator<readonly Line[]>
  /** The lines from the start of the log to the position. */
  readonly linesBefore: number
}

export type OpenLog = {
  readonly isEmpty: boolean
  /** The first lines as text, without lines that are too long, and without what is around each. */
  readonly sample: readonly string[]
  /** Takes off what a container or syslog wrote around a line. */
  readonly unwrap: (line: string) => string
  /** SHA-256 of the first line that is not a comment (W3C logs begin alike), so a log that grew or was renamed is recognised. */
  readonly firstLine: string
  /**
   * Returns the lines from the position on, and calls `warm` for the lines before it. Returns undefined when no line
   * ends at the position: the log is shorter or another one. A stream can be read once, a file any number of times.
   * `pass` gets every line before the position, from the start of the log on.
   */
  from(position: number, warm: See, pass?: See): Promise<Rest | undefined>
  close(): Promise<void>
}

export async function openLog(file: LogFile): Promise<OpenLog> {
  const chunks = file.read(0)
  const first = await chunks.next()
  const isArray = !first.done && /^\s*\[\s*(?:\{|\]|$)/.test(toText(first.value.subarray(0, 1_024)))
  const split = isArray ? splitRecords : splitLines
  const lines = split(first.done ? nothing() : rejoin(first.value, chunks), 0)
  const opened: AsyncGenerator[] = [lines, chunks]
  const top = await lines.next()
  const topLines = top.done ? [] : top.value
  // The memory of a chunk may be reused.
  const kept = topLines.map((line) => ({ ...line, bytes: new Uint8Array(line.bytes) }))
  const whole = kept.slice(0, sampleLines).filter(({ kind }) => kind !== 'too_long')
  const texts = whole.map(({ text }) => text)
  const unwrap = findUnwrap(texts)
  const state: { head: readonly (readonly Line[])[] | undefined } = { head: top.done ? [] : [kept] }
  const restart = (start: number) => {
    if (state.head !== undefined && start === 0) {
      const all = rejoinAll(state.head, lines)
      state.head = undefined
      return all
    }
    if (file.kind === 'stream') return undefined
    const again = split(file.read(start), start)
    opened.push(again)
    // The first line may be incomplete; its id is simply never needed.
    return again
  }
  return {
    isEmpty: kept.length === 0,
    sample: texts.map(unwrap),
    unwrap,
    firstLine: hash(
      'sha256',
      (kept.find(({ bytes }) => bytes[0] !== 0x23) ?? kept[0])?.bytes ?? new Uint8Array(),
      'hex',
    ),
    from: async (position, warm, pass) => {
      if (file.kind === 'plain' && position > (file.size ?? 0)) return undefined
      // Only a file of lines can be read from the middle; objects of an array have no mark at which to start.
      const isWhole = file.kind !== 'plain' || isArray || pass !== undefined
      const start = isWhole ? 0 : Math.max(0, position - warmBytes)
      // First, because reading sets the progress of the file.
      const linesBefore = start === 0 ? undefined : await countLines(file.read(0), position)
      const all = restart(start)
      if (all === undefined) return undefined
      if (position === 0) return { lines: all, linesBefore: 0 }
      const rest = await skipTo(position, all, { warm, pass })
      return rest && { ...rest, linesBefore: linesBefore ?? rest.linesBefore }
    },
    close: async () => {
      for (const one of opened) await one.return(undefined)
    },
  }
}

/** Reads up to the position, and counts the lines. Returns undefined when no line ends there. */
async function skipTo(
  position: number,
  lines: AsyncGenerator<readonly Line[]>,
  { warm, pass }: { readonly warm: See; readonly pass: See | undefined },
): Promise<Rest | undefined> {
  let linesBefore = 0
  for (let next = await lines.next(); !next.done; next = await lines.next()) {
    const rest = next.value.findIndex(({ end }) => end > position)
    const before = rest < 0 ? next.value : next.value.slice(0, rest)
    linesBefore += before.length
    for (const { bytes, start } of before) {
      pass?.(bytes)
      if (start >= position - warmBytes) warm(bytes)
    }
    if (before.at(-1)?.end === position) {
      return { lines: rejoinAll([next.value.slice(before.length)], lines), linesBefore }
    }
    if (rest >= 0) break
  }
  return undefined
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

async function* rejoin(first: Uint8Array, rest: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield first
  yield* rest
}

async function* rejoinAll(
  head: readonly (readonly Line[])[],
  rest: AsyncIterable<readonly Line[]>,
): AsyncGenerator<readonly Line[]> {
  for (const lines of head) if (lines.length > 0) yield lines
  yield* rest
}
