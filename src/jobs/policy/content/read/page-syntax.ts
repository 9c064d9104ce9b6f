// Parses a page to find what is certainly code that readers see, and in MDX what runs when the site is built. Runs in a
// thread: `threads.ts`. Where generators disagree, or the page does not parse, text counts as content and not as code.

import { parseTree } from '../../../../docs-syntax/remark/remark.ts'
import type { SyntaxNode } from '../../../../docs-syntax/syntax.ts'
import { type Range, toBlank } from '../../../../docs-syntax/text.ts'
import { isData } from '../html/expressions.ts'
import { type Sign, squash } from '../sign.ts'
import { startOf } from '../../../../lib/plain-text.ts'
import { useOfFence } from './fences.ts'
import type { Dialect } from './kinds.ts'
import { createShownCode, type ShownCode } from './shown-code.ts'

export type PageText = {
  readonly path: string
  readonly text: string
  readonly isMdx: boolean
  readonly dialects: readonly Dialect[]
}

export type PageSyntax = {
  /** Code blocks and code spans. */
  readonly code: readonly Range[]
  /** Code of MDX that runs. */
  readonly signs: readonly Sign[]
}

/** The result for a page beyond the limits of the parser: all of its text is content. */
export function withoutSyntax({ text, isMdx }: Pick<PageText, 'text' | 'isMdx'>): PageSyntax {
  return { code: [], signs: isMdx ? readLoosely(text) : [] }
}

/** May throw for a page that is nested too deep. */
export function parsePageSyntax({ path, text, isMdx, dialects }: PageText): PageSyntax {
  const isMdxFile = /\.mdx$/i.test(path)
  const mdx = () => withoutHeadingIds(isMdxFile ? text : withoutComments(text))
  const parsed = isMdx ? parseTree('page.mdx', mdx()) : parseTree('page.md', text)
  const found: Found = { text, shown: createShownCode(text, dialects), code: [], signs: [] }
  const isRead = parsed !== undefined && (!isMdx || parsed.syntax === 'mdx')
  // A `.mdx` page that does not parse is no page. A `.md` page may be one of plain Markdown.
  if (parsed && (isRead || !isMdxFile)) collect(parsed.tree as SyntaxNode, found)
  const { code, signs } = found
  return { code, signs: isRead || !isMdx ? signs : [...signs, ...readLoosely(text)] }
}

/** Lists all that may run in a page that does not parse as MDX: every statement and every pair of braces. */
function readLoosely(text: string): readonly Sign[] {
  const loose = withoutHeadingIds(text).matchAll(/^(?:import|export)\b.{0,500}|\{[^{}]{0,500}\}/gm)
  const found = Array.from(loose, ({ 0: written, index }): Sign => {
    return { kind: 'code', key: `loose ${squash(written)}`, what: 'an expression or statement', start: index }
  })
  return [{ kind: 'code', key: 'unread', what: 'text that does not parse as MDX', start: 0 }, ...found]
}

/** Docusaurus reads `# Title {#id}` before it parses MDX. Every position stays. */
function withoutHeadingIds(text: string): string {
  return text.replaceAll(
    /^(#{1,6}[ \t][^\r\n{]*(?:\{[^{}\r\n]*\}[^\r\n{]*)*)(\{#[\w-]+\})(?=[ \t]*$)/gm,
    (_, title: string, id: string) => {
      return title + ' '.repeat(id.length)
    },
  )
}

/** Docusaurus removes comments before it parses MDX. Every position stays. */
function withoutComments(text: string): string {
  return text.replace(/<!--[^]*?-->/g, toBlank)
}

type Found = {
  readonly text: string
  readonly shown: ShownCode
  readonly code: Range[]
  readonly signs: Sign[]
}

function collect(node: SyntaxNode, found: Found): void {
  const { text } = found
  const range = rangeOf(node)
  if (node.type === 'inlineCode') {
    if (found.shown.isSpan(range)) found.code.push(range)
  } else if (node.type === 'code') readBlock(node, found)
  else if (node.type === 'mdxjsEsm') found.signs.push(...readModule(node, text))
  else if (node.type === 'mdxFlowExpression' || node.type === 'mdxTextExpression') {
    if (!isData(node.data?.estree)) found.signs.push(expression(text, range))
  } else for (const attribute of node.attributes ?? []) found.signs.push(...readAttribute(attribute, text))
  for (const child of node.children ?? []) collect(child, found)
}

/** A block that the generator renders is content. */
function readBlock(node: SyntaxNode, { text, shown, code, signs }: Found): void {
  const range = rangeOf(node)
  const block = text.slice(range.start, range.end)
  const use = useOfFence(/^(?:`{3,}|~{3,})([^\r\n]*)/.exec(block)?.[1] ?? '')
  if (use === 'shows' && shown.isBlock(range)) code.push(range)
  if (use !== 'runs') return
  const what = 'a code block that the generator runs'
  signs.push({ kind: 'code', key: `runs ${squash(block)}`, what, start: range.start })
}

function readAttribute(attribute: SyntaxNode, text: string): Sign[] {
  if (attribute.type === 'mdxJsxExpressionAttribute') return [expression(text, rangeOf(attribute))]
  const value = attribute.value as SyntaxNode | string | null | undefined
  if (typeof value !== 'object' || value === null || isData(value.data?.estree)) return []
  return [expression(text, rangeOf(attribute))]
}

function expression(text: string, { start, end }: Range): Sign {
  return { kind: 'code', key: `expression ${squash(text.slice(start, end))}`, what: 'an expression', start }
}

type Statement = {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly source?: { readonly value?: unknown } | null
}

function readModule(node: SyntaxNode, text: string): Sign[] {
  const { body = [] } = (node.data?.estree ?? {}) as { readonly body?: readonly Statement[] }
  return body.map((statement): Sign => {
    const { start, end } = statement
    const key = squash(text.slice(start, end))
    const url = statement.source?.value
    if (statement.type === 'ImportDeclaration' && typeof url === 'string') {
      return {
        kind: 'import',
        key: `import ${key}`,
        what: `an \`import\` of \`${startOf(squash(url).replaceAll('`', "'"), 100)}\``,
        start,
        url,
      }
    }
    return { kind: 'code', key: `module ${key}`, what: 'an `export`', start }
  })
}

function rangeOf({ position }: SyntaxNode): Range {
  return { start: position?.start.offset ?? 0, end: position?.end.offset ?? 0 }
}
