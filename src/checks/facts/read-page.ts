// Reads the facts of a page. Hostile text is expected: everything here is bounded by the limits of the parser, and it runs
// in a thread with a deadline.

import { readShortcodePage } from '../../docs-syntax/shortcodes.ts'
import { liquidLinks } from '../../docs-syntax/liquid/liquid.ts'
import { parsePage, tooLarge } from '../../docs-syntax/markdown.ts'
import type { MarkdownPage, PageLink as ParsedLink, PageSyntax } from '../../docs-syntax/page.ts'
import { readMarkup } from '../../docs-syntax/html.ts'
import { inRanges, lineAt, type Range, toBlank } from '../../docs-syntax/text.ts'
import { readIncludes } from './includes.ts'
import { withoutUnusedDefinitions } from './used-definitions.ts'
import type { PageFacts, PageLink } from './page-facts.ts'
import { readAsciidocFacts } from './syntax/read-asciidoc.ts'
import { withShortcodes } from './syntax/read-shortcodes.ts'
import { findOpenFence } from './syntax/open-fence.ts'
import { firstSentence, readFrontmatter } from './syntax/read-frontmatter.ts'
import { readRstFacts } from './syntax/read-rst.ts'
import { createLineOf, type LineOf, maxAddress } from './syntax/source.ts'
import { readText } from './read-text.ts'
import { readPageTerms } from './terms/read-terms.ts'

/** Elements whose `href` or `to` is no link: styles, parts of a drawing, and another place of the page (Vue). */
const notLinks: ReadonlySet<string> = new Set(['link', 'base', 'use', 'image', 'Teleport'])
/** Components that put the address of a repository before theirs, such as `RepoLink`. */
const toSource = /^[A-Z]\w*(?:Repo|Git|Source)|^(?:Repo|Git|Source)/
/** The addresses of other sites. */
const elsewhere = /^\s*(?:[a-z][\w+.-]*:|\/\/)/i
const assetName = /\.(?:svg|png|jpe?g|gif|webp|avif|ico|mp4|webm|mp3|pdf|zip|csv)$/i
/** Attributes of Python-Markdown on any element: `{: #id }`, `{ #id .class }`. */
const inlineId = /\{:?[ \t]{0,20}(?:\/\*[ \t]{0,20})?#([^\s{}=#*]{1,200})[^{}\r\n]{0,200}\}/g
/** Jinja of MkDocs macros, and directives of mkdocstrings, which have no end: `::: package.module`. */
const generatedParts = /^(?:::: +\w+\.[\w.]+|\s*\{%)|\{\{(?!#)/m
/** A tab of pymdownx. */
const tab = /^[ \t]{0,40}={3}[!+]{0,2}[ \t]+"([^"\n]{1,200})"[ \t]*$/gm
/** Containers such as `::: tip` add no heading. */
const directiveStart = /^ {0,9}:{3,} *[\w{]/gm
const directiveEnd = /^ {0,9}:{3,}[ \t]*$/gm
/** A page of VitePress with components of its own. */
const ownComponents = /^<script\b[^>]*>(?=[^]{0,5000}?\bimport\b[^]{0,5000}?<\/script>)/m
/** An import of another page, in a page that is parsed as Markdown: its headings are not all known. */
const importedPages = /^import\b[^;"']{0,200}\bfrom\s+["'][^"'\n]{1,300}\.mdx?["']/m
/** Fields from which a page is generated. */
const generatedFields = ['openapi', 'openapi-schema', 'asyncapi'] as const

export function readPage(syntax: PageSyntax, source: string): PageFacts {
  if (syntax === 'asciidoc' || syntax === 'asciidoc-site') return readAsciidocFacts(syntax, source)
  if (syntax === 'rst' || syntax === 'myst') return readRstFacts(syntax, source)
  const isMarkdown = syntax === 'markdown' || syntax === 'kramdown' || syntax === 'shortcodes'
  const coded = syntax === 'shortcodes' ? readShortcodePage(source) : undefined
  const text = coded?.text ?? withoutOwnSyntax(syntax, source)
  const page = coded ?? parsePage(isMarkdown ? 'page.md' : 'page.mdx', text)
  const isInOwn = inRanges(syntax === 'kramdown' ? markdownElements(text) : [])
  const isOwnHtml = syntax === 'kramdown' && (hasOwnHtml(text) || page.headings.some(({ start }) => isInOwn(start)))
  const lineOf = createLineOf(text)
  const frontmatter = readFrontmatter(page, source, lineOf)
  const facts = toFacts(page, coded?.text ?? source, { syntax, isOwnHtml, isInOwn, frontmatter, lineOf })
  return coded ? withShortcodes(facts, coded, source, lineOf) : facts
}

function tabTitles({ headings }: MarkdownPage, source: string): string[] {
  if (!source.includes('===')) return []
  const starts = [0, ...headings.map(({ start }) => start)]
  const above = (position: number) => headings[lineAt(starts, position) - 2]?.text ?? ''
  return Array.from(source.matchAll(tab), ({ index, 1: title }) => `${above(index)}\n${title}`)
}

function withoutOwnSyntax(syntax: PageSyntax, source: string): string {
  if (syntax === 'mdx-comments') return withoutExtensions(source)
  return syntax === 'kramdown' ? endHtml(source) : source
}

type Reading = {
  readonly syntax: PageSyntax
  readonly isOwnHtml: boolean
  /** Whether it is in an element with `markdown="1"`. */
  readonly isInOwn: (position: number) => boolean
  readonly frontmatter: PageFacts['frontmatter']
  readonly lineOf: LineOf
}

function toFacts(page: MarkdownPage, source: string, reading: Reading): PageFacts {
  const { syntax, isOwnHtml, isInOwn, frontmatter, lineOf } = reading
  const isMarkdown = syntax === 'markdown' || syntax === 'kramdown'
  const problem = page.problem === tooLarge ? undefined : page.problem
  return {
    problem: problem ? { line: problem.line, message: withoutPlaces(firstSentence(problem.message)) } : null,
    openFence: isOwnHtml ? null : findOpenFence(page.code, source, lineOf),
    frontmatter,
    links: [...withoutUnusedDefinitions(page.links, source), ...liquidLinks(page, source)].flatMap((link) =>
      toLink(link, source, lineOf),
    ),
    includes: readIncludes({ source, code: page.code }, lineOf),
    headings: page.headings.map(({ start, end, text: plain }) => ({
      text: ownId(source.slice(start, end)) ?? (isInOwn(start) ? `${plain} {#${kramdownId(plain)}}` : plain),
      line: lineOf(start),
    })),
    ids: [
      ...page.ids,
      ...(source.includes('{') ? Array.from(source.matchAll(inlineId), (found) => found[1] ?? '') : []),
    ],
    titles: [
      ...page.prose.flatMap(({ kind, start, end }) => (kind === 'attribute' ? [source.slice(start, end)] : [])),
      ...tabTitles(page, source),
    ],
    rst: null,
    isOpen:
      page.problem === tooLarge ||
      isOwnHtml ||
      hasGeneratedParts(withoutCode(page, source)) ||
      (isMarkdown && (ownComponents.test(source) || importedPages.test(source))) ||
      generatedFields.some((name) => frontmatter?.names.includes(name)),
    text: readText(page, source),
    terms: readPageTerms(page, source, lineOf),
  }
}

function hasGeneratedParts(text: string): boolean {
  const count = (pattern: RegExp) => text.match(pattern)?.length ?? 0
  if (!text.includes(':::') && !/\{[{%]/.test(text)) return false
  return generatedParts.test(text) || count(directiveStart) > count(directiveEnd)
}

/** Code adds nothing to a page: `${{ secrets.TOKEN }}` of a workflow is no macro. */
function withoutCode({ code }: MarkdownPage, source: string): string {
  let text = ''
  let end = 0
  for (const range of code) {
    text += source.slice(end, range.start)
    end = Math.max(end, range.end)
  }
  return text + source.slice(end)
}

/** Blanks out what Docusaurus reads before MDX does; every position stays. Takes linear time for any text. */
function withoutExtensions(text: string): string {
  return withoutComments(text).replace(/^#{1,6} [^\r\n]*\}[ \t]*$/gm, (line) => {
    const start = line.lastIndexOf('{')
    const id = line.slice(start).trimEnd()
    const isId = id.startsWith('{#') && id.indexOf('}') === id.length - 1
    return isId ? line.slice(0, start) + toBlank(line.slice(start)) : line
  })
}

function withoutComments(text: string): string {
  const parts: string[] = []
  let position = 0
  for (let start = text.indexOf('<!--'); start !== -1; start = text.indexOf('<!--', position)) {
    const end = text.indexOf('-->', start + 4)
    if (end === -1) break
    parts.push(text.slice(position, start), toBlank(text.slice(start, end + 3)))
    position = end + 3
  }
  return parts.join('') + text.slice(position)
}

/** The text of a heading that ends in its own id: `Install {#install}`. */
function ownId(written: string): string | undefined {
  const [line = ''] = written.split(/\r\n|\r|\n/, 1)
  return /\{:?(?:[^{}]*\s)?(?:#|id=["']?)[\w.:-]+[^{}]*\}\s*$/.test(line) ? line : undefined
}

function toLink(link: ParsedLink, source: string, lineOf: LineOf): PageLink[] {
  const kind = kindOf(link, source)
  if (kind === undefined || link.url.length > maxAddress || elsewhere.test(link.url)) return []
  return [{ kind, url: link.url, line: lineOf(link.start) }]
}

/** Undefined: it may be an address, or any other text that begins with a slash. */
function kindOf(link: ParsedLink, source: string): PageLink['kind'] | undefined {
  switch (link.kind) {
    case 'image':
    case 'import':
      return link.kind
    case 'attribute': {
      const name = source.slice(link.whole.start, link.whole.end).split('=', 1)[0]?.trim()
      const element = link.element?.name ?? ''
      if (name === 'href' || name === 'to') return notLinks.has(element) || toSource.test(element) ? undefined : 'link'
      if (name === 'src' && toSource.test(element)) return undefined
      return name === 'src' || assetName.test(link.url.replace(/[?#].*$/, '')) ? 'image' : undefined
    }
    case 'expression':
    // Names of a generator's own, which are no addresses.
    case 'doc':
    case 'ref':
    case 'any':
    case 'file':
    case 'include':
      return undefined
    case 'link':
    case 'definition':
    case 'autolink':
    default:
      return 'link'
  }
}

/** Ends an element of HTML at its end tag, as kramdown does: its line is empty to CommonMark, at the same length. */
function endHtml(source: string): string {
  return source.replace(/^ {0,3}<\/[a-z][\w-]{0,50}>[ \t]{0,50}$(?=\r?\n[ \t]{0,50}\S)/gim, (line) =>
    ' '.repeat(line.length),
  )
}

/** The id that kramdown makes in an element, where the rule of GitHub does not count. */
function kramdownId(text: string): string {
  const id = text.replace(/^[^a-z]+/i, '').replace(/[^a-z\d -]/gi, '')
  return id === '' ? 'section' : id.replaceAll(' ', '-').toLowerCase()
}

/** Whether kramdown may read other headings and fences than CommonMark. */
function hasOwnHtml(source: string): boolean {
  const isInHtml = (part: string) => /^ {0,3}<\/?[a-z]/im.test(part) && /\n {0,3}(?:```|~~~|#)/.test(part)
  return source.split(/\n[ \t\r]*\n/).some(isInHtml)
}

/** The outermost elements with `markdown="1"`. One without an end has the rest of the page in it. */
function markdownElements(source: string): Range[] {
  const found: Range[] = []
  let open: { readonly name: string; readonly start: number; depth: number } | undefined
  for (const { name, kind, attributes, start } of readMarkup(source, { start: 0, end: source.length }).tags) {
    if (!open && kind === 'open' && attributes.some((one) => one.name === 'markdown')) open = { name, start, depth: 0 }
    if (name !== open?.name || kind === 'void') continue
    open.depth += kind === 'open' ? 1 : -1
    if (open.depth > 0) continue
    found.push({ start: open.start, end: start })
    open = undefined
  }
  return open ? [...found, { start: open.start, end: source.length }] : found
}

/** Without positions, which an edit above the problem changes. */
function withoutPlaces(message: string): string {
  return message.replace(/ \(\d+:\d+(?:-\d+:\d+)?\)/g, '')
}
