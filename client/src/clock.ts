// Time as an object that callers pass in, so that tests control it.

export type Clock = {
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Waits. An aborted signal ends the wait early, without an error. Only a `held` wait keeps the process alive. */
  readonly sleep: (ms: number, signal: AbortSignal, held?: 'held') => Promise<void>
}

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: async (ms, signal, held) => {
    await new Promise<void>((resolve) => {
      if (signal.aborted) return resolve()
      const end = () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', end)
        resolve()
      }
      const timer = setTimeout(end, ms)
      // In edge functions the timer is a number, without `unref`.
      if (held === undefined && typeof timer === 'object') timer.unref()
      signal.addEventListener('abort', end)
    })
  },
}
