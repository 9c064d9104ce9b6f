// Finds the changes that replace a term on a page or in a navigation file: splices, mentions that stay, and anchors that
// change. Replaces in prose (headings, paragraphs, lists, table cells, titles, descriptions), and in code on request.

import { jsonStrings, readJson } from '../../docs-syntax/json.ts'
import type { MarkdownPage, Prose } from '../../docs-syntax/page.ts'
import { type Range, type Splice, applySplices, createFinder, withoutOverlaps } from '../../docs-syntax/text.ts'
import { writeYamlString } from '../../docs-syntax/yaml.ts'
import { isPagePath, parsePage } from '../../docs-syntax/markdown.ts'
import { keyedData } from '../../sites/by-path/known-files.ts'
import type { ChangedAnchor } from './anchor-links.ts'
import { type ChangedHeading, keepTables, namedHeadings, underlines } from './page-shape.ts'
import { findMentions, replaceMentions, toSplice } from './term.ts'

export type Replacement = { readonly from: string; readonly to: string; readonly inCode: boolean }
export type TermPlaces = {
  readonly splices: readonly Splice[]
  /** Number of mentions that are replaced. The others stay: in code, and elsewhere (URLs, identifiers, …). */
  readonly replaced: number
  readonly leftInCode: number
  readonly leftElsewhere: number
  /** In parts that are left alone. */
  readonly kept: number
  readonly anchors: readonly Omit<ChangedAnchor, 'path'>[]
}

const titleKeys =
  /^(?:title|description|sidebar_?[tT]itle|sidebar_label|subtitle|summary|tagline|caption|heading|(?:og|twitter):(?:title|description))$/
const navigationKeys = /^(?:group|tab|anchor|label|title|name|description|dropdown|menu|item|content|text|tooltip)$/

/** `keeps`: whether a range is in a part that is left alone. */
type Source = { readonly path: string; readonly text: string; readonly keeps?: ((range: Range) => boolean) | undefined }

export function findTermPlaces(source: Source, replacement: Replacement): TermPlaces {
  const { path, text, keeps = () => false } = source
  if (keeps({ start: 0, end: text.length })) {
    const kept = findMentions(text, replacement.from).length
    return { splices: [], replaced: 0, leftInCode: 0, leftElsewhere: 0, kept, anchors: [] }
  }
  return isPagePath(path) ? placesOnPage({ path, text, keeps }, replacement) : placesInJson(path, text, replacement)
}

function placesOnPage({ path, text, keeps }: Required<Source>, replacement: Replacement): TermPlaces {
  const page = parsePage(path, text)
  const all = findMentions(withoutMarks(page, text), replacement.from)
  const mentions = all.filter((mention) => keeps?.(mention) !== true)
  const matter = frontmatterSplices(page, text, replacement)
  const found: Splice[] = []
  let leftInCode = 0
  const findProse = createFinder(page.prose)
  const findCode = createFinder(page.code)
  const body = mentions.filter(({ start }) => start >= (page.frontmatter?.end ?? 0))
  for (const mention of body) {
    const prose = findProse(mention)
    const isCode = !prose && findCode(mention) !== undefined
    const isLabel = prose?.kind === 'label' && /[[\]`\\]/.test(replacement.to)
    if ((prose && !isLabel) || (isCode && replacement.inCode)) {
      const written = prose ? escapeFor({ prose, page, text }, replacement.to) : replacement.to
      found.push(toSplice(text, mention, written))
    } else if (isCode) leftInCode += 1
  }
  const fitting = keepTables({ page, text }, found)
  const starts = new Set(found.map(({ start }) => start))
  const replaced = matter.replaced + fitting.filter(({ start }) => starts.has(start)).length
  const leftElsewhere = Math.max(0, mentions.length - replaced - leftInCode)
  const words = [...matter.splices, ...fitting, ...underlines({ page, text }, fitting)]
  const headings = changedHeadings({ path, page, text }, words)
  const names = withoutOverlaps(namedHeadings({ page, text }, headings), words)
  const splices = [...words, ...names]
  const anchors = toAnchors(headings)
  return { splices, replaced, leftInCode, leftElsewhere, kept: all.length - mentions.length, anchors }
}

/** At the same length. A full stop begins the title of a block, and an underscore the name of a target. */
function withoutMarks({ syntax }: MarkdownPage, text: string): string {
  if (syntax === 'asciidoc') return text.replace(/^\.(?=[^\s.])/gm, ' ')
  return syntax === 'rst' ? text.replace(/^([ \t]*\.\.[ \t]+)_(?=\S)/gm, '$1 ') : text
}

function placesInJson(path: string, text: string, { from, to }: Replacement): TermPlaces {
  const root = readJson(text)
  const isMeta = path.endsWith(keyedData)
  const strings = (root ? jsonStrings(root) : []).filter(({ path, value }) => {
    const key = path.findLast((name) => name !== '[]') ?? ''
    return (isMeta || (navigationKeys.test(key) && path.at(-1) !== '[]')) && findMentions(value, from).length > 0
  })
  const splices = strings.map(({ start, end, value }) => ({
    start,
    end,
    text: JSON.stringify(replaceMentions(value, from, to)),
  }))
  const replaced = strings.reduce((sum, { value }) => sum + findMentions(value, from).length, 0)
  const leftElsewhere = Math.max(0, findMentions(text, from).length - replaced)
  return { splices, replaced, leftInCode: 0, leftElsewhere, kept: 0, anchors: [] }
}

function frontmatterSplices(page: MarkdownPage, text: string, { from, to }: Replacement) {
  const splices: Splice[] = []
  let replaced = 0
  for (const { path, value, style, start, end } of page.frontmatter?.strings ?? []) {
    const key = path.findLast((name) => typeof name === 'string') ?? ''
    const mentions = findMentions(value, from)
    if (mentions.length === 0 || !titleKeys.test(key)) continue
    if (style === 'block') {
      const inside = findMentions(text.slice(start, end), from)
      const moved = inside.map((one) => ({ ...one, start: one.start + start, end: one.end + start }))
      splices.push(...moved.map((mention) => toSplice(text, mention, to)))
    } else splices.push({ start, end, text: writeYamlString(replaceMentions(value, from, to), style) })
    replaced += mentions.length
  }
  return { splices, replaced }
}

/** Finds the whole mentions in code blocks and code spans. */
export function findCodePlaces({ path, text }: Source, { from, to }: Replacement): readonly Splice[] {
  const page = parsePage(path, text)
  const findCode = createFinder(page.code)
  const findProse = createFinder(page.prose)
  const inCode = findMentions(text, from).filter((mention) => {
    const prose = findProse(mention)
    return findCode(mention) !== undefined && !prose
  })
  return inCode.map((mention) => toSplice(text, mention, to))
}

type Place = { readonly prose: Prose; readonly page: MarkdownPage; readonly text: string }

/** Escapes the replacement for its context, so that it is read as plain words there. */
function escapeFor({ prose, page, text }: Place, words: string): string {
  if (prose.kind === 'attribute')
    return text[prose.start - 1] === "'" ? words.replaceAll("'", '&apos;') : words.replaceAll('"', '&quot;')
  if (page.syntax === 'rst') return words.replace(/[*`|\\]|_(?![\p{L}\p{N}])/gu, '\\$&')
  const tags =
    page.syntax === 'asciidoc'
      ? words.replace(/\{(?=[\w-]+\})/g, '\\{')
      : page.syntax === 'mdx'
        ? words.replace(/[<{]/g, '\\$&')
        : words.replace(/<(?=[A-Za-z/!])/g, '\\<')
  return prose.kind === 'cell' ? tags.replaceAll('|', '\\|') : tags
}

type Changed = { readonly path: string; readonly page: MarkdownPage; readonly text: string }

/** Returns the anchors that the splices change. */
export function changedAnchors(changed: Changed, splices: readonly Splice[]): TermPlaces['anchors'] {
  return toAnchors(changedHeadings(changed, splices))
}

/** Parses the page again only if a heading changes. */
function changedHeadings({ path, page, text }: Changed, splices: readonly Splice[]): ChangedHeading[] {
  const findHeading = createFinder(page.headings)
  const inOrder = splices.toSorted((a, b) => a.start - b.start)
  if (!inOrder.some((splice) => findHeading(splice))) return []
  const headings = parsePage(path, applySplices(text, splices)).headings
  if (headings.length !== page.headings.length) return []
  const pairs = page.headings.map((before, index) => ({ before, after: headings[index] ?? before }))
  return pairs.filter(({ before, after }) => before.text !== after.text || before.slug !== after.slug)
}

function toAnchors(headings: readonly ChangedHeading[]): TermPlaces['anchors'] {
  const pairs = headings.map(({ before, after }) => ({
    old: before.slug,
    fresh: after.slug,
    texts: { old: before.text, fresh: after.text },
  }))
  return pairs.filter(({ old, fresh }) => old !== fresh)
}
