// Reads facts in threads with limits of time and memory. A file beyond them ends its thread, and another one takes its
// place.

import { createLine } from '../../lib/few-at-once.ts'
import { askThread, createThreads, startThread } from '../../lib/threads/threads.ts'
import type { ConfigFacts } from '../../sites/config-strings.ts'
import type { DataFacts } from './data-facts.ts'
import type { PageFacts } from './page-facts.ts'
import type { PageSyntax } from '../../docs-syntax/page.ts'

export type FactsTask =
  | { readonly kind: 'page'; readonly syntax: PageSyntax; readonly text: string }
  | { readonly kind: 'data' | 'config'; readonly path: string; readonly text: string }

export type Facts = PageFacts | DataFacts | ConfigFacts

export type FactsThreads = {
  /**
   * Undefined: the file is beyond the limits. Throws when closed, and what `open` throws, which is called when it is the
   * file's turn: the texts of all files do not wait in memory.
   */
  read(open: () => Promise<FactsTask>): Promise<Facts | undefined>
  /** Keeps the threads until the returned function is called, which is done once. */
  hold(): () => void
  close(): Promise<void>
}

type Limits = { readonly atOnce: number; readonly timeMs?: number; readonly memoryMb?: number }

const idleMs = 10_000

export function createFactsThreads({ atOnce, timeMs = 30_000, memoryMb = 512 }: Limits): FactsThreads {
  const start = () => startThread(new URL('worker.ts', import.meta.url), memoryMb)
  const threads = createThreads({ start, idleMs, most: atOnce })
  const inTurn = createLine({ atOnce, waiting: Infinity, full: () => new Error('Nothing is refused.') })
  return {
    read: (open) =>
      inTurn(() => threads.use(async (thread) => askThread<Facts>(thread, await open(), AbortSignal.timeout(timeMs)))),
    hold: threads.hold,
    close: () => threads.close(),
  }
}
