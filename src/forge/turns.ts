// Lets callers take turns by name, so that the writes to one branch of a repository never meet: those of one process,
// and with `hold` those of all processes that share a database.

import { abortable } from '../lib/abortable.ts'

export interface Turns {
  /** Work that waits for its own name never ends. An aborted caller leaves the line. */
  take<T>(name: string, work: () => Promise<T>, signal: AbortSignal): Promise<T>
}

/** Takes a lock that other processes see, and returns its release. */
export type Hold = (name: string, signal: AbortSignal) => Promise<() => Promise<void>>

export function createTurns(hold?: Hold): Turns {
  const last = new Map<string, Promise<void>>()
  return {
    take: async (name, work, signal) => {
      const before = last.get(name) ?? Promise.resolve()
      const { promise: left, resolve: leave } = Promise.withResolvers<void>()
      const mine = before.then(() => left)
      last.set(name, mine)
      void mine.then(() => last.get(name) === mine && last.delete(name))
      try {
        await abortable(before, signal)
        const release = await hold?.(name, signal)
        try {
          return await work()
        } finally {
          await release?.()
        }
      } finally {
        leave()
      }
    },
  }
}
