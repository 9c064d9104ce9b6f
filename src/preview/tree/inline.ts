// The inside of a paragraph of reStructuredText or AsciiDoc: what its reader found there (text, code, links, images), in
// order. What no range has is shown as it is, without its marks, so nothing that readers see is lost.

import type { MarkdownPage, PageLink } from '../../docs-syntax/page.ts'
import type { Range } from '../../docs-syntax/text.ts'
import { firstFrom, parent, text, type TreeNode } from './nodes.ts'

export type Inline = (range: Range) => TreeNode[]
type Part = Range & { readonly nodes: () => TreeNode[] }

const notShown = new Set<PageLink['kind']>(['definition', 'include'])
/** A role whose text is a name. */
const named = /:[\w.+:-]{1,100}:`([^`]{0,500})`/g
/** Marks and anchors, which readers don't see. */
const rstMarks = /:[\w.+:-]{1,100}:(?=`)|[*`|]|_{1,2}(?!\w)/g
const asciidocMarks =
  /\[\[[^\]\n]{0,200}\]\]|\(\(\([^)\n]{0,200}\)\)\)|\[[.#%][^\]\n]{0,200}\]|\b(?:footnote|pass|stem|menu|btn|kbd|anchor|indexterm2?):[^[\s]{0,100}\[|\(\(|\)\)|[*_`#+^~\]]/g

export function createInline(page: MarkdownPage, source: string): Inline {
  const isRst = page.syntax === 'rst'
  const parts = partsOf(page, source).toSorted((a, b) => a.start - b.start || b.end - a.end)
  const marks = isRst ? rstMarks : asciidocMarks
  const between = (start: number, end: number) => (start < end ? plain(source.slice(start, end), marks) : [])
  return ({ start, end }) => {
    const nodes: TreeNode[] = []
    let position = start
    for (let at = firstFrom(parts, start); at < parts.length; at += 1) {
      const part = parts[at] as Part
      if (part.start >= end) break
      if (part.start < position || part.end > end) continue
      nodes.push(...between(position, part.start), ...part.nodes())
      position = part.end
    }
    return [...nodes, ...between(position, end)]
  }
}

function partsOf(page: MarkdownPage, source: string): Part[] {
  const shown = page.links.filter(({ kind }) => !notShown.has(kind))
  const words = (range: Range) => clean(page, source.slice(range.start, range.end))
  return [
    ...shown.map((link) => ({ ...link.whole, nodes: () => [linkNode(link, words(link.label ?? link))] })),
    ...page.references.map(({ start, end, label }) => ({
      start,
      end,
      nodes: () => [parent('link', [text(words(label))], { url: '' })],
    })),
    ...page.code.map(({ start, end }) => ({ start, end, nodes: () => [codeNode(source.slice(start, end))] })),
    ...page.prose.map((range) => ({
      start: range.start,
      end: range.end,
      nodes: () => [formatted(page, source, range, text(words(range)))],
    })),
  ]
}

function linkNode({ kind, url }: PageLink, words: string): TreeNode {
  if (kind === 'image') return { type: 'image', url, alt: words === url ? '' : words }
  return parent('link', [text(words)], { url })
}

function codeNode(written: string): TreeNode {
  const value = /^(?::[\w.+:-]+:)?(`{1,2}|\+|`\+)?([^]*?)\+?\1$/.exec(written)?.[2] ?? written
  return { type: 'inlineCode', value: value.replace(/^[`+]+|[`+]+$/g, '') }
}

/** Emphasis by the marks around a text. */
function formatted({ syntax }: MarkdownPage, source: string, { start, end }: Range, node: TreeNode): TreeNode {
  const has = (mark: string) => source.endsWith(mark, start) && source.startsWith(mark, end)
  const around = (mark: string) => source.slice(start - mark.length, start) === mark && has(mark)
  if (around('**') || (syntax === 'asciidoc' && around('*'))) return parent('strong', [node])
  return around(syntax === 'rst' ? '*' : '_') ? parent('emphasis', [node]) : node
}

function clean({ syntax }: MarkdownPage, written: string): string {
  return syntax === 'rst' ? written.replace(/\\\s?(?=(.?))/g, '') : written
}

function plain(written: string, marks: RegExp): TreeNode[] {
  const nodes: TreeNode[] = []
  let position = 0
  const add = (to: number) => {
    const words = written.slice(position, to).replace(marks, '')
    if (words !== '') nodes.push(text(words))
  }
  for (const found of written.matchAll(named)) {
    add(found.index)
    nodes.push({ type: 'inlineCode', value: (found[1] ?? '').replace(/^[!~]/, '') })
    position = found.index + found[0].length
  }
  add(written.length)
  return nodes
}
