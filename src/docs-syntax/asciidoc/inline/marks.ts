// Finds the marks of formatted text in the order of Asciidoctor (`QUOTE_SUBS` of 2.0): `*strong*`, `` `code` ``, `_em_`,
// `#mark#`, `^super^`, `~sub~`, typographic quotes, and `[.role]` before them. Takes linear time.

import { type Scan, isSpace, isWord, masks, nextPositions } from './scan.ts'
import { readAttributeList } from '../block-attributes.ts'

type Mark = {
  readonly open: string
  readonly close: string
  readonly kind: 'constrained' | 'anywhere' | 'tight'
  readonly isCode?: boolean
  /** Characters that may not be before, and after, a constrained pair, besides letters and digits. */
  readonly notBefore?: string
  readonly notAfter?: string
  readonly shown?: readonly [open: string, close: string]
}

/** `<`, `>` and `&` are character references by the time that Asciidoctor looks for marks; these end with a semicolon. */
const always = `;:}<>&${String.fromCharCode(masks.entity)}`
const marks: readonly Mark[] = [
  { open: '**', close: '**', kind: 'anywhere' },
  { open: '*', close: '*', kind: 'constrained' },
  { open: '"`', close: '`"', kind: 'constrained', shown: ['“', '”'] },
  { open: "'`", close: "`'", kind: 'constrained', notBefore: '`', shown: ['‘', '’'] },
  { open: '``', close: '``', kind: 'anywhere', isCode: true },
  { open: '`', close: '`', kind: 'constrained', isCode: true, notBefore: '"\'`', notAfter: '"\'`' },
  { open: '__', close: '__', kind: 'anywhere' },
  { open: '_', close: '_', kind: 'constrained' },
  { open: '##', close: '##', kind: 'anywhere' },
  { open: '#', close: '#', kind: 'constrained' },
  { open: '^', close: '^', kind: 'tight' },
  { open: '~', close: '~', kind: 'tight' },
]
/** A longer list before a mark is text. */
const maxAttributes = 200

export function readMarks(scan: Scan): void {
  for (const mark of marks) {
    const first = scan.text.indexOf(mark.open)
    if (first !== -1 && scan.text.includes(mark.close, first + mark.open.length + 1)) readPairs(scan, mark)
  }
}

function readPairs(scan: Scan, mark: Mark): void {
  const { units } = scan
  const size = mark.open.length
  const closing = nextPositions(units.length, (at) => isAt(units, at, mark.close) && canClose(units, at, mark))
  const spaces = mark.kind === 'tight' ? nextPositions(units.length, (at) => isSpace(units[at])) : undefined
  const lists = mark.open.startsWith('#') ? listEnds(scan.text) : undefined
  let last = 0
  for (let at = scan.text.indexOf(mark.open); at !== -1 && at < units.length; at = scan.text.indexOf(mark.open, at)) {
    const afterList = lists?.[at] ?? 0
    if (afterList > 0) {
      at = afterList
      continue
    }
    const close = closing[at + size + 1] ?? units.length
    const attributes = isAt(units, at, mark.open) ? readOpening(scan, { at, last, mark }) : undefined
    const isPair = attributes !== undefined && close < units.length && (spaces?.[at] ?? close) >= close
    if (!isPair) {
      at += 1
      continue
    }
    const isEscaped = units[attributes - 1] === 92
    if (isEscaped) scan.cuts.push({ start: attributes - 1, end: attributes, shown: '' })
    else takePair(scan, { attributes, at, close, mark })
    last = close + size
    at = isEscaped && mark.kind !== 'constrained' ? at + size : last
  }
}

/** For each position in `[#id]` before a mark, the position of that mark: the sign in it opens nothing. */
function listEnds(text: string): Uint32Array | undefined {
  if (!text.includes(']#')) return undefined
  const ends = new Uint32Array(text.length)
  for (const found of text.matchAll(/\[[^\][\n]{1,200}\](?=#)/g))
    ends.fill(found.index + found[0].length, found.index, found.index + found[0].length)
  return ends
}

/** Where the construct starts: at the mark, or at the list of attributes before it. Undefined: nothing opens here. */
function readOpening(
  { units }: Scan,
  { at, last, mark }: { at: number; last: number; mark: Mark },
): number | undefined {
  const isConstrained = mark.kind === 'constrained'
  if (isConstrained && isSpace(units[at + mark.open.length])) return undefined
  const list = units[at - 1] === 93 ? openingBracket(units, at - 1, last) : undefined
  for (const start of list === undefined ? [at] : [list, at]) {
    if (start < last) continue
    if (!isConstrained || start === 0) return start
    const before = units[start - 1] ?? 0
    const isBarred = isWord(before) || `${always}${mark.notBefore ?? ''}`.includes(String.fromCharCode(before))
    if (!isBarred && start > last) return start
  }
  return undefined
}

function openingBracket(units: Uint16Array, close: number, last: number): number | undefined {
  for (let at = close - 1; at >= Math.max(last, close - maxAttributes); at--) {
    if (units[at] === 93) return undefined
    if (units[at] === 91) return at < close - 1 ? at : undefined
  }
  return undefined
}

function canClose(units: Uint16Array, at: number, { close, kind, notAfter = '' }: Mark): boolean {
  if (kind !== 'constrained') return true
  const after = units[at + close.length]
  if (isSpace(units[at - 1]) || isWord(after)) return false
  return after === undefined || !notAfter.includes(String.fromCharCode(after))
}

type Pair = { readonly attributes: number; readonly at: number; readonly close: number; readonly mark: Mark }

function takePair(scan: Scan, { attributes, at, close, mark }: Pair): void {
  const size = mark.open.length
  const end = close + size
  const [open = '', closed = ''] = mark.shown ?? []
  scan.cuts.push({ start: attributes, end: at + size, shown: open }, { start: close, end, shown: closed })
  if (mark.isCode) scan.code.push({ start: at + size, end: close })
  if (attributes < at) {
    const { id } = readAttributeList(scan.text.slice(attributes + 1, at - 1))
    if (id) scan.ids.push(id)
  }
  const fill = mark.shown ? masks.entity : masks.tag
  scan.units.fill(fill, attributes, at + size)
  scan.units.fill(fill, close, end)
}

function isAt(units: Uint16Array, at: number, text: string): boolean {
  for (let index = 0; index < text.length; index++) if (units[at + index] !== text.charCodeAt(index)) return false
  return true
}
