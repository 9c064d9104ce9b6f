// The pause of a loop between two passes, which a notification of the database can cut short.

import type { Clock } from '../lib/clock.ts'

export type Pause = {
  /** Ends the pause; during a pass the one after it, because the pass may have read before. */
  readonly wake: () => void
  /** Waits so many milliseconds, or until it is woken. */
  readonly wait: (clock: Clock, ms: number, signal: AbortSignal) => Promise<void>
}

/** `leastMs`: also when it is woken, so that many notifications make one pass. */
export function createPause(leastMs = 3_000): Pause {
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
