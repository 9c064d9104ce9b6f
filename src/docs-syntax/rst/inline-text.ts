// A run of text, of one line or several, with the offset of each character in the source, and what its readers share:
// which characters may surround markup, where markup ends, and how prose and code are added to the page.

import type { PageLink } from '../page.ts'
import type { Range } from '../text.ts'
import { registerId } from './ids.ts'
import type { RstLine, RstState } from './state.ts'

export type InlineText = {
  readonly state: RstState
  /** The lines, joined. A backslash that escapes the next character is NUL. */
  readonly flat: string
  readonly lines: readonly RstLine[]
  /** Where each line begins in `flat`. */
  readonly starts: readonly number[]
  readonly cell: boolean
  /** The text that readers see, as far as it is known here. */
  readonly seen: string[]
  /** The ends of markup that do not occur any more, so nothing is searched twice. */
  readonly absent: Set<string>
}

/** `from` and `to` are places in `flat`. */
export type Span = { readonly from: number; readonly to: number }

const before = new RegExp(String.raw`^(?:[\s\-\/:'"\(<\[\{]|[[\p{Ps}\p{Pi}\p{Pf}\p{Pd}\p{Po}]--[\0-\x7F]])`, 'v')
/** The end of markup must be followed by one of these. */
const after = String.raw`(?=$|[\s\0\-\/:.,;!?\\'"\)>\]\}]|[[\p{Pe}\p{Pi}\p{Pf}\p{Pd}\p{Po}]--[\0-\x7F]])`
const follows = new RegExp(after, 'vy')
const ends = {
  '*': new RegExp(String.raw`(?<![\s\0])\*${after}`, 'vg'),
  '**': new RegExp(String.raw`(?<![\s\0])\*\*${after}`, 'vg'),
  '``': new RegExp(String.raw`(?<!\s)${'``'}${after}`, 'vg'),
  '_`': new RegExp(String.raw`(?<![\s\0])${'`'}${after}`, 'vg'),
  '|': new RegExp(String.raw`(?<![\s\0])\|_{0,2}${after}`, 'vg'),
  '`': new RegExp(String.raw`(?<!(?<!\0)[\s\0])${'`'}(?::[\p{L}\p{N}._+:\-]{1,100}:)?_{0,2}${after}`, 'vg'),
}
const pairs: Readonly<Record<string, string>> = { '"': '"', "'": "'", '(': ')', '<': '>', '[': ']', '{': '}' }

export type Opening = keyof typeof ends

export function toInlineText(state: RstState, lines: readonly RstLine[], cell: boolean): InlineText {
  const starts: number[] = []
  let length = 0
  for (const { text } of lines) {
    starts.push(length)
    length += text.length + 1
  }
  const joined = lines.map(({ text }) => text).join('\n')
  const flat = joined.replace(/\\([^])/g, '\0$1')
  return { state, flat, lines, starts, cell, seen: [], absent: new Set() }
}

/** The lines without the last `length` characters of the last one. */
export function withoutLast(lines: readonly RstLine[], length: number): RstLine[] {
  const last = lines.at(-1)
  if (!last || length === 0) return [...lines]
  const text = last.text.slice(0, -length).trimEnd()
  return [...lines.slice(0, -1), { ...last, text, end: last.start + text.length }]
}

export function mayBegin({ flat }: InlineText, at: number, length: number): boolean {
  const next = flat.charAt(at + length)
  if (/^\s/.test(next)) return false
  if (at === 0) return true
  const previous = characterBefore(flat, at)
  return before.test(previous) && pairs[previous] !== (next === '' ? undefined : next)
}

export function isBoundary({ flat }: InlineText, at: number): boolean {
  return at === 0 || before.test(characterBefore(flat, at))
}

export function mayEnd({ flat }: InlineText, at: number): boolean {
  follows.lastIndex = at
  return follows.test(flat)
}

function characterBefore(flat: string, at: number): string {
  const last = flat.charCodeAt(at - 1)
  return last >= 0xdc_00 && last <= 0xdf_ff && at > 1 ? flat.slice(at - 2, at) : flat.charAt(at - 1)
}

/** Where the markup that `opening` begins at `from` ends. Without an end, docutils reports a problem, which takes two ids. */
export function findEnd(inline: InlineText, opening: Opening, from: number): RegExpExecArray | undefined {
  const pattern = ends[opening]
  if (!inline.absent.has(opening)) {
    pattern.lastIndex = from
    const found = pattern.exec(inline.flat)
    if (found && found.index > from) return found
    if (!found) inline.absent.add(opening)
  }
  registerId(inline.state.register)
  registerId(inline.state.register)
  return undefined
}

export function toSource(inline: InlineText, { from, to }: Span): Range {
  const start = offsetOf(inline, from)
  return { start, end: to > from ? offsetOf(inline, to - 1) + 1 : start }
}

function offsetOf({ starts, lines }: InlineText, at: number): number {
  let [low, high] = [0, starts.length]
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if ((starts[middle] ?? 0) <= at) low = middle
    else high = middle
  }
  const line = lines[low]
  return line ? Math.min(line.end, line.start + at - (starts[low] ?? 0)) : 0
}

/** Adds text that readers see. In a table, and where the lines have marks, each line is a range of its own. */
export function addProse(inline: InlineText, span: Span): void {
  const { flat, state, cell } = inline
  inline.seen.push(unescapeText(flat.slice(span.from, span.to)))
  const parts = cell ? splitSpan(flat, span) : [span]
  for (const part of parts)
    if (/\S/.test(flat.slice(part.from, part.to)))
      state.prose.push({ ...toSource(inline, part), kind: cell ? 'cell' : 'text' })
}

export function addCode(inline: InlineText, span: Span, written = span): void {
  inline.seen.push(inline.flat.slice(written.from, written.to).replaceAll('\0', '\\'))
  const parts = inline.cell ? splitSpan(inline.flat, span) : [span]
  for (const part of parts) inline.state.code.push(toSource(inline, part))
}

function splitSpan(flat: string, { from, to }: Span): Span[] {
  const spans: Span[] = []
  for (let at = from; at < to;) {
    const found = flat.indexOf('\n', at)
    const end = found === -1 || found > to ? to : found
    if (end > at) spans.push({ from: at, to: end })
    at = end + 1
  }
  return spans
}

/** Without the marks of escapes; an escaped space joins what is around it. */
export function unescapeText(flat: string): string {
  return flat.replace(/\0\s?/g, '')
}

type LinkParts = {
  readonly kind: PageLink['kind']
  readonly url: string
  readonly target: Span
  readonly whole: Span
  readonly label: Span | undefined
  readonly identifier?: string | undefined
}

export function toLink(inline: InlineText, { kind, url, target, whole, label, identifier }: LinkParts): PageLink {
  return {
    ...toSource(inline, target),
    kind,
    url,
    whole: toSource(inline, whole),
    label: label && toSource(inline, label),
    element: undefined,
    identifier,
  }
}
