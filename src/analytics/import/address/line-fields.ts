// The fields of a line of text, by their position from 1, as `awk` counts them, except that a text in quotes or brackets is
// one field, and so is a list with a blank after each comma. Reads each byte a fixed number of times.

import { findQuote, unescape } from '../formats/quoted.ts'

/** Without its quotes. Returns undefined if the line has fewer fields, or a quote that does not end. */
export function readField(line: string, position: number): string | undefined {
  let at = 0
  for (let n = 1; ; n += 1) {
    const start = skipBlanks(line, at)
    if (start >= line.length) return undefined
    const end = findEnd(line, start)
    if (end < 0) return undefined
    if (n === position) return toText(line.slice(start, end))
    at = end
  }
}

export function countFields(line: string): number {
  let count = 0
  for (let at = skipBlanks(line, 0); at < line.length; at = skipBlanks(line, at)) {
    const end = findEnd(line, at)
    if (end < 0) return count
    at = end
    count += 1
  }
  return count
}

/** The position after the field; -1 if its quote does not end. */
function findEnd(line: string, start: number): number {
  const first = line[start]
  if (first === '"') {
    const close = findQuote(line, start + 1)
    return close < 0 ? -1 : nextBlank(line, close + 1)
  }
  const close = first === '[' ? line.indexOf(']', start) : start
  let end = nextBlank(line, close < 0 ? start : close)
  while (line[end - 1] === ',' && end < line.length) end = nextBlank(line, skipBlanks(line, end))
  return end
}

function toText(field: string): string {
  return field.startsWith('"') && field.endsWith('"') ? unescape(field.slice(1, -1)) : field
}

function isBlank(line: string, at: number): boolean {
  const code = line.charCodeAt(at)
  return code === 0x20 || code === 0x09
}

function skipBlanks(line: string, from: number): number {
  let at = from
  while (isBlank(line, at)) at += 1
  return at
}

function nextBlank(line: string, from: number): number {
  let at = from
  while (at < line.length && !isBlank(line, at)) at += 1
  return at
}
