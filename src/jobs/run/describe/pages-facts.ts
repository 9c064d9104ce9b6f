// The part of the facts about pages outside of the repository. Pure.

import { inlineCode } from '../../../lib/plain-text.ts'
import type { PageRead } from '../../pages-read.ts'
import { titled } from './lists.ts'

/** Each address once, as it was last; empty without pages. */
export function sayPagesRead(pages: readonly PageRead[]): string {
  const last = new Map(pages.map((page) => [page.address, page]))
  const lines = [...last.values()].map((page) => `${inlineCode(page.address, 150)}: ${sayPage(page)}`)
  return titled('Pages read', lines, { lines: 20, characters: 1_000 })
}

function sayPage({ status, bytes }: PageRead): string {
  return status === null ? 'no response' : `status ${status}, ${(bytes / 1_000).toFixed(1)} kB`
}
