// Reads the blocks of a page in one pass over its lines: sections, paragraphs, lists, delimited blocks and tables. A line
// that ends an open block ends those inside it too, as in Asciidoctor, so a stack of borders is all that has to be known.

import { type Range, inRanges } from '../../text.ts'
import { readLinks, readRun, withoutHoles } from '../inline/read-run.ts'
import type { AsciidocState } from '../state.ts'
import {
  type Blocks,
  type Open,
  type Paragraph,
  createBlocks,
  endParagraph,
  takePending,
  wholeLine,
} from './block-state.ts'
import { readDirective } from './directives.ts'
import { type Line, delimiters, splitLines, startsBlock, startsListItem } from './lines.ts'
import { continueEntry, readMetadata } from './metadata.ts'
import { codeStyles, startParagraph } from './paragraphs.ts'
import { endHeader, readHeaderLine, readHeading } from './sections.ts'
import { type Cell, readCells } from './tables.ts'

/** A table in a cell of a table in a cell is read as text. */
const maxDepth = 3

export function readBlocks(blocks: Blocks, lines: readonly Line[]): void {
  let isRead = false
  for (const [index, line] of lines.entries()) isRead = !isRead && readLine(blocks, line, lines[index + 1]) === 'both'
  const end = lines.at(-1)?.end ?? 0
  if (blocks.header !== 'before') endHeader(blocks)
  closeBlocks(blocks, 0, { start: end, end })
  for (const { start } of blocks.conditions) blocks.state.conditionals.push({ start, end })
}

/** `both`: the next line is read too. */
function readLine(blocks: Blocks, line: Line, next: Line | undefined): 'both' | undefined {
  const depth = blocks.borders.get(line.text)
  if (depth !== undefined) {
    closeBlocks(blocks, depth, line)
    return undefined
  }
  const top = blocks.stack.at(-1)
  if (top?.content === 'comment') return undefined
  const directive = readDirective(blocks, line)
  const holes = blocks.paragraph?.holes ?? top?.holes
  if (directive === 'none' || (top?.content === 'table' && isComment(line)))
    holes?.push(wholeLine(blocks.state.source, line))
  else if (directive !== 'text')
    holes?.push({ start: line.start, end: directive.start }, { start: directive.end, end: line.end })
  if (directive === 'none' || (top && top.content !== 'text')) {
    if (typeof directive === 'object') endCondition(blocks, line)
    return undefined
  }
  if (directive === 'text') return readText(blocks, line, next)
  readText(blocks, directive, undefined)
  endCondition(blocks, line)
  return undefined
}

/** A condition in one line ends with it. */
function endCondition({ conditions, state }: Blocks, line: Line): void {
  const condition = conditions.pop()
  if (condition) state.conditionals.push({ start: condition.start, end: line.end })
}

function readText(blocks: Blocks, line: Line, next: Line | undefined): 'both' | undefined {
  if (blocks.entry) {
    continueEntry(blocks, line)
    return undefined
  }
  if (readHeaderLine(blocks, line)) return undefined
  if (line.text === '') {
    endParagraph(blocks)
    return undefined
  }
  if (blocks.paragraph && continueParagraph(blocks, blocks.paragraph, line)) return undefined
  return startBlock(blocks, line, next)
}

function isComment({ text }: Line): boolean {
  return text.startsWith('//') && !text.startsWith('///')
}

/** False: the line ends the paragraph and starts something else. */
function continueParagraph(blocks: Blocks, paragraph: Paragraph, line: Line): boolean {
  const { text } = line
  const isBorder = !paragraph.isVerbatim && startsBlock(text)
  if (text === '+' || isBorder || (paragraph.endsAtItem && startsListItem(text))) {
    endParagraph(blocks)
    return false
  }
  if (paragraph.content === 'text') {
    if (isComment(line)) {
      paragraph.holes.push(wholeLine(blocks.state.source, line))
      return true
    }
    const lead = paragraph.isQuote ? (/^> ?/.exec(text)?.[0].length ?? 0) : text.length - text.trimStart().length
    if (lead > 0) paragraph.holes.push({ start: line.start, end: line.start + lead })
  }
  paragraph.end = line.end
  return true
}

function startBlock(blocks: Blocks, line: Line, next: Line | undefined): 'both' | undefined {
  if (line.text === '+') {
    blocks.isAttached = true
    blocks.needsText = false
    return undefined
  }
  if (readMetadata(blocks, line)) return undefined
  if (delimiters.test(line.text)) {
    openBlock(blocks, line)
    return undefined
  }
  const heading = readHeading(blocks, line, next)
  if (heading) return heading === 'underlined' ? 'both' : undefined
  startParagraph(blocks, line)
  return undefined
}

function openBlock(blocks: Blocks, line: Line): void {
  const { stack, borders, state } = blocks
  if (!blocks.isAttached) blocks.isInList = false
  if (blocks.header === 'before' && !line.text.startsWith('////')) blocks.header = 'over'
  const { style } = blocks.pending
  const content = contentOf(line.text, style)
  const attributes = content === 'comment' ? blocks.pending : takePending(blocks)
  const border = line.text.startsWith('```') ? '```' : line.text
  borders.set(border, stack.length)
  stack.push({
    content,
    border,
    start: line.start,
    contentStart: wholeLine(state.source, line).end,
    attributes,
    holes: [],
  })
}

function contentOf(border: string, style: string): Open['content'] {
  const isOpen = border === '--'
  if (border.startsWith('////') || (isOpen && style === 'comment')) return 'comment'
  if (isOpen) return codeStyles.has(style) ? 'code' : style === 'verse' ? 'verse' : 'text'
  if (border.startsWith('_') && style === 'verse') return 'verse'
  if (/^[|,:!]/.test(border)) return 'table'
  return /^[-.+`]/.test(border) ? 'code' : 'text'
}

/** Ends the blocks inside the outer `depth` ones. `line` ends the outermost of them, and those inside it end before it. */
function closeBlocks(blocks: Blocks, depth: number, line: Pick<Line, 'start' | 'end'>): void {
  const { stack, borders } = blocks
  endParagraph(blocks)
  while (stack.length > depth) {
    const block = stack.pop()
    if (!block) break
    borders.delete(block.border)
    finishBlock(blocks, block, { contentEnd: line.start, end: stack.length === depth ? line.end : line.start })
    if (block.content === 'comment') return
  }
  takePending(blocks)
}

function finishBlock(blocks: Blocks, block: Open, { contentEnd, end }: { contentEnd: number; end: number }): void {
  const { state, kind } = blocks
  const content = { start: Math.min(block.contentStart, contentEnd), end: contentEnd }
  if (block.content === 'verse') readRun(state, { ...content, holes: [], kind })
  else if (block.content === 'table') readTable(blocks, block, content)
  else if (block.content === 'code') {
    state.code.push({ start: block.start, end })
    const subs = block.attributes.named.get('subs')?.text ?? ''
    if (/\b(?:macros|normal)\b/.test(subs)) readLinks(state, { ...content, holes: [], kind })
  }
}

function readTable({ state, depth }: Blocks, block: Open, content: Range): void {
  const holes = block.holes.filter(({ start, end }) => start >= content.start && end <= content.end)
  const text = state.source.slice(0, content.start) + withoutHoles(state.source, { ...content, holes })
  let at = 0
  for (const cell of readCells(text, content, block.attributes, block.border.charAt(0))) {
    while ((holes[at]?.end ?? Infinity) <= cell.start) at += 1
    const own: Range[] = []
    for (let next = at; (holes[next]?.start ?? Infinity) < cell.end; next++) own.push(holes[next] ?? cell)
    readCell(state, { cell, text, holes: own }, depth)
  }
}

type TableCell = { readonly cell: Cell; readonly text: string; readonly holes: readonly Range[] }

function readCell(state: AsciidocState, { cell, text, holes }: TableCell, depth: number): void {
  if (cell.content === 'code') {
    state.code.push({ start: cell.start, end: cell.end })
    return
  }
  const isHole = inRanges(holes)
  const lines = splitLines(text, cell).filter(({ start }) => holes.length === 0 || !isHole(start))
  if (cell.content === 'page' && depth < maxDepth)
    readBlocks(createBlocks(state, { kind: 'cell', depth: depth + 1, header: 'before' }), lines)
  else for (const part of paragraphsOf(lines)) readRun(state, { ...part, holes, kind: 'cell' })
}

/** The lines between blank lines. */
function paragraphsOf(lines: readonly Line[]): Range[] {
  const parts: { start: number; end: number }[] = []
  let isOpen = false
  for (const { start, end, text } of lines) {
    const last = parts.at(-1)
    if (text !== '' && isOpen && last) last.end = end
    else if (text !== '') parts.push({ start, end })
    isOpen = text !== ''
  }
  return parts
}
