// Splits JSON arrays into objects as if each were a line: log drains send arrays without line breaks. Arrays may span
// one line or many, and may follow one another. Like `lines.ts`, it holds at most 64 KiB of an object.

import { joinBytes, toText } from './bytes.ts'
import { type Line, maxLineBytes } from './lines.ts'

/**
 * Yields each object as a line. `start`: the offset of the first byte, between two objects. Skips everything between
 * objects.
 */
export async function* splitRecords(chunks: AsyncIterable<Uint8Array>, start: number): AsyncGenerator<readonly Line[]> {
  const state: State = { offset: start, start, depth: 0, inText: false, isEscaped: false, held: [], heldBytes: 0 }
  for await (const chunk of chunks) {
    const lines = takeRecords(state, chunk)
    if (lines.length > 0) yield lines
  }
  if (state.depth > 0) yield [endRecord(state, 'open')]
}

type State = {
  /** Offset of the next byte. */
  offset: number
  /** Start of the object. */
  start: number
  depth: number
  inText: boolean
  isEscaped: boolean
  held: Uint8Array[]
  heldBytes: number
}

function takeRecords(state: State, chunk: Uint8Array): readonly Line[] {
  const lines: Line[] = []
  const base = state.offset
  let from = 0
  for (let i = 0; i < chunk.length; i += 1) {
    const wasOutside = state.depth === 0
    const isEnd = step(state, chunk[i] ?? 0)
    if (wasOutside && state.depth > 0) {
      from = i
      state.start = base + i
    }
    if (!isEnd) continue
    state.offset = base + i + 1
    hold(state, chunk.subarray(from, i + 1))
    lines.push(endRecord(state, 'whole'))
  }
  if (state.depth > 0) hold(state, chunk.subarray(from))
  state.offset = base + chunk.length
  return lines
}

/** True if the object ends with this byte. A line break within a string is invalid JSON and ends the object, too. */
function step(state: State, byte: number): boolean {
  if (state.depth === 0) {
    state.depth = byte === 0x7b ? 1 : 0
    return false
  }
  if (state.inText) {
    if (byte === 0x0a) return true
    state.inText = state.isEscaped || byte !== 0x22
    state.isEscaped = !state.isEscaped && byte === 0x5c
    return false
  }
  if (byte === 0x22) state.inText = true
  else if (byte === 0x7b) state.depth += 1
  else if (byte === 0x7d) state.depth -= 1
  return state.depth === 0
}

function hold(state: State, piece: Uint8Array): void {
  if (state.heldBytes <= maxLineBytes) state.held.push(new Uint8Array(piece.subarray(0, maxLineBytes + 1)))
  state.heldBytes += piece.length
}

function endRecord(state: State, kind: 'whole' | 'open'): Line {
  const { start, offset: end } = state
  const isLong = state.heldBytes > maxLineBytes
  const whole = joinBytes(state.held)
  const bytes = isLong ? whole.subarray(0, 512) : whole
  Object.assign(state, { depth: 0, inText: false, isEscaped: false, held: [], heldBytes: 0 })
  return { kind: isLong ? 'too_long' : kind, bytes, text: toText(bytes), start, end }
}
