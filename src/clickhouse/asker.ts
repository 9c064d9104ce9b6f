// For whom queries run: the reading connections serve askers in turn, and add up what each of them costs the store. Work that
// asks on behalf of someone needs to pass nothing on.

import { AsyncLocalStorage } from 'node:async_hooks'

export type Asker = {
  /** Askers with the same id share their turns. */
  readonly id: string
  /** The milliseconds that the store has worked for it. Of the time in which several queries run, each has an equal part. */
  spentMs: number
}

const askers = new AsyncLocalStorage<Asker>()

/** All queries of the work run for the asker. */
export function askFor<T>(asker: Asker, work: () => T): T {
  return askers.run(asker, work)
}

/** For work that an asker begins and everyone uses. */
export function askForAll<T>(work: () => T): T {
  return askers.exit(work)
}

/** Undefined: the service itself asks. */
export function currentAsker(): Asker | undefined {
  return askers.getStore()
}

export type Meter = {
  readonly begin: (query: string, asker: Asker | undefined) => void
  readonly end: (query: string) => void
  /** Adds the time up to now, of queries that still run. */
  readonly count: () => void
}

/** Divides the time of the store among the queries that run, so that a query costs the same beside others as alone. */
export function createMeter(now: () => number): Meter {
  const running = new Map<string, Asker | undefined>()
  let countedTo = now()
  const count = () => {
    const until = now()
    for (const asker of running.values()) if (asker) asker.spentMs += (until - countedTo) / running.size
    countedTo = until
  }
  return {
    count,
    begin: (query, asker) => {
      count()
      running.set(query, asker)
    },
    end: (query) => {
      count()
      running.delete(query)
    },
  }
}
