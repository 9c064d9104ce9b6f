// Reads the facts of a page of AsciiDoc. The attributes of a site are not known here: the facts depend on the bytes alone.

import { type AsciidocPage, readAsciidoc, toFields } from '../../../docs-syntax/asciidoc/asciidoc.ts'
import { unknownAttributes } from '../../../docs-syntax/asciidoc/attributes.ts'
import type { PageFacts, PageHeading, PageLink } from '../page-facts.ts'
import { readText } from '../read-text.ts'
import { readPageTerms } from '../terms/read-terms.ts'
import { type LineOf, maxAddress, openSource } from './source.ts'

const idSettings = ['idprefix', 'idseparator', 'sectids']
/** With it, an extension of Antora shows another page in place of this one. */
const movedTo = 'page-location'

/** `asciidoc`: ids of headings as Asciidoctor makes them. `asciidoc-site`: as the site makes them, from their texts. */
export function readAsciidocFacts(syntax: 'asciidoc' | 'asciidoc-site', source: string): PageFacts {
  const { text, isLarge, lineOf } = openSource(source)
  const page = readAsciidoc(text)
  const isFinal = syntax === 'asciidoc' || idSettings.some((name) => page.attributes.has(name))
  const made = page.headings.filter(({ id, slug }) => id === undefined && slug !== '')
  const fields = toFields(page)
  return {
    problem: null,
    openFence: null,
    frontmatter: { line: 1, problem: null, names: Object.keys(fields.strings), ...fields },
    links: page.links.flatMap((link) => toLink(link, page, lineOf)),
    includes: [],
    headings: page.headings.map((heading) => toHeading(heading, lineOf)),
    ids: [...page.ids, ...(isFinal ? made.map(({ slug }) => slug) : [])],
    titles: [],
    rst: null,
    isOpen:
      isLarge ||
      page.attributes.has(movedTo) ||
      idSettings.some((name) => page.undecided.has(name)) ||
      page.headings.some(({ text }) => unknownAttributes(text).length > 0) ||
      page.ids.some((id) => id.includes('{')),
    text: isLarge ? null : readText(page, source),
    terms: readPageTerms(page, text, lineOf),
  }
}

function toLink({ kind, url, start }: AsciidocPage['links'][number], page: AsciidocPage, lineOf: LineOf): PageLink[] {
  const line = lineOf(start)
  if (url.length > maxAddress || /^\s*(?:https?:|\/\/)/i.test(url)) return []
  if (kind === 'image') return [{ kind, url: withFolder(url, page), line }]
  if (kind === 'doc' || kind === 'ref' || kind === 'include') return [{ kind, url, line }]
  return /^\s*[a-z][\w+.-]*:/i.test(url) ? [] : [{ kind: 'link', url, line }]
}

/** `:imagesdir:` of the page. */
function withFolder(url: string, { attributes }: AsciidocPage): string {
  const folder = attributes.get('imagesdir') ?? ''
  return folder === '' || /^\/|:/.test(url) ? url : `${folder.replace(/\/$/, '')}/${url}`
}

/** An own id is in the form in which Markdown has it. */
function toHeading({ text, id, start }: AsciidocPage['headings'][number], lineOf: LineOf): PageHeading {
  return { text: id !== undefined && /^[\w.:-]+$/.test(id) ? `${text} {#${id}}` : text, line: lineOf(start) }
}
