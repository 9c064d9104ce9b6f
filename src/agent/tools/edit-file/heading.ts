// Finds the heading of a page that a call names by its text or its anchor. Pure.

import type { Heading, MarkdownPage } from '../../../docs-syntax/page.ts'
import { lineAt, lineStarts, showInvisible } from '../../../docs-syntax/text.ts'

/** `headings`: all, in the order of the page. */
type Found = { readonly headings: readonly Heading[]; readonly found: Heading } | Unfound
/** The problem continues the name of a page; the advice is a sentence. */
type Unfound = { readonly problem: string; readonly advice: string }

const mostNamed = 30
/** Attributes at the end of a heading, with its own id: `{ #install .wide }`, `{: #install }`. */
const attributes = /\s*\{:?\s*(?:[^{}#]*\s)?#(?<id>[^\s{}#]+)[^{}]*\}\s*$/

/** `wanted`: the text of the heading, also with its marks, or `#anchor`. */
export function findHeading(text: string, page: MarkdownPage, wanted: string): Found {
  const headings = page.headings.toSorted((a, b) => a.start - b.start)
  const fitting = headings.filter((heading) => isMeant(heading, wanted.trim()))
  const [found] = fitting
  if (found === undefined) return { problem: `no heading is "${wanted}"`, advice: nameHeadings(text, headings) }
  if (fitting.length === 1) return { headings, found }
  const anchors = fitting.map(({ slug }) => `#${slug}`).join(', ')
  return { problem: `${fitting.length} headings are "${wanted}"`, advice: `Name one by its anchor: ${anchors}.` }
}

function isMeant({ text, slug }: Heading, wanted: string): boolean {
  const own = attributes.exec(text)
  if (/^#[^#\s]/.test(wanted)) return [slug, own?.groups?.['id']].includes(wanted.slice(1))
  const words = plain(wanted.replace(/^#+\s+/, ''))
  return words === plain(text) || (own !== null && words === plain(text.slice(0, own.index)))
}

function plain(text: string): string {
  return text.replace(/[`*_]/g, '').replace(/\s+/g, ' ').trim()
}

function nameHeadings(text: string, headings: readonly Heading[]): string {
  if (headings.length === 0) return 'The page has no headings.'
  const starts = lineStarts(text)
  const named = headings.slice(0, mostNamed).map((heading) => `${lineAt(starts, heading.start)}: ${heading.text}`)
  const more = headings.length > mostNamed ? `\nand ${headings.length - mostNamed} more` : ''
  return `The headings are:\n${showInvisible(named.join('\n'))}${more}`
}
