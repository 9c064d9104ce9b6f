// Reads the text of a block: code, links, emphasis, HTML and addresses in it. One pass over the characters that may begin
// something.

import {
  backslash,
  backtick,
  bang,
  bracketClose,
  bracketOpen,
  carriageReturn,
  classOf,
  isAsciiPunctuation,
  isLineBreak,
  less,
  lineFeed,
  space,
  star,
  tab,
  tilde,
  underscore,
} from '../characters.ts'
import { footnoteEnd } from '../blocks/containers.ts'
import { type Content, normaliseName } from '../content.ts'
import { skipBlanks } from '../link-parts.ts'
import type { SyntaxNode } from '../../syntax.ts'
import { closeBracket, openBracket } from './brackets.ts'
import { toNodes } from './emphasis.ts'
import { readAutolink, readHtml } from './html.ts'
import { hasLiterals, isNamePart, readLiteral } from './literals.ts'
import { addNode, createScan, flush, type Names, type Scan } from './scan.ts'

const brace = 123
const caret = 94
const isMark = marksOf([
  lineFeed,
  carriageReturn,
  backslash,
  backtick,
  bang,
  bracketOpen,
  bracketClose,
  less,
  star,
  underscore,
  tilde,
])

/** The nodes of the text from `start` on. Undefined: it has JSX or expressions. */
export function readInlines(content: Content, start: number, names: Names): SyntaxNode[] | undefined {
  const scan = createScan(content, start, names)
  const { text } = scan
  const mayHaveLiterals = hasLiterals(start === 0 ? text : text.slice(start))
  while (scan.at < text.length && !scan.hasJsx) {
    const code = text.charCodeAt(scan.at)
    if (mayHaveLiterals && isNamePart(code) && readBareAddress(scan)) continue
    if (code < 128 && isMark[code] === 1) readMark(scan, code)
    else if (code === brace && scan.isMdx) scan.hasJsx = true
    else scan.at += 1
  }
  if (scan.hasJsx) return undefined
  let end = text.length
  while (end > scan.from && isBlankAt(text, end - 1)) end -= 1
  flush(scan, end)
  return toNodes(content, scan.items, scan.first)
}

function readMark(scan: Scan, code: number): void {
  switch (code) {
    case backslash:
      return readEscape(scan)
    case backtick:
      return readCode(scan)
    case star:
    case underscore:
    case tilde:
      return readRun(scan, code)
    case bang:
      if (scan.text.charCodeAt(scan.at + 1) === bracketOpen) openBracket(scan, 2)
      else scan.at += 1
      return undefined
    case bracketOpen:
      return readBracket(scan)
    case bracketClose:
      return closeBracket(scan)
    case less:
      return readTag(scan)
    default:
      return readBreak(scan)
  }
}

function readEscape(scan: Scan): void {
  const { text, at } = scan
  const next = text.charCodeAt(at + 1)
  if (isLineBreak(next)) {
    addNode(scan, 'break', afterBreak(text, at + 1))
    scan.at = skipBlanks(text, scan.at)
    scan.from = scan.at
  } else if (isAsciiPunctuation(next)) {
    scan.at += 2
    scan.escaped = scan.at
  } else scan.at += 1
}

/** Blanks at the edges of lines are no text. Two or more spaces before the end of a line break it. */
function readBreak(scan: Scan): void {
  const { text, at } = scan
  const after = afterBreak(text, at)
  const next = skipBlanks(text, after)
  let end = at
  while (end > scan.from && isBlankAt(text, end - 1)) end -= 1
  if (end === at && next === after) {
    scan.at = after
    return
  }
  flush(scan, end)
  const isHard = at - end > 1 && !text.slice(end, at).includes('\t')
  scan.at = isHard ? end : at
  scan.from = scan.at
  if (isHard) addNode(scan, 'break', after)
  else flush(scan, after)
  scan.at = next
  scan.from = next
}

function readCode(scan: Scan): void {
  const { text, at } = scan
  let from = at
  while (text.charCodeAt(from) === backtick) from += 1
  scan.ticks ??= findTicks(text, at)
  const places = scan.ticks.get(from - at) ?? []
  while ((places.at(-1) ?? Infinity) < from) places.pop()
  const to = places.at(-1)
  if (to === undefined) scan.at = from
  else addNode(scan, 'inlineCode', to + from - at, { value: withoutPadding(text.slice(from, to)) })
}

/** The last places come first. */
function findTicks(text: string, start: number): Map<number, number[]> {
  const ticks = new Map<number, number[]>()
  for (const { 0: found, index } of text.slice(start).matchAll(/`+/g)) {
    const places = ticks.get(found.length)
    if (places) places.push(start + index)
    else ticks.set(found.length, [start + index])
  }
  for (const places of ticks.values()) places.reverse()
  return ticks
}

function withoutPadding(text: string): string {
  return /^[ \r\n][^]*[^ \r\n][^]*[ \r\n]$/.test(text) ? text.slice(1, -1) : text
}

function readRun(scan: Scan, mark: number): void {
  const { text, at } = scan
  let to = at
  while (text.charCodeAt(to) === mark) to += 1
  const before = at === scan.start ? Number.NaN : text.charCodeAt(at - 1)
  const isDeleted = mark === tilde
  if (isDeleted && (to - at > 2 || (before === tilde && at !== scan.escaped))) {
    scan.at = to
    return
  }
  flush(scan, at)
  if (scan.first === 0) scan.first = mark
  scan.items.push({
    kind: 'run',
    mark,
    from: at,
    to,
    ...sidesOf(mark, before, text.charCodeAt(to)),
    begun: [],
    ended: [],
  })
  scan.at = to
  scan.from = to
}

/** Whether a run may open and close something, by the characters around it. */
function sidesOf(mark: number, before: number, after: number): { readonly opens: boolean; readonly closes: boolean } {
  const left = classOf(before)
  const right = classOf(after)
  const opens = right === 'other' || (right === 'punctuation' && left !== 'other')
  const closes = left === 'other' || (left === 'punctuation' && right !== 'other')
  if (mark === tilde) return { opens, closes }
  const mayOpen = opens || after === tilde
  const mayClose = closes || before === tilde
  if (mark === star) return { opens: mayOpen, closes: mayClose }
  return {
    opens: mayOpen && (left !== 'other' || !mayClose),
    closes: mayClose && (right !== 'other' || !mayOpen),
  }
}

function readBracket(scan: Scan): void {
  const { text, at, footnotes } = scan
  if (text.charCodeAt(at + 1) === caret && footnotes.size > 0) {
    const end = footnoteEnd(text, at + 2, text.length)
    if (end !== -1 && footnotes.has(normaliseName(text.slice(at + 2, end)))) {
      const outer = scan.brackets.at(-1)
      if (outer) outer.hasInner = true
      addNode(scan, 'footnoteReference', end + 1)
      return
    }
  }
  openBracket(scan, 1)
}

function readTag(scan: Scan): void {
  const { text, at } = scan
  if (scan.isMdx) {
    scan.hasJsx = true
    return
  }
  const link = readAutolink(text, at)
  if (link) {
    const value = text.slice(at + 1, link.end - 1)
    addNode(scan, 'link', link.end, {
      url: link.isEmail ? `mailto:${value}` : value,
      children: [{ type: 'text', value }],
    })
    return
  }
  const end = readHtml(text, at, scan.missing)
  if (end === -1) scan.at += 1
  else addNode(scan, 'html', end, { value: text.slice(at, end) })
}

/** Not in brackets, which may become a link. */
function readBareAddress(scan: Scan): boolean {
  const { text, at } = scan
  if (scan.brackets.length > 0) return false
  const literal = readLiteral(text, at, at === scan.start ? Number.NaN : text.charCodeAt(at - 1))
  if (!literal) return false
  const value = text.slice(at, literal.end)
  addNode(scan, 'link', literal.end, { url: literal.url, children: [{ type: 'text', value }] })
  return true
}

function afterBreak(text: string, at: number): number {
  return text.startsWith('\r\n', at) ? at + 2 : at + 1
}

function isBlankAt(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code === space || code === tab
}

function marksOf(codes: readonly number[]): Uint8Array {
  const marks = new Uint8Array(128)
  for (const code of codes) marks[code] = 1
  return marks
}
