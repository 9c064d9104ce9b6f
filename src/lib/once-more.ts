// Repeats a read once, immediately. A mirror that was damaged or just replaced is recreated by the next read.

import { Failure } from './failure.ts'

/** Repeats `read` only after the failure `unavailable`. */
export async function onceMore<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'unavailable') throw error
    return read()
  }
}
