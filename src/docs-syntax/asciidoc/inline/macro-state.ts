// A text while its macros are read: tables that say where constructs end, and the constructs that are open.

import type { PageLink, Prose } from '../../page.ts'
import type { Range } from '../../text.ts'
import { substitute } from '../attributes.ts'
import type { AsciidocState, Run } from '../state.ts'
import { closingBrackets } from './passthroughs.ts'
import { type Scan, isSpace, maskedText, masks, nextPositions } from './scan.ts'

export type Macros = {
  readonly scan: Scan
  readonly state: AsciidocState
  readonly kind: Prose['kind']
  /** The offset of the text in the source. */
  readonly offset: number
  readonly text: string
  readonly closing: Int32Array
  /** The next `[` or blank; the next `[` or line break; the next `>>`. */
  readonly breaks: Int32Array
  readonly brackets: Int32Array
  readonly angles: Int32Array
  /** The next blank, bracket or angle bracket, which ends an address. The next `))`. */
  readonly ends: Int32Array
  readonly rounds: Int32Array
  /** Constructs whose text is being read. */
  readonly open: Open[]
  /** Everything before this position was read. */
  position: number
}

/** `label` is where the text starts. Without a link it is a footnote. */
export type Open = { readonly start: number; readonly label: number; readonly link?: Target }

export type Target = Range & Pick<PageLink, 'kind' | 'url'>

/** Texts inside texts: more is no page for people, and would take more than linear time. */
const maxNesting = 8

export function createMacros(scan: Scan, state: AsciidocState, { start: offset, kind }: Run): Macros {
  const text = maskedText(scan)
  const tags = String.fromCharCode(masks.tag, masks.entity)
  const isBlank = (at: number) => isSpace(text.charCodeAt(at))
  return {
    scan,
    state,
    kind,
    offset,
    text,
    open: [],
    position: 0,
    closing: closingBrackets(text),
    breaks: nextPositions(text.length, (at) => text[at] === '[' || isBlank(at)),
    brackets: nextPositions(text.length, (at) => text[at] === '[' || text[at] === '\n'),
    angles: positionsOf(text, '>>'),
    ends: nextPositions(text.length, (at) => `[]<>${tags}`.includes(text.charAt(at)) || isBlank(at)),
    rounds: positionsOf(text, '))'),
  }
}

function positionsOf(text: string, sign: string): Int32Array {
  return text.includes(sign) ? nextPositions(text.length, (at) => text.startsWith(sign, at)) : new Int32Array()
}

export function cut({ scan }: Macros, range: Range, shown: string | undefined): void {
  if (range.end > range.start) scan.cuts.push({ ...range, shown })
}

export function sourceRange({ offset }: Macros, { start, end }: Range): Range {
  return { start: start + offset, end: end + offset }
}

/** The destination with its attributes resolved, as written where they are not known. */
export function urlOf({ scan, state }: Macros, { start, end }: Range): string {
  const written = scan.text.slice(start, end)
  for (const found of written.matchAll(/\{([\w-]+)\}/g)) state.usesElsewhere.add((found[1] ?? '').toLowerCase())
  return substitute(written, state.attributes)
}

export function openText(open: Open, macros: Macros): void {
  macros.position = open.label
  if (macros.open.length < maxNesting) macros.open.push(open)
}
