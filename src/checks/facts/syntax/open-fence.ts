// Finds a fenced block that is not closed, so that the rest of the page is code.

import type { MarkdownPage } from '../../../docs-syntax/page.ts'

type LineOf = (offset: number) => number

/** A fenced block ends with a line of at least as many of the same characters; only the marks of its container may precede them. */
export function findOpenFence(page: MarkdownPage, source: string, lineOf: LineOf): number | null {
  for (const { start, end } of page.code) {
    const block = source.slice(start, end)
    const fence = /^(`{3,}|~{3,})/.exec(block)?.[1]
    if (fence === undefined || !/[\r\n]/.test(block)) continue
    const last = /[^\r\n]*$/.exec(block.trimEnd())?.[0].replace(/^[\s>]+/, '') ?? ''
    const isClosed =
      last.startsWith(fence) &&
      last
        .slice(fence.length)
        .replaceAll(fence[0] ?? '', '')
        .trim() === ''
    if (!isClosed) return lineOf(start)
  }
  return null
}
