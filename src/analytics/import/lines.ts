// Splits bytes into lines with their positions, one chunk at a time. Holds at most one chunk and one line of 64 KiB; of
// a longer line, only the beginning is kept, as an example. Knows nothing about files and formats.

import { joinBytes, toText } from './bytes.ts'

export const maxLineBytes = 65_536
/** How much of a line that is too long is kept. */
const headBytes = 512

export type Line = {
  /** `open`: the stream ended before the line did. */
  readonly kind: 'whole' | 'open' | 'too_long'
  /** Without the line break. Valid until the next chunk is read. Only the beginning of a line that is too long. */
  readonly bytes: Uint8Array
  /** The bytes as text. It may keep the text of the whole chunk in memory. */
  readonly text: string
  /** Offsets in the stream; `end` is after the line break. */
  readonly start: number
  readonly end: number
}

/** Skips empty lines (a CR alone counts as empty). `start` is the offset of the first byte. */
export async function* splitLines(chunks: AsyncIterable<Uint8Array>, start: number): AsyncGenerator<readonly Line[]> {
  const state: State = { offset: start, lineStart: start, held: [], heldBytes: 0, head: undefined }
  for await (const chunk of chunks) {
    const lines = takeLines(state, chunk)
    if (lines.length > 0) yield lines
  }
  if (state.offset === state.lineStart) return
  const all = state.head ?? joinBytes(state.held)
  const piece = { bytes: all, text: toText(all) }
  const { bytes, text } = state.head === undefined ? withoutReturn(piece) : piece
  const kind = state.head === undefined ? 'open' : 'too_long'
  if (bytes.length > 0) yield [{ kind, bytes, text, start: state.lineStart, end: state.offset }]
}

/** Counts the lines up to this offset as `splitLines` does, without holding them: many times faster. */
export async function countLines(chunks: AsyncIterable<Uint8Array>, end: number): Promise<number> {
  let [count, offset, lineStart] = [0, 0, 0]
  // The last byte of the chunk before.
  let last: number | undefined
  for await (const chunk of chunks) {
    const part = chunk.subarray(0, end - offset)
    for (let at = part.indexOf(lineFeed); at >= 0; at = part.indexOf(lineFeed, at + 1)) {
      const length = offset + at - lineStart
      const isEmpty = length === 0 || (length === 1 && (at === 0 ? last : part[at - 1]) === carriageReturn)
      if (!isEmpty) count += 1
      lineStart = offset + at + 1
    }
    offset += part.length
    last = part.at(-1)
    if (offset >= end) break
  }
  return count
}

type State = {
  /** Offset of the next chunk. */
  offset: number
  lineStart: number
  /** The pieces of an unfinished line, copied. */
  held: Uint8Array[]
  heldBytes: number
  /** Set when the line is too long. */
  head: Uint8Array | undefined
}

function takeLines(state: State, chunk: Uint8Array): readonly Line[] {
  const lines: Line[] = []
  const whole = chunk.subarray(0, chunk.lastIndexOf(lineFeed) + 1)
  // No character of UTF-8 contains the byte of a line break, so the text has as many of them.
  const text = toText(whole)
  let from = 0
  let textFrom = 0
  while (from < whole.length) {
    const end = whole.indexOf(lineFeed, from)
    const textEnd = text.indexOf('\n', textFrom)
    const piece = { bytes: whole.subarray(from, end), text: text.slice(textFrom, textEnd) }
    const line = endLine(state, piece, state.offset + end + 1)
    if (line.bytes.length > 0) lines.push(line)
    from = end + 1
    textFrom = textEnd + 1
  }
  if (from < chunk.length) hold(state, chunk.subarray(from))
  state.offset += chunk.length
  return lines
}

const lineFeed = 0x0a
const carriageReturn = 0x0d

type Piece = Pick<Line, 'bytes' | 'text'>

function endLine(state: State, piece: Piece, end: number): Line {
  const start = state.lineStart
  state.lineStart = end
  if (state.held.length === 0 && state.head === undefined && piece.bytes.length <= maxLineBytes) {
    return { kind: 'whole', ...withoutReturn(piece), start, end }
  }
  hold(state, piece.bytes)
  const { head, held } = state
  const bytes = head ?? joinBytes(held)
  state.held = []
  state.heldBytes = 0
  state.head = undefined
  const kind = head === undefined ? 'whole' : 'too_long'
  const all = { bytes, text: toText(bytes) }
  return { kind, ...(kind === 'whole' ? withoutReturn(all) : all), start, end }
}

function hold(state: State, piece: Uint8Array): void {
  if (state.head !== undefined) return
  state.heldBytes += piece.length
  // The memory of the chunk may be reused.
  state.held.push(new Uint8Array(piece.subarray(0, maxLineBytes + 1)))
  if (state.heldBytes <= maxLineBytes) return
  state.head = joinBytes(state.held).subarray(0, headBytes)
  state.held = []
}

function withoutReturn(piece: Piece): Piece {
  const { bytes, text } = piece
  return bytes[bytes.length - 1] === carriageReturn ? { bytes: bytes.subarray(0, -1), text: text.slice(0, -1) } : piece
}
