// Threads for work that may end or hang its thread. One that did its work is kept for the next, because starting a thread
// with the parser of pages takes a second on a busy machine. It ends when nothing came for a while, and keeps no process
// alive.

import type { Worker } from 'node:worker_threads'

/** Runs work on a thread of its own. A thread whose work returns undefined or rejects ends. */
export type UseThread = <Result>(work: (thread: Worker) => Promise<Result | undefined>) => Promise<Result | undefined>

type Kept = { readonly thread: Worker; readonly timer: NodeJS.Timeout }

export function createThreads({ start, idleMs }: { readonly start: () => Worker; readonly idleMs: number }): UseThread {
  let kept: Kept | undefined
  /** Also of a thread that is dead already. */
  const release = (): Worker | undefined => {
    const thread = kept?.thread
    clearTimeout(kept?.timer)
    kept = undefined
    thread?.ref()
    return thread
  }
  const begin = (): Worker => {
    const thread = start()
    // An error ends the thread, and its end is what counts.
    thread.on('error', () => undefined)
    thread.once('exit', () => {
      if (kept?.thread === thread) release()
    })
    return thread
  }
  const keep = (thread: Worker) => {
    thread.unref()
    kept = { thread, timer: setTimeout(() => void release()?.terminate(), idleMs).unref() }
  }
  return async (work) => {
    const thread = release() ?? begin()
    let result
    try {
      result = await work(thread)
      return result
    } finally {
      if (result !== undefined && kept === undefined) keep(thread)
      else await thread.terminate()
    }
  }
}
