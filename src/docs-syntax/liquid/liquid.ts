// Finds links that are written with Liquid, which fills in its tags before Markdown is read: addresses with spaces in them,
// which Markdown does not take for links, and the tags that name files wherever they are, in code too.

import { collectMarkup } from '../attributes.ts'
import { createDraft, type MarkdownPage, type PageLink } from '../page.ts'
import { inRanges, type Range, withoutOverlaps } from '../text.ts'

/** `[a]({% link _docs/a.md %}#b)`, `[a]({{ '/a/' | relative_url }})`, `[a]: {% link _docs/a.md %}`. The repetitions are bounded. */
const written =
  /(?<mark>!?)\[(?<label>[^\][\r\n]{0,300})\]\((?<url>(?:\{\{|\{%)[^{}\r\n]{1,300}(?:\}\}|%\})[^()\r\n]{0,300})\)/dg
const definition =
  /^ {0,3}\[[^\][\r\n]{1,300}\]:[ \t]{1,9}(?<url>(?:\{\{|\{%)[^{}\r\n]{1,300}(?:\}\}|%\})[^\s]{0,300})/dgm
const tag = /\{%-?\s{0,9}(?:link|post_url)\s[^{}%\r\n]{1,500}%\}/g
/** Liquid shows these as they are, or not at all. */
const unread = /\{%-?\s{0,9}(raw|comment)\s{0,9}-?%\}[^]*?(?:\{%-?\s{0,9}end\1\s{0,9}-?%\}|$)/g

/** The links that the page, which is parsed as Markdown, does not have. */
export function liquidLinks(page: MarkdownPage, source: string): PageLink[] {
  if (!/\{[{%]/.test(source)) return []
  const isCode = inRanges(page.code)
  const known = new Set(page.links.map(({ whole }) => whole.start))
  return [written, definition]
    .flatMap((one) => Array.from(source.matchAll(one)))
    .flatMap(({ 0: { length }, groups = {}, index, indices }): PageLink[] => {
      if (isCode(index) || known.has(index)) return []
      const [from = 0, to = 0] = indices?.groups?.['label'] ?? []
      const address = groups['url'] ?? ''
      const start = (indices?.groups?.['url']?.[0] ?? index) + address.search(/\S/)
      const range = { start, end: start + address.trim().length, whole: { start: index, end: index + length } }
      // A definition has no text that could take its place.
      const label = to === 0 ? undefined : { start: from, end: to }
      const kind = groups['mark'] === '!' ? 'image' : 'link'
      return [{ ...none, ...range, kind, url: address.trim(), label }]
    })
}

/** The page with everything that Liquid names. */
export function readLiquidPage(page: MarkdownPage, source: string): MarkdownPage {
  const links = [...page.links, ...liquidLinks(page, source)]
  const all = [...links, ...liquidTags(source, links)]
  return { ...page, links: all.toSorted((a, b) => a.start - b.start) }
}

/** The links of a page or a template in HTML. */
export function readLiquidHtml(source: string): PageLink[] {
  const draft = createDraft(source)
  collectMarkup({ start: 0, end: source.length }, draft)
  return [...draft.links, ...liquidTags(source, draft.links)]
}

/** The tags `link` and `post_url`, apart from those in the ranges. */
function liquidTags(source: string, known: readonly Range[]): PageLink[] {
  const ranges = (pattern: RegExp) =>
    Array.from(source.matchAll(pattern), ({ index, 0: url }) => ({ url, start: index, end: index + url.length }))
  const tags = withoutOverlaps(
    ranges(tag),
    [...ranges(unread), ...known].toSorted((a, b) => a.start - b.start),
  )
  return tags.map(({ url, start, end }) => ({ ...none, kind: 'link', url, start, end, whole: { start, end } }))
}

const none = { label: undefined, element: undefined, identifier: undefined }
