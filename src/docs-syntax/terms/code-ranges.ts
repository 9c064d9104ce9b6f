// Where a page has code: within a line, in blocks, and the prose between them. Pure, and the same for every syntax.

import type { MarkdownPage } from '../page.ts'
import type { Range } from '../text.ts'

export type CodeRanges = {
  /** Code within a line: also roles of reStructuredText, and code in HTML that the parser leaves alone. */
  readonly inline: readonly Range[]
  /** The content of code blocks, without the line that names the language. */
  readonly blocks: readonly Range[]
  /** Everything else. */
  readonly rest: readonly Range[]
}

const span = /`[^`\n]{1,200}`/g

export function codeRangesOf({ code }: Pick<MarkdownPage, 'code'>, source: string): CodeRanges {
  const blocks = code.filter((range) => isBlock(range, source))
  const isBlockRange = new Set(blocks)
  const spans = gapsBetween(code, source.length).flatMap((gap) => spansIn(gap, source))
  return {
    inline: [...code.filter((range) => !isBlockRange.has(range)), ...spans],
    blocks: blocks.map((range) => withoutInfo(range, source)),
    rest: gapsBetween([...code, ...spans], source.length),
  }
}

function gapsBetween(ranges: readonly Range[], length: number): Range[] {
  const gaps: Range[] = []
  let position = 0
  for (const { start, end } of ranges.toSorted((one, other) => one.start - other.start)) {
    if (start > position) gaps.push({ start: position, end: start })
    position = Math.max(position, end)
  }
  return position < length ? [...gaps, { start: position, end: length }] : gaps
}

function spansIn({ start, end }: Range, source: string): Range[] {
  const text = source.slice(start, end)
  if (!text.includes('`')) return []
  return Array.from(text.matchAll(span), ({ index, 0: { length } }) => ({
    start: start + index + 1,
    end: start + index + length - 1,
  }))
}

/** Code of whole lines. */
function isBlock({ start, end }: Range, source: string): boolean {
  const text = source.slice(start, end)
  if (/[\r\n]/.test(text) || /^(?:`{3}|~{3}|[ \t])/.test(text)) return true
  if (text.startsWith('`')) return false
  const before = source.slice(source.lastIndexOf('\n', start - 1) + 1, start)
  const after = source.slice(end, source.indexOf('\n', end) === -1 ? undefined : source.indexOf('\n', end))
  return before.trim() === '' && after.trim() === ''
}

/** Without the first line of a fence, which names the language. */
function withoutInfo({ start, end }: Range, source: string): Range {
  if (!/^(?:`{3}|~{3})/.test(source.slice(start, start + 3))) return { start, end }
  const first = source.indexOf('\n', start)
  return { start: first === -1 || first > end ? end : first, end }
}
