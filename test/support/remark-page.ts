// A page as remark reads it, to compare `parsePage` with: remark is the measure of the CommonMark reader.

import { createDraft, finishDraft, type MarkdownPage } from '../../src/docs-syntax/page.ts'
import { parseTree } from '../../src/docs-syntax/remark/remark.ts'
import type { Range } from '../../src/docs-syntax/text.ts'
import { collectPage, type SyntaxNode } from '../../src/docs-syntax/syntax.ts'

export type Compared = {
  readonly page: MarkdownPage
  /** Why the reader may differ; docs/decisions/0023-an-own-reader-of-commonmark.md explains each. */
  readonly known:
    | 'bare address'
    | 'open frontmatter'
    | 'heading after definitions'
    | 'box below a bullet'
    | 'tag as the head of a table'
    | undefined
}

const box =
  /(?:^|\]:|[\r\n> \t])(?:[*+-]|\d+[.)])[ \t]*[\r\n](?:[ \t>]*\[[^\r\n]*\]:[^\r\n]*[\r\n]+)*[ \t>]*\[[ \txX]\]/
const taggedHead = /(?:^|\]:|[\r\n> \t])<[^\r\n]*[\r\n]+[ \t>]*(?=[^\r\n]*[|:])\|?[ \t]*:?-/

/** Undefined: remark does not read the page, or reads MDX as Markdown. */
export function readWithRemark(path: string, text: string): Compared | undefined {
  const parsed = parseTree(path, text)
  if (!parsed || (path.endsWith('.mdx') && parsed.syntax !== 'mdx')) return undefined
  const tree = parsed.tree as SyntaxNode
  const draft = { ...createDraft(text), isLoose: parsed.syntax === 'markdown' }
  collectPage(tree, draft)
  return { page: finishDraft(draft, parsed.syntax), known: knownDifference(tree, text) }
}

function knownDifference(tree: SyntaxNode, text: string): Compared['known'] {
  if (!isPlaced(tree)) return 'bare address'
  const isOpen = /^(?:---|\+\+\+)[ \t]*[\r\n]/.test(text) && !/^(?:yaml|toml)$/.test(tree.children?.[0]?.type ?? '')
  if (isOpen) return 'open frontmatter'
  if (hasLateHeading(tree, text)) return 'heading after definitions'
  if (box.test(text)) return 'box below a bullet'
  return taggedHead.test(text) ? 'tag as the head of a table' : undefined
}

/** Remark finds some addresses after it has made the tree, and their nodes have no place. */
function isPlaced({ type, position, children = [] }: SyntaxNode): boolean {
  return position !== undefined && (type === 'link' || children.every((child) => isPlaced(child)))
}

function hasLateHeading({ type, position, children = [] }: SyntaxNode, text: string): boolean {
  if (type !== 'heading') return children.some((child) => hasLateHeading(child, text))
  const [start, end] = [position?.start.offset ?? 0, position?.end.offset ?? 0]
  return text[start] === '[' && /\]:/.test(text.slice(start, end))
}

/** The parts that can be compared: the strings of frontmatter are read when they are asked for, and the edges of a text, and a text of spaces, have no words. */
export function toComparable(page: MarkdownPage, text: string): unknown {
  const prose = page.prose.map((one) => ({ ...one, ...trim(text, one) })).filter(({ start, end }) => start < end)
  const frontmatter = page.frontmatter && { ...page.frontmatter, strings: [] }
  const code = page.code.map((one) => ({ ...one, end: trim(text, one).end }))
  return { ...page, prose, code, frontmatter }
}

/** Where remark looks ahead beyond a line and goes back, the marks of a quote before the next line count as text. */
function trim(text: string, { start, end }: Range): Range {
  const written = text.slice(start, end)
  return { start: start + written.search(/[^\s>]|$/), end: start + written.replace(/[\s>]+$/, '').length }
}
