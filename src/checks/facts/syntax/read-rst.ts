// Reads the facts of a page of Sphinx: reStructuredText, or Markdown with the directives of MyST.

import { toSlug, type PageLink as ParsedLink } from '../../../docs-syntax/page.ts'
import { type MystPage, readMyst } from '../../../docs-syntax/myst/myst.ts'
import { isKnownDirective } from '../../../docs-syntax/rst/directive-kinds.ts'
import { normaliseName } from '../../../docs-syntax/rst/ids.ts'
import { isTextRole } from '../../../docs-syntax/rst/roles.ts'
import { type RstPage, readRst } from '../../../docs-syntax/rst/rst.ts'
import type { Frontmatter, PageFacts, PageInclude, PageLink, RstFacts } from '../page-facts.ts'
import { findOpenFence } from './open-fence.ts'
import { readFrontmatter } from './read-frontmatter.ts'
import { readText } from '../read-text.ts'
import { readPageTerms } from '../terms/read-terms.ts'
import { withoutUnusedDefinitions } from '../used-definitions.ts'
import { inRanges } from '../../../docs-syntax/text.ts'
import { type LineOf, maxAddress, openSource } from './source.ts'

/** A role of the page that only shows its text. */
const ownRole = /^[ \t]*\.\.[ \t]+role::[ \t]+([\w+-]+)(?:\((?:code|raw|math)\))?[ \t]*$/gm
const directive = /^([ \t]*)(?:\.\.[ \t]+|[`:~]{3,}\{)([\w:+-]+)(?:::|\})[ \t]*(.*)$/gm

export function readRstFacts(syntax: 'rst' | 'myst', source: string): PageFacts {
  const { text, isLarge, lineOf } = openSource(source)
  const page: RstPage | MystPage = syntax === 'rst' ? readRst(text) : readMyst(text)
  const links = syntax === 'myst' ? withoutUnusedDefinitions(page.links, text) : page.links
  const entries = new Set(page.toctrees.flatMap((toctree) => toctree.entries.map(({ start }) => start)))
  return {
    problem: null,
    openFence: 'fences' in page ? findOpenFence(page.fences, text, lineOf) : null,
    frontmatter: readFrontmatter(page, source, lineOf) ?? fieldsOf(page),
    links: [
      ...links.flatMap((link) => (entries.has(link.start) ? [] : toLink(link, lineOf))),
      ...(syntax === 'rst' ? undefinedNames(page, lineOf) : []),
    ],
    includes: page.links.flatMap((link) => toInclude(link, lineOf)),
    headings: page.headings.map(({ start, text: title }) => ({ text: title, line: lineOf(start) })),
    // The reader has counted the ids of headings, labels and footnotes together, as docutils does.
    // MyST also knows the names that hosts of repositories make.
    ids: [
      ...page.ids,
      ...page.headings.flatMap(({ slug, text: title }) => (syntax === 'myst' ? [slug, toSlug(title)] : slug)),
      ...(syntax === 'myst' ? writtenLabels(text) : []),
    ],
    titles: [],
    rst: rstFactsOf(page, text, lineOf),
    isOpen: isLarge || [...page.directives.keys()].some((name) => !isKnownDirective(name) || name === 'glossary'),
    text: isLarge ? null : readText(page, source),
    terms: readPageTerms(page, text, lineOf),
  }
}

/** The labels of formulas, cells of notebooks, options and attributes, wherever they are. */
function writtenLabels(text: string): string[] {
  const written =
    /\$\$[ \t]*\(([^()\s]+)\)|\\label\{([^{}\s]+)\}|\b(?:label|name|identifier)"?:[ \t]*["']?([^\s"',}]+)|\{[^{}#\n]{0,100}#([\w:.-]+)/g
  return Array.from(text.matchAll(written), ([, ...names]) => names.find((name) => name !== undefined) ?? '')
}

function toLink({ kind, url, start }: ParsedLink, lineOf: LineOf): PageLink[] {
  if (url.length > maxAddress || kind === 'include' || kind === 'expression') return []
  const line = lineOf(start)
  if (kind === 'doc' || kind === 'ref' || kind === 'any' || kind === 'file') return [{ kind, url, line }]
  if (/^\s*(?:[a-z][\w+.-]*:|\/\/)/i.test(url)) return []
  return [{ kind: kind === 'image' ? 'image' : 'link', url, line }]
}

/** `name_` leads to a target of its page, or of a file that the page includes. */
function undefinedNames({ links, labels, headings, ids, references }: RstPage | MystPage, lineOf: LineOf): PageLink[] {
  const known = new Set([
    ...links.flatMap(({ kind, identifier = '' }) => (kind === 'ref' ? [] : identifier)),
    ...labels.map(({ name }) => name),
    ...headings.map(({ text }) => normaliseName(text)),
    ...ids,
  ])
  return references.flatMap(({ start, identifier }) =>
    identifier.startsWith('__') || known.has(identifier) || identifier.length > maxAddress
      ? []
      : [{ kind: 'link', url: `#${identifier}`, line: lineOf(start) }],
  )
}

/** Without addresses of the web and files of docutils, such as `<isonum.txt>`. */
function toInclude({ kind, url, start }: ParsedLink, lineOf: LineOf): PageInclude[] {
  return kind === 'include' && !/^(?:<|https?:)/.test(url) ? [{ style: 'directive', url, line: lineOf(start) }] : []
}

function rstFactsOf(page: RstPage | MystPage, text: string, lineOf: LineOf): RstFacts {
  const entries = page.toctrees.flatMap((toctree) =>
    toctree.entries.flatMap(({ start, end, kind, target }) =>
      kind === 'doc' || kind === 'glob'
        ? [{ start, end, name: target, isGlob: kind === 'glob', line: lineOf(start) }]
        : [],
    ),
  )
  const shown = new Set(Array.from(text.matchAll(ownRole), ([, name = '']) => name.toLowerCase()))
  const objects = [...page.roles].flatMap(([name, times]) => {
    const [role = ''] = name.split(' ', 1)
    return isTextRole(role) || shown.has(role) ? [] : Array.from({ length: times }, () => name)
  })
  return { labels: page.labels.map(({ name }) => name), entries, objects, described: describedIn(page, text) }
}

function describedIn({ code }: RstPage | MystPage, text: string): string[] {
  const isCode = inRanges(code)
  return Array.from(text.matchAll(directive)).flatMap(
    ({ 0: whole, 1: indent = '', 2: name = '', 3: written = '', index }) => {
      if (isCode(index + indent.length)) return []
      if (name === 'glossary') return termsOf(text, index + whole.length + 1, indent.length)
      if (written === '' || isKnownDirective(name)) return []
      // `int *acme_open(path)` is described as `acme_open`, and `.. acme:: name` as `acme`.
      const [plain = ''] = written.replace(/^\.\. |::.*/g, '').split('(', 1)
      return [/[^\s*&]*\s*$/.exec(plain)?.[0].trim() ?? '']
    },
  )
}

/** The lines in the body of a glossary that are indented like its first one. */
function termsOf(text: string, start: number, indent: number): string[] {
  const terms: string[] = []
  let column: number | undefined
  for (let at = start; at < text.length; at += 1) {
    const end = text.indexOf('\n', at)
    const line = text.slice(at, end === -1 ? undefined : end)
    const own = line.search(/\S/)
    if (own !== -1 && own <= indent) break
    if (own !== -1) column ??= own
    if (own !== -1 && own === column) terms.push(`term ${line.trim().toLowerCase()}`)
    at = end === -1 ? text.length : end
  }
  return terms
}

/** The fields at the start of a page, such as `:orphan:`. */
function fieldsOf(page: RstPage | MystPage): Frontmatter | null {
  if (!('fields' in page) || page.fields.length === 0) return null
  return { line: 1, problem: null, names: page.fields.map(({ name }) => name), strings: {}, lists: {} }
}
