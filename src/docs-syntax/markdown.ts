// Parses Markdown and MDX into pages with ranges. The only file that uses unified and remark. Evaluates nothing and never
// throws: MDX that does not parse is parsed as Markdown, and if that fails too, it is read line by line.

import remarkFrontmatter from 'remark-frontmatter'
import remarkGfm from 'remark-gfm'
import remarkMdx from 'remark-mdx'
import remarkParse from 'remark-parse'
import { unified } from 'unified'
import { isAsciidocPath, readAsciidoc } from './asciidoc/asciidoc.ts'
import { readByLines } from './lines.ts'
import { type MarkdownPage, type PageDraft, type PageProblem, createDraft, finishDraft } from './page.ts'
import { readRst } from './rst/rst.ts'
import { type SyntaxNode, collectPage } from './syntax.ts'

/**
 * A page beyond one of these limits is read line by line, because the parsers take more than linear time in a block.
 * Measured: 20,000 characters of `1. ` in one line take 8 s, of `_*` 3 s, and 300,000 of plain words in a paragraph 6 s.
 * Marks are characters that can open or close a construct inside a block. The squares of the marks and lines of all blocks
 * together are limited too: a hostile page at the limits takes about a second, and so does the longest page of usual text.
 */
const maxCharacters = 250_000
const maxLine = 20_000
const maxLines = 5000
const maxBlock = 40_000
const maxMarks = 20_000
const maxSquares = 2500 ** 2
/** Even lines are not read beyond this: a page for people is never that long. */
const maxCharactersByLines = 2_000_000
const marks = /[*_~[\]<`{]/g
const deepNesting = /^(?:[ \t]*(?:>|[-*+][ \t]|\d{1,9}[.)][ \t])){12}/

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

/** Whether a file with this name is a page. */
export function isPagePath(path: string): boolean {
  return isAsciidocPath(path) || /\.(?:mdx?|markdown|rst)$/i.test(path)
}

/**
 * Parses `text`: as MDX if the name ends in `.mdx`, as reStructuredText or AsciiDoc if it ends in `.rst` or `.adoc`.
 * `text` must not start with a byte order mark; decoders remove it. Takes
 * about 4 ms per kilobyte of MDX.
 */
export function parsePage(path: string, text: string): MarkdownPage {
  if (text.length > maxCharactersByLines) return finishDraft(createDraft(text), 'lines', tooLarge)
  if (/\.rst$/i.test(path)) return readRst(text)
  if (isAsciidocPath(path)) return readAsciidoc(text)
  if (isTooMuch(text)) return finishDraft(readByLines(text), 'lines', tooLarge)
  const isMdx = /\.mdx$/i.test(path)
  const first = isMdx ? tryParse('mdx', createDraft(text)) : undefined
  if (first && 'draft' in first) return finishDraft(first.draft, 'mdx')
  const second = tryParse('markdown', { ...createDraft(text), isLoose: true })
  if ('draft' in second) return finishDraft(second.draft, 'markdown', first?.problem)
  return finishDraft(readByLines(text), 'lines', first?.problem ?? second.problem)
}

/** The problem of a page that is correct as far as anybody knows. */
export const tooLarge: PageProblem = { message: 'The page is too large to parse.', line: 1, column: 1 }

function isTooMuch(text: string): boolean {
  if (text.length > maxCharacters) return true
  const lines = text.split(/\r\n|\r|\n/)
  if (lines.length > maxLines) return true
  let block = { characters: 0, weight: 0 }
  const total = { marks: 0, squares: 0 }
  for (const line of lines) {
    if (line.length > maxLine || deepNesting.test(line)) return true
    const found = line.match(marks)?.length ?? 0
    const before = line.trim() === '' ? { characters: 0, weight: 0 } : block
    block = { characters: before.characters + line.length, weight: before.weight + found + 1 }
    total.marks += found
    total.squares += block.weight ** 2 - before.weight ** 2
    if (block.characters > maxBlock || total.marks > maxMarks || total.squares > maxSquares) return true
  }
  return false
}

function tryParse(syntax: 'mdx' | 'markdown', draft: PageDraft): { draft: PageDraft } | { problem: PageProblem } {
  try {
    collectPage((syntax === 'mdx' ? mdx : markdown).parse(draft.source) as SyntaxNode, draft)
    return { draft }
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
