// A lock within this process: runs pieces of work one after another, in the order in which they came.

export type Lock = <T>(work: () => Promise<T>) => Promise<T>

/**
 * Runs each piece of work after the previous one, even if that failed. Not re-entrant: work that waits for its own lock
 * never ends.
 */
export function createLock(): Lock {
  const state: { last: Promise<unknown> } = { last: Promise.resolve() }
  return async (work) => {
    const mine = state.last.then(work)
    state.last = mine.catch(() => {})
    return await mine
  }
}
