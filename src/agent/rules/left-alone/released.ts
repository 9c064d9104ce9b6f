// Finds the parts of a changelog that describe what was released: they say what was true then, so they stay.

import { parsePage } from '../../../docs-syntax/markdown.ts'
import { isChangelog } from '../../../sites/by-path/changelog.ts'
import type { Range } from '../../../docs-syntax/text.ts'

const version = /(?:^|[^\w.])v?\d+\.\d+(?:\.\d+)*(?![\w.]*\/)/i
const date = /\b(?:19|20)\d\d\b/
const coming = /\b(?:unreleased|upcoming|next|planned)\b/i
const update = /<Update\b[^>]*?\blabel=(?:"([^"]*)"|'([^']*)'|\{["'`]([^"'`]*)["'`]\})[^>]*>[^]*?(?:<\/Update>|$)/g

/** Returns the ranges of the released entries; the whole text for a file of its own, such as `changelog/4.2.0.md`. */
export function releasedRanges(path: string, text: string): readonly Range[] {
  if (!isChangelog(path)) return []
  const name = path.slice(path.lastIndexOf('/') + 1).replace(/\.\w+$/, '')
  if (isReleased(name.replace(/[-_]/g, ' ')) || /^v?\d+[-_.]\d+/.test(name)) return [{ start: 0, end: text.length }]
  const updates = Array.from(text.matchAll(update)).flatMap(({ 0: whole, 1: double, 2: single, 3: code, index }) =>
    isReleased(double ?? single ?? code ?? '') ? [{ start: index, end: index + whole.length }] : [],
  )
  const { headings } = parsePage(path, text)
  const sections = headings.flatMap((heading, at) => {
    if (!isReleased(heading.text)) return []
    const next = headings.slice(at + 1).find(({ depth }) => depth <= heading.depth)
    return [{ start: heading.start, end: next?.start ?? text.length }]
  })
  return [...updates, ...sections]
}

function isReleased(title: string): boolean {
  return !coming.test(title) && (version.test(title) || date.test(title))
}
