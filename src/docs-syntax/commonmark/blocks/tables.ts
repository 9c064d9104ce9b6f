// Tables of GFM: how many cells a row has, and where they are.

import { backslash, isBlank } from '../characters.ts'
import { trimBlanks } from './starts.ts'

const pipe = 124
const delimiters = /^\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/

/** Where the texts of the cells begin and end, one after the other, and how many cells there are with those without text. */
export function readRow(
  source: string,
  first: number,
  end: number,
): { readonly texts: number[]; readonly count: number } {
  const texts: number[] = []
  let count = 0
  let at = source.charCodeAt(first) === pipe ? first + 1 : first
  while (at < end) {
    while (at < end && isBlank(source.charCodeAt(at))) at += 1
    if (at === end) break
    count += 1
    const start = at
    while (at < end && source.charCodeAt(at) !== pipe)
      at += source.charCodeAt(at) === backslash && isEscaped(source, at) ? 2 : 1
    const last = trimBlanks(source, start, Math.min(at, end))
    if (last > start) texts.push(start, last)
    at += 1
  }
  return { texts, count }
}

/** The number of cells of the row below the head; 0: the line is no such row. */
export function countDelimiters(line: string): number {
  if (!/[|:]/.test(line) || !delimiters.test(line)) return 0
  return line.split('|').filter((cell) => cell.includes('-')).length
}

function isEscaped(source: string, at: number): boolean {
  const code = source.charCodeAt(at + 1)
  return code === backslash || code === pipe
}
