// A second try, at once, of a read that may succeed then: a mirror that was damaged or just replaced is made again by
// the next read.

import { Failure } from './failure.ts'

/** `read` runs again after `unavailable`, and after nothing else. */
export async function onceMore<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'unavailable') throw error
    return read()
  }
}
