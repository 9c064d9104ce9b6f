// The pause of a loop between two passes, which a notification of the database can cut short.

import type { Clock } from '../lib/clock.ts'

export type Pause = {
  /** Ends the pause; during a pass the one after it, because the pass may have read before. */
  readonly wake: () => void
  /** Waits so many milliseconds, or until it is woken. Three seconds at least, so that many notifications make one pass. */
  readonly wait: (clock: Clock, ms: number, signal: AbortSignal) => Promise<void>
}

const leastMs = 3_000

export function createPause(): Pause {
  let woken = new AbortController()
  return {
    wake: () => woken.abort(),
    wait: async (clock, ms, signal) => {
      const began = clock.now().getTime()
      await clock.sleep(ms, AbortSignal.any([signal, woken.signal]))
      const rest = Math.min(ms, leastMs) - Math.max(0, clock.now().getTime() - began)
      if (rest > 0) await clock.sleep(rest, signal)
      woken = new AbortController()
    },
  }
}
