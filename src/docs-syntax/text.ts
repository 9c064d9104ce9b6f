// Edits text by position: splices, line starts, line breaks, and invisible characters. Knows nothing about Markdown, files
// or tools. Offsets count UTF-16 code units, as in JavaScript strings.

import { deceptiveCharacters } from '../lib/plain-text.ts'

export type Range = { readonly start: number; readonly end: number }
export type Splice = Range & { readonly text: string }

/** A text derived from another one. `offsets[i]` is the original offset of character `i`; the last entry is the end. */
export type MappedText = { readonly text: string; readonly offsets: Uint32Array }

const lineBreak = /\r\n|\r|\n/g

const escaped = /\\u\{([0-9A-F]{1,6})\}/g

/** Applies all splices. They may come in any order and may touch, but must not overlap. */
export function applySplices(text: string, splices: readonly Splice[]): string {
  let result = ''
  let position = 0
  for (const splice of splices.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    if (splice.start < position) throw new RangeError('Splices overlap.')
    result += text.slice(position, splice.start) + splice.text
    position = splice.end
  }
  return result + text.slice(position)
}

/** Returns the text with LF line breaks, and the original offset of each character. */
export function withLineFeeds(text: string): MappedText {
  return mapText(text, lineBreak, () => '\n')
}

/** Returns the text with invisible characters escaped as `\u{200B}`, and the original offset of each character. */
export function withInvisibleShown(text: string): MappedText {
  return mapText(text, deceptiveCharacters, showCharacter)
}

export function showInvisible(text: string): string {
  return withInvisibleShown(text).text
}

/** Returns the invisible characters that `showInvisible` would escape, each as often as it occurs. */
export function findInvisible(text: string): readonly string[] {
  return text.match(deceptiveCharacters) ?? []
}

/** Undoes `showInvisible` for the characters in `allowed`. Any other `\u{…}` stays unchanged. */
export function hideInvisible(text: string, allowed: ReadonlySet<string>): string {
  return text.replace(escaped, (written, hex: string) => {
    const code = Number.parseInt(hex, 16)
    const character = code <= 0x10_ff_ff ? String.fromCodePoint(code) : written
    return allowed.has(character) ? character : written
  })
}

/** Whether `showInvisible` escapes this character if nothing is around it. */
export function isInvisible(character: string): boolean {
  return findInvisible(character).length === 1
}

/** Returns a function that says whether a position is in one of the ranges, in any order. */
export function inRanges(ranges: readonly Range[]): (position: number) => boolean {
  const sorted = ranges.toSorted((a, b) => a.start - b.start)
  /** The furthest end of the ranges up to each. */
  const ends: number[] = []
  for (const { end } of sorted) ends.push(Math.max(end, ends.at(-1) ?? 0))
  return (position) => {
    let [low, high] = [0, sorted.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((sorted[middle]?.start ?? 0) <= position) low = middle + 1
      else high = middle
    }
    return position < (ends[low - 1] ?? 0)
  }
}

/** Finds the range that holds another one. Those come in order; all of them take one pass over the ranges. */
export function createFinder<Kind extends Range>(ranges: readonly Kind[]): (inner: Range) => Kind | undefined {
  const sorted = ranges.toSorted((a, b) => a.start - b.start)
  let first = 0
  return ({ start, end }) => {
    while ((sorted[first]?.end ?? Infinity) < end) first += 1
    for (let index = first; (sorted[index]?.start ?? Infinity) <= start; index += 1) {
      const range = sorted[index]
      if (range && range.end >= end) return range
    }
    return undefined
  }
}

/** The ranges that do not overlap any of the others, which do not overlap each other. Returns them in order. */
export function withoutOverlaps<Kind extends Range>(ranges: readonly Kind[], others: readonly Range[]): Kind[] {
  const taken = others.toSorted((a, b) => a.start - b.start)
  let at = 0
  return ranges
    .toSorted((a, b) => a.start - b.start)
    .filter(({ start, end }) => {
      while ((taken[at]?.end ?? Infinity) <= start) at += 1
      return (taken[at]?.start ?? Infinity) >= end
    })
}

/** Spaces for every character but line breaks, so that every position stays. */
export function toBlank(text: string): string {
  return text.replace(/[^\r\n]/g, ' ')
}

/** Returns the offset at which each line begins. Line breaks are LF, CRLF and lone CR. */
export function lineStarts(text: string): number[] {
  return [0, ...Array.from(text.matchAll(lineBreak), (match) => match.index + match[0].length)]
}

/** Lines are counted from 1. `starts` comes from `lineStarts`. */
export function lineAt(starts: readonly number[], offset: number): number {
  let low = 0
  let high = starts.length
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if ((starts[middle] ?? 0) <= offset) low = middle
    else high = middle
  }
  return low + 1
}

/** Returns the most frequent line break of a text; LF if it has no line break. */
export function dominantLineBreak(text: string): string {
  const counts = new Map<string, number>()
  for (const [found] of text.matchAll(lineBreak)) counts.set(found, (counts.get(found) ?? 0) + 1)
  const [first] = [...counts].toSorted((a, b) => b[1] - a[1])
  return first?.[0] ?? '\n'
}

export function lineBreaksOf(text: string): string[] {
  return text.match(lineBreak) ?? []
}

function showCharacter(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}}`
}

type Rewrite = (found: string) => string

function mapText(text: string, pattern: RegExp, rewrite: Rewrite): MappedText {
  const pieces: { readonly from: number; readonly length: number; readonly text: string }[] = []
  let result = ''
  let position = 0
  for (const match of text.matchAll(pattern)) {
    const replaced = rewrite(match[0])
    if (replaced === match[0]) continue
    result += text.slice(position, match.index) + replaced
    pieces.push({ from: match.index, length: match[0].length, text: replaced })
    position = match.index + match[0].length
  }
  result += text.slice(position)
  return { text: result, offsets: offsetsOf(result.length, pieces) }
}

function offsetsOf(length: number, pieces: readonly { from: number; length: number; text: string }[]): Uint32Array {
  const offsets = new Uint32Array(length + 1)
  let at = 0
  let source = 0
  for (const piece of pieces) {
    while (source < piece.from) offsets[at++] = source++
    for (let index = 0; index < piece.text.length; index++) offsets[at++] = source
    source += piece.length
  }
  while (at <= length) offsets[at++] = source++
  return offsets
}
