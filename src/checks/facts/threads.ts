// Reads facts in threads with limits of time and memory. A file beyond them ends its thread, and another one takes its
// place. Threads start when they are needed and end when nothing is left to do for a while.

import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { ConfigFacts } from './config-strings.ts'
import type { DataFacts } from './data-facts.ts'
import type { PageFacts, PageSyntax } from './page-facts.ts'

export type FactsTask =
  | { readonly kind: 'page'; readonly syntax: PageSyntax; readonly text: string }
  | { readonly kind: 'data' | 'config'; readonly path: string; readonly text: string }

export type Facts = PageFacts | DataFacts | ConfigFacts

export type FactsThreads = {
  /** Undefined: the file is beyond the limits. Throws when closed. */
  read(task: FactsTask): Promise<Facts | undefined>
  close(): Promise<void>
}

type Limits = { readonly atOnce: number; readonly timeMs: number; readonly memoryMb: number; readonly idleMs: number }

type Thread = { readonly worker: Worker; idle: NodeJS.Timeout | undefined }

const usual = { timeMs: 30_000, memoryMb: 512, idleMs: 10_000 }

export function createFactsThreads(given: Pick<Limits, 'atOnce'> & Partial<Limits>): FactsThreads {
  const limits: Limits = { ...usual, ...given }
  const all = new Set<Thread>()
  const free: Thread[] = []
  const waiting: (() => void)[] = []
  const state = { isClosed: false }

  const take = async (): Promise<Thread> => {
    for (;;) {
      if (state.isClosed) throw new Error('The threads are closed.')
      const thread = free.pop() ?? (all.size < limits.atOnce ? start() : undefined)
      if (thread) {
        clearTimeout(thread.idle)
        return thread
      }
      await new Promise<void>((resolve) => waiting.push(resolve))
    }
  }
  const start = (): Thread => {
    const worker = new Worker(new URL('worker.ts', import.meta.url), {
      execArgv: [],
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: limits.memoryMb },
    })
    // An error ends the thread, and its end is what counts.
    worker.on('error', () => undefined)
    const thread: Thread = { worker, idle: undefined }
    all.add(thread)
    return thread
  }
  const end = async (thread: Thread): Promise<void> => {
    all.delete(thread)
    clearTimeout(thread.idle)
    await thread.worker.terminate()
  }
  const giveBack = (thread: Thread): void => {
    free.push(thread)
    const stop = () => {
      const at = free.indexOf(thread)
      if (at !== -1) free.splice(at, 1)
      void end(thread)
    }
    thread.idle = setTimeout(stop, limits.idleMs).unref()
  }

  return {
    read: async (task) => {
      const thread = await take()
      const facts = await ask(thread.worker, task, limits.timeMs)
      if (facts && !state.isClosed) giveBack(thread)
      else await end(thread)
      waiting.shift()?.()
      return facts
    },
    close: async () => {
      state.isClosed = true
      for (const resume of waiting.splice(0)) resume()
      await Promise.all([...all].map(end))
    },
  }
}

/** Returns undefined when the thread ends, or the time does, before there are facts. */
async function ask(worker: Worker, task: FactsTask, timeMs: number): Promise<Facts | undefined> {
  const ended = new AbortController()
  const end = () => ended.abort()
  worker.once('exit', end)
  try {
    const signal = AbortSignal.any([AbortSignal.timeout(timeMs), ended.signal])
    const message = once(worker, 'message', { signal })
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    worker.postMessage(task)
    const [facts] = (await message) as [Facts]
    return facts
  } catch {
    // Also an error in the thread: it has run out of memory.
    return undefined
  } finally {
    worker.off('exit', end)
  }
}
