// Reads a page of Markdown, as CommonMark and GFM define it, with frontmatter and footnotes, into the parts of the tree of
// remark that `collectPage` uses. Twenty times as fast as remark, which stays the measure: the test and bench/facts.ts compare
// their pages. Takes linear time, and throws nothing.

import type { SyntaxNode } from '../syntax.ts'
import { readBlocks } from './blocks/blocks.ts'
import { readInlines } from './inlines/inlines.ts'

/** The tree of a page of Markdown. */
export function readCommonMark(source: string): SyntaxNode {
  return readTree(source, false) ?? { type: 'root', children: [] }
}

/** The tree of a page of MDX. Undefined: it has JSX, expressions or modules, which this does not read. */
export function readPlainMdx(source: string): SyntaxNode | undefined {
  return readTree(source, true)
}

function readTree(source: string, isMdx: boolean): SyntaxNode | undefined {
  const page = readBlocks(source.replaceAll('\0', '\uFFFD'), isMdx)
  if (page.hasJsx) return undefined
  for (const { content, from, children } of page.texts) {
    const nodes = readInlines(content, from, page)
    if (!nodes) return undefined
    children.push(...nodes)
  }
  return { type: 'root', children: page.root }
}
