// Links, images and references: what a closing bracket makes of the text since the opening one.

import { bracketClose, bracketOpen } from '../characters.ts'
import { createNode, decode, normaliseName } from '../content.ts'
import {
  readDestination,
  readName,
  readTitle,
  skipBlanksAndBreaks,
  type TitleEnds,
  writtenDestination,
} from '../link-parts.ts'
import type { SyntaxNode } from '../../syntax.ts'
import { toNodes } from './emphasis.ts'
import { type Bracket, flush, type Scan } from './scan.ts'

type Target = {
  readonly end: number
  readonly url?: string
  readonly identifier?: string
  readonly referenceType?: 'full' | 'collapsed' | 'shortcut'
}

const parenOpen = 40
const parenClose = 41
const caret = 94
const mostParens = 32
/** Longer texts are no names. */
const maxName = 4_000

export function openBracket(scan: Scan, size: 1 | 2): void {
  flush(scan, scan.at)
  const outer = scan.brackets.at(-1)
  if (outer) outer.hasInner = true
  const from = scan.at + size
  scan.brackets.push({ item: scan.items.length, start: scan.at, from, isImage: size === 2, hasInner: false })
  scan.items.push({ kind: 'text', from: scan.at, to: from })
  scan.at = from
  scan.from = from
}

export function closeBracket(scan: Scan): void {
  const { brackets } = scan
  const bracket = brackets.pop()
  const isInactive = bracket && !bracket.isImage && brackets.length < scan.inactive
  scan.inactive = Math.min(scan.inactive, brackets.length)
  const target = bracket && !isInactive ? readTarget(scan, bracket) : undefined
  if (!bracket || !target) {
    if (!bracket?.isImage || !closeFootnote(scan, bracket)) scan.at += 1
    return
  }
  flush(scan, scan.at)
  const inner = scan.items.splice(bracket.item + 1)
  scan.items.pop()
  scan.items.push({
    kind: 'node',
    node: toNode(scan, { bracket, target, children: toNodes(scan.content, inner, 126) }),
  })
  // A link has no links in it.
  if (!bracket.isImage) scan.inactive = brackets.length
  scan.at = target.end
  scan.from = target.end
}

type Parts = { readonly bracket: Bracket; readonly target: Target; readonly children: SyntaxNode[] }

function toNode({ content }: Scan, { bracket, target, children }: Parts): SyntaxNode {
  const { end, url, identifier, referenceType } = target
  const type = `${bracket.isImage ? 'image' : 'link'}${url === undefined ? 'Reference' : ''}`
  const shown = bracket.isImage ? { alt: textOf(children) } : { children }
  return createNode(type, content, [bracket.start, end], { url, identifier, referenceType, ...shown })
}

function readTarget(scan: Scan, { from, hasInner }: Bracket): Target | undefined {
  const { text, at, names } = scan
  const mayBeName = !hasInner && names.size > 0 && at - from < maxName
  const name = mayBeName ? normaliseName(text.slice(from, at)) : ''
  const isName = names.has(name)
  const next = text.charCodeAt(at + 1)
  const identifier = name.toLowerCase()
  if (next === bracketOpen) {
    const end = names.size > 0 ? readName(text, at + 1) : -1
    const full = end === -1 ? '' : normaliseName(text.slice(at + 2, end - 1))
    if (names.has(full)) return { end, identifier: full.toLowerCase(), referenceType: 'full' }
    if (!isName || text.charCodeAt(at + 2) !== bracketClose) return undefined
    return { end: at + 3, identifier, referenceType: 'collapsed' }
  }
  const resource = next === parenOpen ? readResource(text, at + 1, scan.ends) : undefined
  return resource ?? (isName ? { end: at + 1, identifier, referenceType: 'shortcut' } : undefined)
}

/** `(destination "title")`. */
function readResource(text: string, at: number, ends: TitleEnds): Target | undefined {
  const start = skipBlanksAndBreaks(text, at + 1)
  if (text.charCodeAt(start) === parenClose) return { end: start + 1, url: '' }
  const end = readDestination(text, start, mostParens)
  if (end === -1) return undefined
  let next = skipBlanksAndBreaks(text, end)
  if (next > end && text.charCodeAt(next) !== parenClose) {
    const title = readTitle(text, next, ends)
    if (title === -1) return undefined
    next = skipBlanksAndBreaks(text, title)
  }
  if (text.charCodeAt(next) !== parenClose) return undefined
  return { end: next + 1, url: decode(writtenDestination(text, start, end)) }
}

/** `![^name]` is a footnote after an exclamation mark. */
function closeFootnote(scan: Scan, { item, start, from }: Bracket): boolean {
  const { text, at, footnotes, content } = scan
  if (text.charCodeAt(from) !== caret || !footnotes.has(normaliseName(text.slice(from + 1, at)))) return false
  scan.items.length = item
  scan.items.push({ kind: 'text', from: start, to: start + 1 })
  scan.items.push({ kind: 'node', node: createNode('footnoteReference', content, [start + 1, at + 1]) })
  scan.at = at + 1
  scan.from = at + 1
  return true
}

function textOf(nodes: readonly SyntaxNode[]): string {
  return nodes
    .map(({ value, alt, children }) => (typeof value === 'string' ? value : (alt ?? textOf(children ?? []))))
    .join('')
}
