// Block quotes, lists and footnotes: which of the open ones a line continues, and which ones begin in it. The rules are those
// of micromark, which has no lists of the end of the page to wait for: an item is known by its first line.

import { backslash, bracketClose, bracketOpen, isBlankOrBreak, isDigit, star } from '../characters.ts'
import { normaliseName } from '../content.ts'
import { isEmpty, type Line, takeIndent, takeMark } from './line.ts'
import { isThematicBreak } from './starts.ts'
import type { SyntaxNode } from '../../syntax.ts'

export type Container = {
  readonly kind: 'quote' | 'list' | 'footnote'
  readonly node: SyntaxNode & { readonly children: SyntaxNode[] }
  /** The blocks in the container; in a list, those in its last item. */
  children: SyntaxNode[]
  /** The character of a list after its number. */
  readonly mark: number
  /** How far the content of an item is indented. */
  size: number
  /** Whether the first line of the item is empty, and whether the next one is too: it then has no content. */
  startsEmpty: boolean
  staysEmpty: boolean
}

/** The containers of a page share this. */
export type Surroundings = {
  readonly source: string
  /** How far a mark may be indented: MDX has no code that is indented. */
  readonly mostIndent: number
  readonly footnotes: Set<string>
}

/** `item`: it continues the list with another item. */
export type Continuation = 'no' | 'yes' | 'item'

const greater = 62
const footnoteIndent = 4

/** Takes the marks of the container from the line if it continues it. */
export function continueContainer(page: Surroundings, line: Line, container: Container): Continuation {
  const { source } = page
  if (container.kind === 'quote') return takeQuote(page, line) ? 'yes' : 'no'
  if (container.kind === 'footnote') {
    if (!isEmpty(line) && line.indent < footnoteIndent) return 'no'
    if (!isEmpty(line)) takeIndent(source, line, footnoteIndent)
    return 'yes'
  }
  if (isEmpty(line)) {
    container.staysEmpty ||= container.startsEmpty
    takeIndent(source, line, Math.min(line.indent, container.size))
    return 'yes'
  }
  const isInItem = !container.staysEmpty && line.indent >= container.size
  container.startsEmpty = false
  container.staysEmpty = false
  if (isInItem) {
    takeIndent(source, line, container.size)
    return 'yes'
  }
  return takeItem(page, line, { mark: container.mark, isInterrupting: false, container }) ? 'item' : 'no'
}

/** Begins the container whose mark is next, if there is one. `isInterrupting`: in a paragraph. */
export function startContainer(page: Surroundings, line: Line, isInterrupting: boolean): Container | undefined {
  if (line.indent > page.mostIndent || isEmpty(line)) return undefined
  const code = page.source.charCodeAt(line.first)
  if (code === greater && takeQuote(page, line)) return createContainer('quote', 'blockquote')
  if (code === bracketOpen && takeFootnote(page, line)) return createContainer('footnote', 'footnoteDefinition')
  const mark = listMark(page.source, line)
  if (mark === undefined) return undefined
  const container = createContainer('list', 'list', page.source.charCodeAt(mark))
  return takeItem(page, line, { mark: container.mark, isInterrupting, container }) ? container : undefined
}

function createContainer(kind: Container['kind'], type: string, mark = 0): Container {
  const children: SyntaxNode[] = []
  return { kind, node: { type, children }, children, mark, size: 0, startsEmpty: false, staysEmpty: false }
}

function takeQuote({ source, mostIndent }: Surroundings, line: Line): boolean {
  if (line.indent > mostIndent || source.charCodeAt(line.first) !== greater || isEmpty(line)) return false
  takeMark(source, line, 1)
  if (line.indent > 0) takeIndent(source, line, 1)
  return true
}

/** The position of the mark of an item, after its number. */
function listMark(source: string, { first, end }: Line): number | undefined {
  let at = first
  while (isDigit(source.charCodeAt(at)) && at - first < 9) at += 1
  const code = at < end ? source.charCodeAt(at) : Number.NaN
  const isMark = at === first ? code === star || code === 43 || code === 45 : code === 41 || code === 46
  return isMark ? at : undefined
}

type Wanted = { readonly mark: number; readonly isInterrupting: boolean; readonly container: Container }

/** Takes the mark of an item and the blanks after it. An item that ends a paragraph has a text, and the number 1. */
function takeItem(
  { source, mostIndent }: Surroundings,
  line: Line,
  { mark, isInterrupting, container }: Wanted,
): boolean {
  if (line.indent > mostIndent) return false
  const at = listMark(source, line)
  if (at === undefined || source.charCodeAt(at) !== mark) return false
  const size = at + 1 - line.first
  if (isInterrupting && size > 1 && source.slice(line.first, at) !== '1') return false
  if (size === 1 && isThematicBreak(source, line)) return false
  const after = at + 1 === line.end ? Number.NaN : source.charCodeAt(at + 1)
  if (!Number.isNaN(after) && !isBlankOrBreak(after)) return false
  const { indent } = line
  const saved = { ...line }
  takeMark(source, line, size)
  const isEmptyItem = isEmpty(line)
  if (isEmptyItem && isInterrupting) {
    Object.assign(line, saved)
    return false
  }
  const blanks = line.indent <= mostIndent + 1 ? line.indent : 1
  container.startsEmpty = isEmptyItem
  container.size = indent + size + (isEmptyItem ? 1 : blanks)
  if (!isEmptyItem) takeIndent(source, line, blanks)
  container.children = []
  container.node.children.push({ type: 'listItem', children: container.children })
  return true
}

function takeFootnote({ source, footnotes }: Surroundings, line: Line): boolean {
  const start = line.first + 2
  if (source.charCodeAt(line.first + 1) !== 94) return false
  const end = footnoteEnd(source, start, line.end)
  if (end === -1 || source.charCodeAt(end + 1) !== 58) return false
  footnotes.add(normaliseName(source.slice(start, end)))
  takeMark(source, line, end + 2 - line.first)
  takeIndent(source, line, line.indent)
  return true
}

/** Where the name of a footnote that begins at `start` ends: it has neither blanks nor brackets. */
export function footnoteEnd(text: string, start: number, end: number): number {
  for (let at = start; at < end && at - start <= 999; at += 1) {
    const code = text.charCodeAt(at)
    if (code === bracketClose) return at === start ? -1 : at
    if (code === bracketOpen || isBlankOrBreak(code)) return -1
    if (code !== backslash) continue
    const escaped = text.charCodeAt(at + 1)
    if (escaped === bracketOpen || escaped === backslash || escaped === bracketClose) at += 1
  }
  return -1
}
