// Time as an object that is passed in, so that tests control it. No other code in the service reads the time or sleeps.

import { setTimeout as delay } from 'node:timers/promises'

export interface Clock {
  now(): Date
  /** Waits `ms` milliseconds; an aborted signal ends the wait early and quietly. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

/**
 * The time by which upkeep judges what is old. undefined: the clock cannot be trusted now, so leave everything as it
 * is. Ask again for every sweep, and take no time from anywhere else.
 */
export type UpkeepTime = () => Promise<Date | undefined>

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
