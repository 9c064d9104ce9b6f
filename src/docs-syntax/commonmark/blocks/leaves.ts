// The blocks that hold no others: which of them a line continues, ends or begins.

import { less } from '../characters.ts'
import { createContent, createNode } from '../content.ts'
import { readDefinitions } from './definitions.ts'
import { startHtml } from './html.ts'
import { isEmpty, type Line } from './line.ts'
import { childrenOf, type Leaf, type Page, type ParagraphLeaf } from './page.ts'
import type { SyntaxNode } from '../../syntax.ts'
import { closesFence, isThematicBreak, readAtxHeading, readFence, underlineDepth } from './starts.ts'
import { countDelimiters, readRow } from './tables.ts'

const codeIndent = 4
const box = /^\[[ \tXx\r\n]\](?:[ \t]*(?:\r\n?|\n)|[ \t](?=[ \t]*[^ \t\r\n]))/
const modules = /^(?:import|export)\b/

/** Reads the line as part of the open block. False: it is no part, and the block is closed. */
export function continueLeaf(page: Page, line: Line, isLazy: boolean): boolean {
  const { leaf } = page
  if (!leaf) return false
  if (leaf.kind === 'paragraph') return continueParagraph(page, { leaf, line, isLazy })
  if (!isLazy && continueOther(page, leaf, line)) return true
  closeLeaf(page, true)
  return false
}

/** `isBeforeBreak`: the block ends before the line break of its last line. */
export function closeLeaf(page: Page, isBeforeBreak = false): void {
  const { leaf } = page
  page.leaf = undefined
  if (!leaf) return
  const { into } = leaf
  if (leaf.kind === 'paragraph') closeParagraph(page, leaf)
  else if (leaf.kind === 'table') into.push({ type: 'table', children: leaf.cells })
  else {
    const { start } = leaf
    const isOpen = !isBeforeBreak && 'next' in leaf && !(leaf.kind === 'html' && !leaf.block.ending)
    const range = { start: { offset: start }, end: { offset: isOpen ? leaf.next : leaf.end } }
    const value = leaf.kind === 'html' ? page.source.slice(start, leaf.end) : undefined
    into.push({ type: leaf.kind === 'html' ? 'html' : 'code', position: range, value })
  }
}

/** Begins the block that the line begins, where no other is open. */
export function startLeaf(page: Page, line: Line, isLazy: boolean): void {
  if (isEmpty(line)) return
  const { source } = page
  if (line.indent >= codeIndent && !page.isMdx) {
    page.leaf = { into: childrenOf(page), kind: 'indented', start: line.at, end: line.end }
    // Remark, too, ends the code after a line that ends a container.
    if (isLazy) closeLeaf(page)
  } else if (!startStrong(page, line)) {
    const into = childrenOf(page)
    page.leaf = {
      into,
      kind: 'paragraph',
      ranges: [line.first, line.next],
      last: { first: line.first, end: line.end, mayBeHead: true },
      isInItem: page.containers.at(-1)?.kind === 'list' && into.length === 0,
    }
    if (page.isMdx) page.hasJsx ||= isJsx(source, line)
  }
}

/** Begins a block that is no paragraph. */
function startStrong(page: Page, line: Line): boolean {
  const { source } = page
  const into = childrenOf(page)
  const heading = readAtxHeading(source, line)
  if (heading) {
    const { depth, start, end } = heading
    const children: SyntaxNode[] = []
    into.push({ ...createRange('heading', line.first, line.end), depth, children })
    if (end > start) page.texts.push({ content: createContent(source, [start, end]), from: 0, children })
    return true
  }
  if (isThematicBreak(source, line)) {
    into.push(createRange('thematicBreak', line.first, line.end))
    return true
  }
  const fence = readFence(source, line)
  if (fence) {
    page.leaf = { into, kind: 'fence', fence, start: line.first, end: line.end, next: line.next }
    return true
  }
  if (page.isMdx || source.charCodeAt(line.first) !== less) return false
  const html = startHtml(source, line)
  if (!html) return false
  page.leaf = { into, kind: 'html', block: html.block, start: line.at, end: line.end, next: line.next }
  if (html.ends) closeLeaf(page, true)
  return true
}

type Next = { readonly leaf: ParagraphLeaf; readonly line: Line; readonly isLazy: boolean }

function continueParagraph(page: Page, { leaf, line, isLazy }: Next): boolean {
  const { source } = page
  if (isEmpty(line)) {
    closeLeaf(page)
    return false
  }
  const isIndented = line.indent >= codeIndent && !page.isMdx
  if (!isIndented) {
    if (!isLazy && (startTable(page, leaf, line) || endHeading(page, leaf, line))) return true
    if (interrupts(page, line, false)) {
      closeLeaf(page)
      return false
    }
    if (isLazy && interrupts(page, line, true)) {
      // A tag alone on its line: it is in the container whose paragraph it ends.
      closeLeaf(page)
      startLeaf(page, line, true)
      return true
    }
    if (page.isMdx) page.hasJsx ||= isJsx(source, line)
  }
  leaf.ranges.push(line.at, line.next)
  leaf.last = { first: line.first, end: line.end, mayBeHead: !isIndented }
  return true
}

/** `withWeak`: a tag alone on its line counts. */
function interrupts({ source, isMdx }: Page, line: Line, withWeak: boolean): boolean {
  if (readAtxHeading(source, line) || isThematicBreak(source, line) || readFence(source, line)) return true
  if (isMdx || source.charCodeAt(line.first) !== less) return false
  const html = startHtml(source, line)
  return html !== undefined && (!html.block.isWeak || withWeak)
}

/** The line is the second one of a table, whose head is the last line of the paragraph. */
function startTable(page: Page, leaf: ParagraphLeaf, line: Line): boolean {
  const { source } = page
  const { first, end, mayBeHead } = leaf.last
  const count = mayBeHead ? countDelimiters(source.slice(line.first, line.end)) : 0
  if (count === 0) return false
  const head = readRow(source, first, end)
  if (head.count !== count) return false
  page.leaf = undefined
  leaf.ranges.length -= 2
  if (leaf.ranges.length > 0) closeParagraph(page, leaf)
  page.leaf = { into: leaf.into, kind: 'table', cells: toCells(page, head.texts) }
  return true
}

/** The line underlines the paragraph, unless that has only definitions. */
function endHeading(page: Page, leaf: ParagraphLeaf, line: Line): boolean {
  const depth = underlineDepth(page.source, line)
  if (depth === 0) return false
  page.leaf = undefined
  const isHeading = closeParagraph(page, leaf, { depth, end: line.end })
  if (!isHeading) startLeaf(page, line, false)
  return true
}

function continueOther(page: Page, leaf: Exclude<Leaf, ParagraphLeaf>, line: Line): boolean {
  const { source } = page
  switch (leaf.kind) {
    case 'fence': {
      leaf.end = line.end
      leaf.next = line.next
      if (line.indent <= page.mostIndent && closesFence(source, line, leaf.fence)) closeLeaf(page, true)
      return true
    }
    case 'html': {
      if (!leaf.block.ending && isEmpty(line)) return false
      leaf.end = line.end
      leaf.next = line.next
      if (leaf.block.ending?.test(source.slice(line.at, line.end))) closeLeaf(page, true)
      return true
    }
    case 'indented':
      if (line.indent >= codeIndent) leaf.end = line.end
      return line.indent >= codeIndent || isEmpty(line)
    case 'table':
    default: {
      const isOther = isEmpty(line) || (line.indent >= codeIndent && !page.isMdx)
      if (isOther || interrupts(page, line, true)) return false
      if (page.isMdx) page.hasJsx ||= isJsx(source, line)
      leaf.cells.push(...toCells(page, readRow(source, line.first, line.end).texts))
      return true
    }
  }
}

function toCells(page: Page, texts: readonly number[]): SyntaxNode[] {
  const cells: SyntaxNode[] = []
  for (let at = 0; at < texts.length; at += 2) {
    const children: SyntaxNode[] = []
    page.texts.push({ content: createContent(page.source, texts.slice(at, at + 2)), from: 0, children })
    cells.push({ type: 'tableCell', children })
  }
  return cells
}

/** `heading`: the paragraph is the text of it. Returns whether there is any text. */
function closeParagraph(page: Page, leaf: ParagraphLeaf, heading?: { depth: number; end: number }): boolean {
  const { source, names, texts } = page
  const { into } = leaf
  const ranges = [...leaf.ranges.slice(0, -1), lastEnd(source, leaf.ranges)]
  const content = createContent(source, ranges)
  const definitions = readDefinitions(content, names)
  into.push(...definitions.nodes)
  const { length } = content.text
  let from = definitions.end
  if (from >= length) return false
  const found = leaf.isInItem && !heading ? box.exec(content.text.slice(from, from + 200)) : null
  if (found) from += found[0].length
  if (from >= length) return true
  const children: SyntaxNode[] = []
  const node = createNode(heading ? 'heading' : 'paragraph', content, [from, length], {
    depth: heading?.depth,
    children,
  })
  if (heading) node.position.end.offset = heading.end
  into.push(node)
  texts.push({ content, from, children })
  return true
}

/** Without the line break at the end. */
function lastEnd(source: string, ranges: readonly number[]): number {
  const end = ranges.at(-1) ?? 0
  if (source.startsWith('\r\n', end - 2)) return end - 2
  return /[\r\n]/.test(source.charAt(end - 1)) ? end - 1 : end
}

function isJsx(source: string, { first, end }: Line): boolean {
  return /[<{]/.test(source.charAt(first)) || modules.test(source.slice(first, Math.min(end, first + 10)))
}

function createRange(type: string, start: number, end: number) {
  return { type, position: { start: { offset: start }, end: { offset: end } } }
}
