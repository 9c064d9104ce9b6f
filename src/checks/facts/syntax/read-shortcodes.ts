// Adds what Hugo reads in Markdown to the facts of a page: pages that shortcodes name, the shortcodes themselves, whose
// templates add to the page, and headings as they are written, because Hugo makes ids of that text.

import { headingSource, type ShortcodePage } from '../../../docs-syntax/shortcodes.ts'
import { createFinder, inRanges } from '../../../docs-syntax/text.ts'
import type { PageFacts, PageLink } from '../page-facts.ts'

type LineOf = (offset: number) => number

/** Terms of definition lists, which may have ids. */
const term = /^([^\s:#>|-][^\r\n]{0,200})\r?\n(?:\r?\n)?:[ \t]+\S/gm
/** Attributes of a block or a heading, whatever is first: `{.note #id}`. */
const attributeId = /\{[^{}\r\n#]{1,200}\s#([^\s{}"'=#]{1,200})[^{}\r\n]{0,200}\}/g

export function withShortcodes(facts: PageFacts, page: ShortcodePage, source: string, lineOf: LineOf): PageFacts {
  const { text, shortcodes } = page
  // A comment that does not end goes to the end of the page.
  const isHidden = inRanges(
    Array.from(source.matchAll(/<!--[^]*?(?:-->|$)/g), ({ index, 0: { length } }) => ({
      start: index,
      end: index + length,
    })),
  )
  const findHeading = createFinder(page.headings)
  const references = page.links
    .filter(({ kind }) => kind === 'doc')
    .map(({ url, start, end, whole }): PageLink => {
      // A fragment may follow the shortcode: `{{< ref "a.md" >}}#b`.
      const rest = /^[^}]{0,200}\}\}(#[^\s)"'>]{1,200})/.exec(source.slice(end, whole.end))?.[1] ?? ''
      // Hugo also replaces those in comments, where nobody follows them.
      return { kind: 'doc', url: isHidden(start) ? url.replace(/(?!^)#.*$/, '') : url + rest, line: lineOf(start) }
    })
  const names = new Map(shortcodes.filter(({ name }) => !/^(?:rel)?ref$/.test(name)).map((one) => [one.name, one]))
  const templates = [...names].map(([name, { start }]): PageLink => ({
    kind: 'include',
    url: name,
    line: lineOf(start),
  }))
  const terms = Array.from(text.matchAll(term), (found) => found[1] ?? '')
  const headings = page.headings.map((heading) => ({ ...headingSource(text, heading), line: lineOf(heading.start) }))
  return {
    ...facts,
    links: [...facts.links, ...references, ...templates],
    headings: headings.map(({ text: plain, id, line }) => ({
      text: id === undefined ? plain : `${plain} {#${id}}`,
      line,
    })),
    ids: [...facts.ids, ...Array.from(text.matchAll(attributeId), (found) => found[1] ?? '')],
    // Newer versions may leave marks of Markdown out of an id.
    titles: [
      ...facts.titles,
      ...page.headings.map((heading) => heading.text),
      // A heading of the same text gets the next number.
      ...terms.flatMap((one) => [one, `${one} 1`]),
    ],
    isOpen: facts.isOpen || shortcodes.some((one) => findHeading(one) !== undefined),
  }
}
