// A lock within this process: work that was handed in runs one after the other, in order.

export type Lock = <T>(work: () => Promise<T>) => Promise<T>

/** A failed piece of work does not stop the next one. Not re-entrant: work must not hand in work and wait for it. */
export function createLock(): Lock {
  const state: { last: Promise<unknown> } = { last: Promise.resolve() }
  return async (work) => {
    const mine = state.last.then(work)
    state.last = mine.catch(() => {})
    return await mine
  }
}
