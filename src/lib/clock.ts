// Passes time in as an object, so that tests can control it. Code that waits takes a `Clock`.

import { setTimeout as delay } from 'node:timers/promises'

export interface Clock {
  now(): Date
  /** Waits `ms` milliseconds; an aborted signal ends the wait early and quietly. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

/**
 * Returns the time that upkeep compares ages with, or undefined if the clock cannot be trusted; then delete nothing. Call
 * it once per sweep, and use no other clock. The time guard implements it.
 */
export type ReadUpkeepTime = () => Promise<Date | undefined>

export const systemClock: Clock = {
  now: () => new Date(),
  sleep: async (ms, signal) => {
    try {
      await delay(ms, undefined, signal ? { signal } : {})
    } catch (error) {
      if (!signal?.aborted) throw error
    }
  },
}
