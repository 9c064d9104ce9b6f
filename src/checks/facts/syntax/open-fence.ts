// Finds a fenced block that is not closed, so that the rest of the page is code.

import type { Range } from '../../../docs-syntax/text.ts'
import type { LineOf } from './source.ts'

/** The marks of the containers that a fence may be in. Backticks after other text are code in a line. */
const opening = /^[\s>]*(?:(?:[*+-]|\d{1,9}[.)])[\s>]+)*$/

/** A fenced block ends with a line of at least as many of the same characters; only the marks of its container may precede them. */
export function findOpenFence(code: readonly Range[], source: string, lineOf: LineOf): number | null {
  for (const { start, end } of code) {
    const block = source.slice(start, end)
    const fence = /^(`{3,}|~{3,})/.exec(block)?.[1]
    if (fence === undefined || !/[\r\n]/.test(block)) continue
    if (!opening.test(source.slice(source.lastIndexOf('\n', start - 1) + 1, start))) continue
    const written = block.trimEnd()
    const last = written
      .slice(Math.max(written.lastIndexOf('\n'), written.lastIndexOf('\r')) + 1)
      .replace(/^[\s>]+/, '')
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
