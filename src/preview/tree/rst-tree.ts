// A page of reStructuredText as a tree for a preview: titles, paragraphs, lists, code, quotes, images, and directives as
// boxes with their names. Tables are shown as written. Runs nothing and inserts no file.

import type { MarkdownPage, PageLink } from '../../docs-syntax/page.ts'
import { bullet, enumerator } from '../../docs-syntax/rst/body.ts'
import { kindOfDirective } from '../../docs-syntax/rst/directive-kinds.ts'
import { directive as directiveMark, footnote } from '../../docs-syntax/rst/explicit.ts'
import { fieldMarker } from '../../docs-syntax/rst/field-marker.ts'
import { readRst } from '../../docs-syntax/rst/rst.ts'
import {
  alignFirst,
  endOfIndented,
  leastColumn,
  restOf,
  type RstLine,
  splitLines,
} from '../../docs-syntax/rst/state.ts'
import { createInline, type Inline } from './inline.ts'
import { addItem, box, codeBlock, firstFrom, lineAfter, listItem, parent, text, type TreeNode } from './nodes.ts'

type Page = {
  readonly source: string
  readonly inline: Inline
  readonly headings: ReadonlyMap<number, MarkdownPage['headings'][number]>
  readonly code: ReadonlyMap<number, number>
  readonly links: readonly PageLink[]
}

/** A block: its lines, where it begins, the column of its body, and how deep it is. */
type At = { readonly lines: readonly RstLine[]; readonly at: number; readonly base: number; readonly depth: number }

const maxDepth = 30
const gridLine = /^\+[-=+]+\+$/
const simpleLine = /^=+(?: +=+)+$/
const notShown = /^(?:contents|index|meta|highlight|default-role|role|currentmodule|py:currentmodule|default-domain)$/

export function rstTree(source: string): TreeNode {
  const page = readRst(source)
  const isBlock = ({ start, end }: { start: number; end: number }) =>
    /^\s*(?:[\r\n]|$)/.test(source.slice(end, end + 200)) && !/^(?:``|:)/.test(source.slice(start, start + 2))
  const read: Page = {
    source,
    inline: createInline(page, source),
    headings: new Map(page.headings.map((heading) => [heading.start, heading])),
    code: new Map(page.code.filter(isBlock).map(({ start, end }) => [start, end])),
    links: page.links.toSorted((a, b) => a.start - b.start),
  }
  return parent('root', blocks(read, splitLines(source), 0))
}

function blocks(page: Page, lines: readonly RstLine[], depth: number): TreeNode[] {
  const nodes: TreeNode[] = []
  const base = leastColumn(lines)
  if (depth > maxDepth) return lines.map((line) => parent('paragraph', page.inline(line)))
  for (let at = 0; at < lines.length;)
    at = (lines[at] as RstLine).text === '' ? at + 1 : addBlock(page, nodes, { lines, at, base, depth })
  return nodes
}

/** Returns where the next block begins. */
function addBlock(page: Page, nodes: TreeNode[], place: At): number {
  const { lines, at, base, depth } = place
  const line = lines[at] as RstLine
  const inner = (from: readonly RstLine[]) => blocks(page, from, depth + 1)
  const heading = page.headings.get(line.start)
  if (heading) {
    nodes.push(parent('heading', [text(heading.text)], { depth: Math.min(6, heading.depth) }))
    return lineAfter(lines, at, heading.end)
  }
  const codeEnd = page.code.get(line.start)
  if (codeEnd !== undefined) {
    const start = page.source.lastIndexOf('\n', line.start - 1) + 1
    nodes.push(codeBlock(page.source.slice(start, codeEnd)))
    return lineAfter(lines, at, codeEnd)
  }
  if (line.column > base) {
    const end = endOfIndented(lines, at, base + 1)
    nodes.push(parent('blockquote', inner(lines.slice(at, end))))
    return end
  }
  if (gridLine.test(line.text) || simpleLine.test(line.text)) return addTable(page, nodes, place)
  if (/^\.\.(?:\s|$)/.test(line.text)) return addExplicit(page, nodes, place)
  const mark = bullet.exec(line.text) ?? enumerator.exec(line.text)
  if (mark) {
    const first = restOf(line, mark[0].length)
    const column = first.text === '' ? base + 1 : first.column
    const end = endOfIndented(lines, at + 1, column)
    addItem(nodes, listItem(inner([first, ...lines.slice(at + 1, end)])), !bullet.test(line.text))
    return end
  }
  return addText(page, nodes, place)
}

function addText(page: Page, nodes: TreeNode[], { lines, at, base, depth }: At): number {
  const line = lines[at] as RstLine
  const field = fieldMarker.exec(line.text)
  const next = lines[at + 1]
  const isTerm = next !== undefined && next.text !== '' && next.column > base
  if (field || isTerm) {
    const end = endOfIndented(lines, at + 1, base + 1)
    const rest = field ? page.inline(restOf(line, field[0].length)) : []
    const words = field ? [text(`${field[1] ?? ''}: `)] : page.inline(line)
    nodes.push(parent('paragraph', [parent('strong', words), ...rest]))
    const body = blocks(page, lines.slice(at + 1, end), depth + 1)
    if (body.length > 0) nodes.push(parent('blockquote', body))
    return Math.max(end, at + 1)
  }
  if (/^([!-/:-@[-`{-~])\1{3,}$/.test(line.text)) {
    nodes.push({ type: 'thematicBreak' })
    return at + 1
  }
  let end = at
  while (end < lines.length && lines[end]?.text !== '' && lines[end]?.column === base) end += 1
  const isLines = /^\|\s/.test(line.text)
  const shown = lines.slice(at, end)
  // The colons before code; one of them is shown after a word.
  const cut = /(\s|^)::$|::$/.exec(shown.at(-1)?.text ?? '')
  const hidden = cut ? (cut[1] === undefined ? 1 : 2) : 0
  const words = isLines
    ? shown.flatMap((one) => [...page.inline(restOf(one, 1)), { type: 'break' }])
    : page.inline({ start: line.start, end: (shown.at(-1)?.end ?? line.end) - hidden })
  if (words.length > 0) nodes.push(parent('paragraph', words))
  return end
}

function addTable({ source }: Page, nodes: TreeNode[], { lines, at }: At): number {
  const isGrid = (lines[at] as RstLine).text.startsWith('+')
  let end = at + 1
  while (end < lines.length) {
    const { text: written } = lines[end] as RstLine
    if (isGrid ? !/^[+|]/.test(written) : written === '' && simpleLine.test(lines[end - 1]?.text ?? '')) break
    end += 1
  }
  const start = source.lastIndexOf('\n', (lines[at] as RstLine).start - 1) + 1
  nodes.push(codeBlock(source.slice(start, lines[end - 1]?.end)))
  return end
}

/** Directives and footnotes; targets, comments and definitions are not shown. */
function addExplicit(page: Page, nodes: TreeNode[], { lines, at, base, depth }: At): number {
  const line = lines[at] as RstLine
  const end = endOfIndented(lines, at + 1, base + 1)
  const note = footnote.exec(line.text)
  const found = directiveMark.exec(line.text)
  const rest = lines.slice(at + 1, end)
  if (note) {
    const body = alignFirst([restOf(line, note[0].length), ...rest])
    nodes.push(parent('paragraph', [text(`[${note[1] ?? ''}]`)]), ...blocks(page, body, depth + 1))
  } else if (found)
    nodes.push(...directive(page, { name: found[1] ?? '', first: restOf(line, found[0].length), line, rest, depth }))
  return Math.max(end, at + 1)
}

type Directive = {
  readonly name: string
  readonly first: RstLine
  readonly line: RstLine
  readonly rest: readonly RstLine[]
  readonly depth: number
}

function directive(page: Page, { name, first, line, rest, depth }: Directive): TreeNode[] {
  const kind = kindOfDirective(name.toLowerCase())
  if (notShown.test(name)) return []
  const bodyAt = optionsEnd(rest)
  const options = rest.slice(0, bodyAt)
  const body = rest.slice(bodyAt)
  const caption = options.flatMap((option) =>
    option.text.startsWith(':caption:') ? [parent('paragraph', page.inline(restOf(option, 9)))] : [],
  )
  const end = rest.at(-1)?.end ?? first.end
  const own = () => {
    const first = firstFrom(page.links, line.start + 1)
    return page.links.slice(first, firstFrom(page.links, end + 1))
  }
  const image = kind.argument === 'path' ? own().find((one) => one.kind === 'image') : undefined
  if (image) {
    const alt = image.label ? page.source.slice(image.label.start, image.label.end) : ''
    return [parent('paragraph', [{ type: 'image', url: image.url, alt }]), ...blocks(page, body, depth + 1)]
  }
  if (kind.body === 'toctree') {
    const items = own().map((link) => listItem([parent('paragraph', page.inline(link.whole))]))
    return [box(name, [...caption, parent('list', items, { ordered: false, spread: false })])]
  }
  if (kind.body === 'code' || kind.body === 'values') {
    const filled = body.find((one) => one.text !== '')
    const start = filled ? page.source.lastIndexOf('\n', filled.start - 1) + 1 : end
    return [...caption, codeBlock(page.source.slice(start, end), /^[\w+-]{1,40}$/.exec(first.text)?.[0])]
  }
  if (kind.argument === 'none') return [box(name, blocks(page, alignFirst([first, ...body]), depth + 1))]
  return [box(name, [...caption, ...blocks(page, body, depth + 1)], first.text)]
}

/** How many of the first lines are options, and parts of the argument. */
function optionsEnd(lines: readonly RstLine[]): number {
  const blank = lines.findIndex(({ text: written }) => written === '')
  const head = blank === -1 ? lines : lines.slice(0, blank)
  const last = head.findLastIndex(({ text: written }) => fieldMarker.test(written))
  return last === -1 ? 0 : head.length
}
