// Parses pages in a thread with limits of time and memory. A page beyond them ends its thread, and another one takes its
// place.

import { createLine } from '../../../../lib/few-at-once.ts'
import { askThread, createThreads, startThread } from '../../../../lib/threads/threads.ts'
import { type PageSyntax, type PageText, withoutSyntax } from './page-syntax.ts'

/** Never throws: a page beyond the limits has no code, so all of its text counts as content. */
export type ReadSyntax = (page: PageText) => Promise<PageSyntax>

export type SyntaxThreads = { readonly read: ReadSyntax; close(): Promise<void> }

const idleMs = 10_000
const timeMs = 15_000
const memoryMb = 256

/** The threads keep no process alive. */
export function createSyntaxThreads(): SyntaxThreads {
  const start = () => startThread(new URL('worker.ts', import.meta.url), memoryMb)
  const threads = createThreads({ start, idleMs, most: 1 })
  const inTurn = createLine({ atOnce: 1, waiting: Infinity, full: () => new Error('Nothing is refused.') })
  const ask = (page: PageText) =>
    threads.use((thread) => askThread<PageSyntax>(thread, page, AbortSignal.timeout(timeMs)))
  return {
    read: async (page) => (await inTurn(() => ask(page))) ?? withoutSyntax(page),
    close: () => threads.close(),
  }
}
