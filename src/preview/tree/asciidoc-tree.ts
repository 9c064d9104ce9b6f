// A page of AsciiDoc as a tree for a preview: titles, paragraphs, lists, code, images, notes. Tables are shown as written,
// and so are attributes. Inserts no file and evaluates no condition.

import { readAsciidoc } from '../../docs-syntax/asciidoc/asciidoc.ts'
import {
  admonition,
  attributeEntry,
  blockTitle,
  breakLine,
  conditional,
  delimiters,
  descriptionTerm,
  include,
  type Line,
  listItem as itemMark,
  mediaMacro,
  splitLines,
  startsBlock,
  startsListItem,
} from '../../docs-syntax/asciidoc/blocks/lines.ts'
import type { MarkdownPage } from '../../docs-syntax/page.ts'
import { createInline, type Inline } from './inline.ts'
import { addItem, box, codeBlock, lineAfter, listItem, parent, text, type TreeNode } from './nodes.ts'

type Page = {
  readonly source: string
  readonly lines: readonly Line[]
  readonly inline: Inline
  readonly headings: ReadonlyMap<number, MarkdownPage['headings'][number]>
  readonly code: ReadonlyMap<number, number>
  readonly root: TreeNode[]
  /** The open lists, with the mark of their items. */
  readonly lists: { readonly mark: string; readonly nodes: TreeNode[] }[]
  /** After `+`: the next block belongs to the last item. */
  isAttached: boolean
}

const maxLists = 30
const notes = /^\[(NOTE|TIP|IMPORTANT|WARNING|CAUTION)\b/

export function asciidocTree(source: string): TreeNode {
  const found = readAsciidoc(source)
  const isBlock = ({ start, end }: { start: number; end: number }) =>
    (start === 0 || source[start - 1] === '\n') && /^[ \t]*(?:[\r\n]|$)/.test(source.slice(end, end + 200))
  const page: Page = {
    source,
    lines: splitLines(source, { start: found.frontmatter?.end ?? 0, end: source.length }),
    inline: createInline(found, source),
    headings: new Map(found.headings.map((heading) => [heading.start, heading])),
    code: new Map(found.code.filter(isBlock).map(({ start, end }) => [start, end])),
    root: [],
    lists: [],
    isAttached: false,
  }
  const matter = found.frontmatter
  if (matter) page.root.push({ type: 'yaml', value: source.slice(matter.body.start, matter.body.end).trimEnd() })
  for (let at = 0; at < page.lines.length;) at = addBlock(page, at)
  return parent('root', page.root)
}

/** Where the next block goes: into the last item, or to the top. */
function place(page: Page): TreeNode[] {
  const item = page.isAttached ? page.lists.at(-1)?.nodes.at(-1)?.children?.at(-1)?.children : undefined
  page.isAttached = false
  if (item) return item
  page.lists.length = 0
  return page.root
}

/** Returns where the next block begins. */
function addBlock(page: Page, at: number): number {
  const { lines, source } = page
  const line = lines[at] as Line
  const heading = page.headings.get(line.start)
  if (heading) {
    place(page).push(parent('heading', [text(heading.text)], { depth: Math.min(6, heading.depth) }))
    return lineAfter(lines, at, heading.end)
  }
  const codeEnd = page.code.get(line.start)
  if (codeEnd !== undefined) {
    place(page).push(codeBlock(withoutBorders(source.slice(line.start, codeEnd))))
    return lineAfter(lines, at, codeEnd)
  }
  if (/^(?:\/{4,}|[|,:!]={3,})$/.test(line.text)) return addVerbatim(page, at)
  if (line.text === '+') {
    page.isAttached = true
    return at + 1
  }
  if (attributeEntry.test(line.text)) {
    let end = at
    while (end < lines.length && (attributeEntry.test(lines[end]?.text ?? '') || lines[end - 1]?.text.endsWith(' \\')))
      end += 1
    place(page).push({ type: 'yaml', value: source.slice(line.start, lines[end - 1]?.end) })
    return end
  }
  return addLine(page, at) ?? addParagraph(page, at)
}

function withoutBorders(written: string): string {
  const [first = '', ...rest] = written.split(/\r?\n/)
  if (!delimiters.test(first.trimEnd())) return written
  return rest.slice(0, rest.at(-1)?.trim() === first.trim() ? -1 : undefined).join('\n')
}

/** A comment is left out, a table is shown as it is. */
function addVerbatim(page: Page, at: number): number {
  const { lines, source } = page
  const line = lines[at] as Line
  let end = Math.min(at + 1, lines.length - 1)
  while (end < lines.length - 1 && lines[end]?.text !== line.text) end += 1
  if (!line.text.startsWith('/')) place(page).push(codeBlock(source.slice(line.start, lines[end]?.end)))
  return end + 1
}

/** A block of one line; undefined for a paragraph. */
function addLine(page: Page, at: number): number | undefined {
  const line = page.lines[at] as Line
  const { text: written } = line
  const inserted = include.exec(written)
  const title = blockTitle.exec(written)
  const isNote = notes.exec(written)
  if (breakLine.test(written)) place(page).push({ type: 'thematicBreak' })
  else if (inserted) place(page).push(box('include', [], inserted[2]))
  else if (mediaMacro.test(written)) place(page).push(parent('paragraph', page.inline(line)))
  else if (isNote) place(page).push(parent('paragraph', [parent('strong', [text(isNote[1] ?? '')])]))
  else if (written === '' || /^\/\/(?!\/)/.test(written) || conditional.test(written) || startsBlock(written))
    return at + 1
  else if (title)
    place(page).push(parent('paragraph', [parent('strong', page.inline({ start: line.start + 1, end: line.end }))]))
  else return undefined
  return at + 1
}

function addParagraph(page: Page, at: number): number {
  const { lines } = page
  const line = lines[at] as Line
  const item = itemMark.exec(line.text)
  const lead = (item ?? admonition.exec(line.text) ?? /^> ?/.exec(line.text))?.[0].length ?? 0
  const term = item ? null : descriptionTerm.exec(line.text)
  let end = at + 1
  while (end < lines.length && continues(page, lines[end] as Line)) end += 1
  const range = { start: line.start + lead, end: lines[end - 1]?.end ?? line.end }
  if (term) {
    const split = line.start + term[0].length
    const start = line.start + line.text.search(/\S/)
    const name = parent('strong', page.inline({ start, end: start + (term[1] ?? '').length }))
    place(page).push(parent('paragraph', [name, text(' '), ...page.inline({ start: split, end: range.end })]))
    return end
  }
  const label = /^[A-Z]+(?=:)/.exec(line.text.slice(0, lead))?.[0]
  const words = [...(label ? [parent('strong', [text(`${label}: `)])] : []), ...page.inline(range)]
  if (item) addToList(page, item[1] ?? '', listItem([parent('paragraph', words)]))
  else if (words.length > 0) place(page).push(parent('paragraph', words))
  return end
}

function continues({ headings, code }: Page, { start, text: written }: Line): boolean {
  const isOther = headings.has(start) || code.has(start) || startsBlock(written) || startsListItem(written)
  const isLine = written === '' || written === '+' || include.test(written) || conditional.test(written)
  return !isOther && !isLine && !/^\/\/(?!\/)/.test(written)
}

/** A mark that is open continues its list; another one begins a list in the last item. */
function addToList(page: Page, mark: string, item: TreeNode): void {
  const { lists, root } = page
  page.isAttached = false
  const kind = /^\d+\.$/.test(mark) ? '1.' : /^<.*>$/.test(mark) ? '<1>' : mark
  const open = lists.findIndex((one) => one.mark === kind)
  if (open !== -1) lists.length = open + 1
  const inside = lists.at(-1)?.nodes.at(-1)?.children?.at(-1)?.children
  const nodes = open === -1 ? ((lists.length < maxLists ? inside : undefined) ?? root) : (lists[open]?.nodes ?? root)
  if (open === -1) lists.push({ mark: kind, nodes })
  addItem(nodes, item, !/^[-*\u2022]/.test(mark))
}
