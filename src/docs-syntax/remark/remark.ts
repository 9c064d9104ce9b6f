// Parses Markdown and MDX with remark. The only file that uses unified and remark. Evaluates nothing and never throws: MDX
// that does not parse is parsed as Markdown.

import remarkFrontmatter from 'remark-frontmatter'
import remarkGfm from 'remark-gfm'
import remarkMdx from 'remark-mdx'
import remarkParse from 'remark-parse'
import { unified } from 'unified'
import type { PageProblem } from '../page.ts'
import type { SyntaxNode } from '../syntax.ts'
import { isTooMuch } from './limits.ts'

const markdown = unified().use(remarkParse).use(remarkGfm).use(remarkFrontmatter, ['yaml', 'toml']).freeze()
const mdx = unified().use(remarkParse).use(remarkGfm).use(remarkFrontmatter, ['yaml', 'toml']).use(remarkMdx).freeze()

/** The syntax tree of a page, and what it was parsed as. */
export type PageTree = { readonly syntax: 'mdx' | 'markdown'; readonly tree: ReturnType<typeof markdown.parse> }

/**
 * Parses `text` into a syntax tree, by the same rules and limits as `parsePage`; undefined when the page is too large or
 * does not parse.
 */
export function parseTree(path: string, text: string): PageTree | undefined {
  if (isTooMuch(text)) return undefined
  const syntaxes = /\.mdx$/i.test(path) ? (['mdx', 'markdown'] as const) : (['markdown'] as const)
  for (const syntax of syntaxes) {
    try {
      return { syntax, tree: (syntax === 'mdx' ? mdx : markdown).parse(text) }
    } catch {
      // Markdown is more tolerant than MDX.
    }
  }
  return undefined
}

/** Parses MDX, whatever its size. */
export function parseMdx(text: string): { readonly tree: SyntaxNode } | { readonly problem: PageProblem } {
  try {
    return { tree: mdx.parse(text) as SyntaxNode }
  } catch (error) {
    return { problem: toProblem(error) }
  }
}

function toProblem(error: unknown): PageProblem {
  const { reason, message, place } = error as { [name in 'reason' | 'message' | 'place']?: unknown }
  const point = ((place as { start?: unknown } | undefined)?.start ?? place ?? {}) as { line?: number; column?: number }
  const words = String(reason ?? message ?? error)
  // For a tag that is not closed before the end, the parser tells the place in its words alone.
  const [, line = 1, column = 1] = / \((\d+):(\d+)(?:-\d+:\d+)?\)$/.exec(words) ?? []
  return { message: words, line: point.line ?? Number(line), column: point.column ?? Number(column) }
}
