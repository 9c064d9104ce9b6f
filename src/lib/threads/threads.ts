// Threads for work that may end or hang its thread. Those that did their work are kept for the next, because starting a
// thread with the parser of pages takes a second on a busy machine. They end when nothing came for a while, and keep no
// process alive.

import { once } from 'node:events'
import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'
import { Worker } from 'node:worker_threads'

export type Threads = {
  /**
   * Runs work on a thread of its own. A thread whose work returns undefined or rejects ends. Throws what the work throws,
   * and an error after `close`.
   */
  readonly use: UseThread
  /** Keeps threads without work until the returned function is called, however long nothing comes. Call it once. */
  readonly hold: () => () => void
  /** Ends all threads. The work on them finds that its thread ended. */
  readonly close: () => Promise<void>
}

export type UseThread = <Result>(work: (thread: Worker) => Promise<Result | undefined>) => Promise<Result | undefined>

/** `most`: how many threads without work are kept. */
export type ThreadOptions = { readonly start: () => Worker; readonly idleMs: number; readonly most: number }

/** The memory for new objects. With the usual one, two threads that read 5,000 pages take 60 MB more, and no less time. */
const usualYoungMb = 24

/** `given`: its `workerData`. `youngMb`: the memory for new objects. */
type ThreadMore = { readonly given?: string; readonly youngMb?: number }

/**
 * Starts a thread that sees no environment and has a limit of memory. With the compiled code that the process keeps, its
 * start takes half the CPU time.
 */
export function startThread(script: URL, memoryMb: number, { given, youngMb = usualYoungMb }: ThreadMore = {}): Worker {
  const cache = getCompileCacheDir()
  return new Worker(script, {
    execArgv: [],
    workerData: given,
    // The folder is one of this version of Node.js in the one that was set.
    env: cache === undefined ? {} : { NODE_COMPILE_CACHE: dirname(cache) },
    resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: youngMb },
  })
}

export function createThreads({ start, idleMs, most }: ThreadOptions): Threads {
  const all = new Set<Worker>()
  /** Threads without work, with the timers that end them; undefined while they are held. */
  const kept = new Map<Worker, NodeJS.Timeout | undefined>()
  const state = { isClosed: false, holders: 0 }
  const release = (thread: Worker): Worker => {
    clearTimeout(kept.get(thread))
    kept.delete(thread)
    thread.ref()
    return thread
  }
  const begin = (): Worker => {
    const thread = start()
    all.add(thread)
    // An error ends the thread, and its end is what counts.
    thread.on('error', () => undefined)
    thread.once('exit', () => {
      all.delete(thread)
      release(thread)
    })
    return thread
  }
  const endLater = (thread: Worker): void => {
    kept.set(thread, setTimeout(() => void release(thread).terminate(), idleMs).unref())
  }
  const keep = (thread: Worker): void => {
    thread.unref()
    if (state.holders > 0) kept.set(thread, undefined)
    else endLater(thread)
  }
  return {
    use: async (work) => {
      if (state.isClosed) throw new Error('The threads are closed.')
      const [free] = kept.keys()
      const thread = free ? release(free) : begin()
      let result
      try {
        result = await work(thread)
        return result
      } finally {
        if (result !== undefined && kept.size < most && all.has(thread) && !state.isClosed) keep(thread)
        else await thread.terminate()
      }
    },
    hold: () => {
      state.holders += 1
      for (const [thread, timer] of kept) {
        clearTimeout(timer)
        kept.set(thread, undefined)
      }
      return () => {
        state.holders -= 1
        if (state.holders === 0) for (const thread of kept.keys()) endLater(thread)
      }
    },
    close: async () => {
      state.isClosed = true
      await Promise.all(Array.from(all, (thread) => thread.terminate()))
    },
  }
}

/** Sends a message and returns the next one; undefined if the thread ends, or the signal aborts, before it comes. */
export async function askThread<Sent>(
  thread: Worker,
  message: unknown,
  signal: AbortSignal,
): Promise<Sent | undefined> {
  const ended = new AbortController()
  const end = () => ended.abort()
  thread.once('exit', end)
  try {
    const next = once(thread, 'message', { signal: AbortSignal.any([signal, ended.signal]) })
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    thread.postMessage(message)
    const [sent] = (await next) as [Sent]
    return sent
  } catch {
    // Also an error in the thread: it has run out of memory.
    return undefined
  } finally {
    thread.off('exit', end)
  }
}
