// Explains why the old text of an edit was not found: names the closest place, and how it differs. Used in the message
// only. No edit is applied at that place.

import { type Range, lineAt, lineStarts } from '../../../docs-syntax/text.ts'

const maxQuoted = 300
const maxLinesCompared = 20_000

/** Returns a sentence that quotes the closest line. Both texts have LF line breaks and visible characters only. */
export function explainMissing(text: string, wanted: string): string {
  const missing = 'oldText was not found in the file.'
  const withoutNumbers = wanted.replace(/^[ \t]*\d+[:|\t] ?/gm, '')
  if (withoutNumbers !== wanted && text.includes(withoutNumbers)) return `${missing} Leave out the line numbers.`
  const alike = [
    ['white space', (one: string) => one.replace(/\s+/g, '')],
    ['upper and lower case', (one: string) => one.toLowerCase()],
    ['quotes or dashes', plainPunctuation],
  ] as const
  for (const [difference, simplify] of alike) {
    const range = findSimplified(text, wanted, simplify)
    if (range) return `${missing} ${describe(text, range)} differs only in ${difference}: ${quote(text, range)}`
  }
  const range = findClosestLine(text, wanted)
  return range ? `${missing} The closest is ${describe(text, range)}: ${quote(text, range)}` : missing
}

/** Finds the place where both texts are equal after `simplify`, which may only drop or replace single characters. */
function findSimplified(text: string, wanted: string, simplify: (one: string) => string): Range | undefined {
  const simple = simplify(wanted)
  if (simple === '') return undefined
  const whole = simplify(text)
  const at = whole.indexOf(simple)
  if (at === -1) return undefined
  const kept = Array.from(text, (character) => simplify(character).length)
  const positions: number[] = []
  let offset = 0
  for (const [index, character] of Array.from(text).entries()) {
    for (let copy = 0; copy < (kept[index] ?? 0); copy++) positions.push(offset)
    offset += character.length
  }
  if (positions.length !== whole.length) return undefined
  return { start: positions[at] ?? 0, end: (positions[at + simple.length - 1] ?? 0) + 1 }
}

function plainPunctuation(text: string): string {
  return text
    .replace(/[\u2018\u2019\u201a\u2032]/g, "'")
    .replace(/[\u201c\u201d\u201e\u2033\u00ab\u00bb]/g, '"')
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .replace(/\u00a0/g, ' ')
}

/** Returns the line that shares the most words with the first line of the wanted text. */
function findClosestLine(text: string, wanted: string): Range | undefined {
  const first = wanted.split('\n').find((line) => line.trim() !== '') ?? ''
  const words = new Set(first.toLowerCase().match(/[\p{L}\p{N}]+/gu))
  let best: Range | undefined
  let bestScore = 1
  let start = 0
  for (const line of text.split('\n', maxLinesCompared)) {
    const shared = new Set(line.toLowerCase().match(/[\p{L}\p{N}]+/gu)).intersection(words).size
    // NaN if the wanted line has no words; it is larger than no number.
    const score = (2 * shared) / words.size
    if (score > bestScore) {
      best = { start, end: start + line.length }
      bestScore = score
    }
    start += line.length + 1
  }
  return best
}

function describe(text: string, range: Range): string {
  const starts = lineStarts(text)
  const first = lineAt(starts, range.start)
  const last = lineAt(starts, Math.max(range.start, range.end - 1))
  return first === last ? `line ${first}` : `the text at lines ${first}-${last}`
}

function quote(text: string, range: Range): string {
  const found = text.slice(range.start, Math.min(range.end, range.start + maxQuoted))
  return `\n${found}${range.end - range.start > maxQuoted ? '…' : ''}`
}
