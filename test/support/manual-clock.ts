// A clock that does not move until a test moves it.

import type { Clock } from '../../src/lib/clock.ts'

export type ManualClock = Clock & {
  /** Lets this much time pass. Everything whose sleep ended has continued when this resolves. */
  pass(ms: number): Promise<void>
  /** The number of callers that sleep. */
  sleepers(): number
  /** Resolves when at least this many callers sleep. */
  untilAsleep(count: number): Promise<void>
}

export function createManualClock(start = new Date('2026-11-20T09:00:00Z')): ManualClock {
  const state = { now: start.getTime() }
  const sleeping = new Set<{ readonly at: number; readonly wake: () => void }>()
  const watching = new Set<() => void>()
  return {
    now: () => new Date(state.now),
    sleep: (ms, signal) => {
      const { promise, resolve } = Promise.withResolvers<void>()
      const sleeper = {
        at: state.now + ms,
        wake: () => {
          sleeping.delete(sleeper)
          signal?.removeEventListener('abort', sleeper.wake)
          resolve()
        },
      }
      sleeping.add(sleeper)
      signal?.addEventListener('abort', sleeper.wake)
      if (signal?.aborted || ms <= 0) sleeper.wake()
      for (const look of watching) look()
      return promise
    },
    pass: async (ms) => {
      state.now += ms
      for (const sleeper of sleeping) if (sleeper.at <= state.now) sleeper.wake()
      await new Promise((resolve) => setImmediate(resolve))
    },
    sleepers: () => sleeping.size,
    untilAsleep: (count) => {
      const { promise, resolve } = Promise.withResolvers<void>()
      const look = () => {
        if (sleeping.size < count) return
        watching.delete(look)
        resolve()
      }
      watching.add(look)
      look()
      return promise
    },
  }
}
