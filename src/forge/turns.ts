// Lets callers of one process take turns by name: the writes to one branch of a repository never meet.

import { abortable } from '../lib/abortable.ts'

export interface Turns {
  /** Work that waits for its own name never ends. An aborted caller leaves the line. */
  take<T>(name: string, work: () => Promise<T>, signal: AbortSignal): Promise<T>
}

export function createTurns(): Turns {
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
        return await work()
      } finally {
        leave()
      }
    },
  }
}
