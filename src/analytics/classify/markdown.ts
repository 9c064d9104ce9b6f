// Whether a client asked for Markdown: by the response, by the path, or by an `Accept` header that ranks Markdown (or
// plain text) above HTML. No browser ranks them so; a client that does reads for a machine, whatever its name.

import type { RawPageView } from '../page-view.ts'

const markdownPath = /\.mdx?$|(?:^|\/)(?:llms|llms-full)\.txt$|(?:^|\/)skill\.md$/

/** Total: any text is a path, any text is an `Accept` header. */
export function asksForMarkdown({
  path,
  signals,
  representation,
}: Pick<RawPageView, 'path' | 'signals' | 'representation'>): boolean {
  if (representation === 'markdown') return true
  return markdownPath.test(path.toLowerCase()) || ranksMarkdownAboveHtml(signals.accept)
}

/**
 * RFC 9110, 12.5.1. Markdown has to be named: the range that fits any type, as curl and beacons send it, wishes for
 * nothing. With the same weight the one that is named first wins, and a named one before a range with a star. Plain
 * text has to be strictly above: axios sends `application/json, text/plain, any/any` by default.
 */
export function ranksMarkdownAboveHtml(accept: string | undefined): boolean {
  if (!accept) return false
  const ranges = parseAccept(accept)
  const html = rankOf(ranges, ['text/html', 'text/*', '*/*'])
  const markdown = [rankOf(ranges, ['text/markdown']), rankOf(ranges, ['text/x-markdown'])]
  const isFirst = ({ weight, at }: Rank) =>
    weight > 0 && (weight > html.weight || (weight === html.weight && at < html.at))
  return markdown.some(isFirst) || rankOf(ranges, ['text/plain']).weight > html.weight
}

type MediaRange = { readonly type: string; readonly weight: number }
type Rank = { readonly weight: number; readonly at: number }

const maxRanges = 32
const starred = maxRanges

function parseAccept(accept: string): readonly MediaRange[] {
  return accept.toLowerCase().split(',', maxRanges).map(toRange)
}

function toRange(text: string): MediaRange {
  const [type = '', ...parameters] = text.split(';')
  const q = parameters.map((one) => one.trim()).find((one) => one.startsWith('q='))
  return { type: type.trim(), weight: q === undefined ? 1 : toWeight(q.slice(2).trim()) }
}

/** What is no weight is none: a client that cannot write one is not taken at its word. */
function toWeight(text: string): number {
  return /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(text) ? Number(text) : 0
}

/** Of the most specific of these that is there; a starred one stands behind all that are named. */
function rankOf(ranges: readonly MediaRange[], types: readonly string[]): Rank {
  for (const type of types) {
    const at = ranges.findIndex((range) => range.type === type)
    if (at >= 0) return { weight: ranges[at]?.weight ?? 0, at: type.includes('*') ? starred : at }
  }
  return { weight: 0, at: starred }
}
