// Parses Markdown and MDX into pages with ranges. Evaluates nothing and never throws: MDX that does not parse is parsed as
// Markdown, and if that fails too, it is read line by line.

import { createRequire } from 'node:module'
import { isAsciidocPath, readAsciidoc } from './asciidoc/asciidoc.ts'
import { readCommonMark, readPlainMdx } from './commonmark/commonmark.ts'
import { readByLines } from './lines.ts'
import { type MarkdownPage, type PageProblem, createDraft, finishDraft } from './page.ts'
import { isTooMuch } from './remark/limits.ts'
import type * as Remark from './remark/remark.ts'
import { readRst } from './rst/rst.ts'
import { type SyntaxNode, collectPage } from './syntax.ts'

/** Even lines are not read beyond this: a page for people is never that long. */
const maxCharactersByLines = 2_000_000

/** Whether a file with this name is a page. */
export function isPagePath(path: string): boolean {
  return isAsciidocPath(path) || /\.(?:mdx?|markdown|rst)$/i.test(path)
}

/**
 * Parses `text`: as MDX if the name ends in `.mdx`, as reStructuredText or AsciiDoc if it ends in `.rst` or `.adoc`.
 * `text` must not start with a byte order mark; decoders remove it. Takes about 0.1 ms per kilobyte of Markdown, and 2 ms per
 * kilobyte of MDX with JSX or expressions.
 */
export function parsePage(path: string, text: string): MarkdownPage {
  if (text.length > maxCharactersByLines) return finishDraft(createDraft(text), 'lines', tooLarge)
  if (/\.rst$/i.test(path)) return readRst(text)
  if (isAsciidocPath(path)) return readAsciidoc(text)
  if (isTooMuch(text)) return finishDraft(readByLines(text), 'lines', tooLarge)
  const first = /\.mdx$/i.test(path) ? readMdx(text) : undefined
  const page = first && 'tree' in first ? collect(text, 'mdx', first.tree) : undefined
  const problem = first && 'problem' in first ? first.problem : undefined
  return (
    page ?? collect(text, 'markdown', readCommonMark(text), problem) ?? finishDraft(readByLines(text), 'lines', tooDeep)
  )
}

/** The problem of a page that is correct as far as anybody knows. */
export const tooLarge: PageProblem = { message: 'The page is too large to parse.', line: 1, column: 1 }
const tooDeep: PageProblem = { message: 'The page is nested too deeply to parse.', line: 1, column: 1 }

/** Loads remark for the first page that needs it: it takes 20 MB, and as long as 150 pages. */
function readMdx(text: string): ReturnType<typeof Remark.parseMdx> {
  const tree = readPlainMdx(text)
  if (tree) return { tree }
  const remark = createRequire(import.meta.url)('./remark/remark.ts') as typeof Remark
  return remark.parseMdx(text)
}

/** Undefined: the tree is too deep for the stack. */
function collect(text: string, syntax: 'mdx' | 'markdown', tree: SyntaxNode, problem?: PageProblem) {
  const draft = { ...createDraft(text), isLoose: syntax === 'markdown' }
  try {
    collectPage(tree, draft)
  } catch {
    return undefined
  }
  return finishDraft(draft, syntax, problem)
}
