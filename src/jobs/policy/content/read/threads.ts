// Reads changed files in a thread with limits of time and memory: hostile ones take long. A file beyond them ends its
// thread, and another one takes its place.

import { createLine } from '../../../../lib/few-at-once.ts'
import { askThread, createThreads, startThread } from '../../../../lib/threads/threads.ts'
import type { Content } from './kinds.ts'
import { type Reading, unreadable } from '../reading.ts'

/** Never throws: a file beyond the limits is read without its syntax, or refused as a whole. */
export type ReadSyntax = (content: Content) => Promise<Reading>

export type SyntaxThreads = { readonly read: ReadSyntax; close(): Promise<void> }

/** `isText`: without a parser, so all of it counts as content. */
export type Question = { readonly content: Content; readonly isText: boolean }

/** They hold for each thread that reads or judges what others wrote. */
export const limits = { idleMs: 10_000, timeMs: 15_000, memoryMb: 256 }

/** The threads keep no process alive. */
export function createSyntaxThreads(): SyntaxThreads {
  const { idleMs, timeMs, memoryMb } = limits
  const start = () => startThread(new URL('worker.ts', import.meta.url), memoryMb)
  const threads = createThreads({ start, idleMs, most: 1 })
  const inTurn = createLine({ atOnce: 1, waiting: Infinity, full: () => new Error('Nothing is refused.') })
  const ask = (question: Question) =>
    threads.use((thread) => askThread<Reading>(thread, question, AbortSignal.timeout(timeMs)))
  return {
    read: (content) =>
      inTurn(async () => {
        const reading = await ask({ content, isText: false })
        return reading ?? (await ask({ content, isText: true })) ?? unreadable(content)
      }),
    close: () => threads.close(),
  }
}
