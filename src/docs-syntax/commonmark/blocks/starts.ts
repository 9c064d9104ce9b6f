// Recognises the blocks that one line begins or ends by its characters: headings, underlines, breaks and fences.

import { backtick, isBlank, isBlankOrBreak, star, tilde, underscore } from '../characters.ts'
import { hasOnly, type Line } from './line.ts'

const hash = 35
const dash = 45
const equals = 61

export type Fence = { readonly mark: number; readonly size: number }
export type AtxHeading = { readonly depth: number; readonly start: number; readonly end: number }

export function isThematicBreak(source: string, line: Line): boolean {
  const mark = source.charCodeAt(line.first)
  if ((mark !== star && mark !== dash && mark !== underscore) || !hasOnly(source, line, mark)) return false
  let size = 0
  for (let at = line.first; at < line.end; at += 1) if (source.charCodeAt(at) === mark) size += 1
  return size > 2
}

/** The depth of the heading that the line underlines; 0: it underlines no heading. */
export function underlineDepth(source: string, { first, end }: Line): number {
  const mark = source.charCodeAt(first)
  if (mark !== equals && mark !== dash) return 0
  const after = skipBlankRun(source, skipMark(source, first, end), end)
  return after === end ? (mark === equals ? 1 : 2) : 0
}

/** `start`, `end`: of its text, without the signs that may close it. */
export function readAtxHeading(source: string, { first, end }: Line): AtxHeading | undefined {
  if (source.charCodeAt(first) !== hash) return undefined
  const after = skipMark(source, first, end)
  const depth = after - first
  if (depth > 6 || (after < end && !isBlankOrBreak(source.charCodeAt(after)))) return undefined
  const start = skipBlankRun(source, after, end)
  const last = trimBlanks(source, start, end)
  let close = last
  while (close > start && source.charCodeAt(close - 1) === hash) close -= 1
  const isClosed = close < last && (close === start || isBlank(source.charCodeAt(close - 1)))
  return { depth, start, end: isClosed ? trimBlanks(source, start, close) : last }
}

/** The opening of a block of code. */
export function readFence(source: string, { first, end }: Line): Fence | undefined {
  const mark = source.charCodeAt(first)
  if (mark !== backtick && mark !== tilde) return undefined
  const after = skipMark(source, first, end)
  if (after - first < 3) return undefined
  if (mark === backtick && source.slice(after, end).includes('`')) return undefined
  return { mark, size: after - first }
}

export function closesFence(source: string, { first, end }: Line, fence: Fence): boolean {
  if (source.charCodeAt(first) !== fence.mark) return false
  const after = skipMark(source, first, end)
  return after - first >= fence.size && skipBlankRun(source, after, end) === end
}

/** The position after the blanks at the end of a text. */
export function trimBlanks(source: string, start: number, end: number): number {
  let at = end
  while (at > start && isBlank(source.charCodeAt(at - 1))) at -= 1
  return at
}

function skipMark(source: string, first: number, end: number): number {
  const mark = source.charCodeAt(first)
  let at = first
  while (at < end && source.charCodeAt(at) === mark) at += 1
  return at
}

function skipBlankRun(source: string, from: number, end: number): number {
  let at = from
  while (at < end && isBlank(source.charCodeAt(at))) at += 1
  return at
}
