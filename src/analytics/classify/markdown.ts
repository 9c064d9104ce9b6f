// Decides whether a client asked for Markdown: by the response, by the path, or by an `Accept` header that ranks
// Markdown (or plain text) above HTML. No browser ranks them so; a client that does is a machine, whatever its name.

import type { RawPageView } from '../page-view.ts'
import { remember } from '../remember.ts'
import { type Accepted, maxRanges, parseAccept } from './accept.ts'

const markdownPath = /\.(?:mdx?|markdown)$|(?:^|\/)llms(?:-[\w-]+)?\.txt$/

const isMarkdownPath = remember((path) => markdownPath.test(path.toLowerCase()))

/** Never throws: any text is accepted as a path and as an `Accept` header. */
export function asksForMarkdown({
  path,
  signals,
  representation,
}: Pick<RawPageView, 'path' | 'signals' | 'representation'>): boolean {
  if (representation === 'markdown') return true
  return isMarkdownPath(path) || ranksMarkdownAboveHtml(signals.accept)
}

/**
 * RFC 9110, 12.5.1. Markdown must be named: the wildcard that curl and beacons send expresses no preference. With equal
 * weights, the type named first wins, and a named type wins over a wildcard. Plain text must rank strictly above HTML:
 * axios sends `application/json, text/plain, any/any` by default.
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

type Rank = { readonly weight: number; readonly at: number }

const starred = maxRanges

/** The rank of the most specific type present. Wildcards rank after all named types. */
function rankOf(ranges: readonly Accepted[], types: readonly string[]): Rank {
  for (const type of types) {
    const at = ranges.findIndex((range) => range.value === type)
    if (at >= 0) return { weight: ranges[at]?.weight ?? 0, at: type.includes('*') ? starred : at }
  }
  return { weight: 0, at: starred }
}
