// Edits text by position: splices, line starts, line endings, and invisible characters. Knows nothing about Markdown,
// files or tools. Every offset counts UTF-16 units, as in JavaScript strings.

export type Range = { readonly start: number; readonly end: number }
export type Splice = Range & { readonly text: string }

/** A text made from another one: `offsets[i]` is where character `i` comes from; one entry more than characters. */
export type MappedText = { readonly text: string; readonly offsets: Uint32Array }

const lineBreak = /\r\n|\r|\n/g

/**
 * Characters that a reader cannot see and a model would ignore: zero-width and bidirectional controls, Unicode tags, soft
 * hyphens, other separators of lines, and control characters apart from tab and line break.
 */
const invisible =
  /[[\p{Cc}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\ufff9-\ufffb]--[\t\n\r\p{Variation_Selector}]]/gv

/** Joiners that writing needs: inside emoji, and between letters of the scripts that join. */
const neededJoiner =
  /(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f])\u200d(?=\p{Extended_Pictographic})|(?<=[\p{Script=Arabic}\p{M}])[\u200c\u200d](?=\p{L})/gu

const escaped = /\\u\{([0-9A-F]{1,6})\}/g

/** The text after all splices. They may come in any order and touch, but never overlap. */
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

/** The text with every line break as LF, and the original offset of each character. */
export function withLineFeeds(text: string): MappedText {
  return mapText(text, lineBreak, () => '\n')
}

/** The text with invisible characters written out as `\u{200B}`, and the original offset of each character. */
export function withInvisibleShown(text: string): MappedText {
  const needed = new Set(Array.from(text.matchAll(neededJoiner), (match) => match.index))
  return mapText(text, invisible, (character, index) => (needed.has(index) ? character : showCharacter(character)))
}

export function showInvisible(text: string): string {
  return withInvisibleShown(text).text
}

/** The invisible characters that `showInvisible` would write out, each as often as it occurs. */
export function findInvisible(text: string): string[] {
  const needed = new Set(Array.from(text.matchAll(neededJoiner), (match) => match.index))
  return Array.from(text.matchAll(invisible)).flatMap((match) => (needed.has(match.index) ? [] : [match[0]]))
}

/** Undoes `showInvisible` for the characters of `allowed`; any other `\u{…}` stays as it is written. */
export function hideInvisible(text: string, allowed: ReadonlySet<string>): string {
  return text.replace(escaped, (written, hex: string) => {
    const code = Number.parseInt(hex, 16)
    const character = code <= 0x10_ff_ff ? String.fromCodePoint(code) : written
    return allowed.has(character) ? character : written
  })
}

/** Does `showInvisible` escape this text, whatever surrounds it? */
export function isInvisible(character: string): boolean {
  return findInvisible(character).length === 1
}

/** The offset at which each line begins; breaks are LF, CRLF and lone CR. */
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

/** The most frequent line break of a text; LF when it has no line break. */
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

type Rewrite = (found: string, index: number) => string

function mapText(text: string, pattern: RegExp, rewrite: Rewrite): MappedText {
  const pieces: { readonly from: number; readonly length: number; readonly text: string }[] = []
  let result = ''
  let position = 0
  for (const match of text.matchAll(pattern)) {
    const replaced = rewrite(match[0], match.index)
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
