// The cursors of our lists: opaque to callers, a letter for the list and the number of the last thing on the page.

import { Failure } from '../lib/failure.ts'

export type Cursor = {
  write(last: number): string
  /** Throws `invalid_input` for what is no cursor of this list. */
  read(cursor: string): number
}

/** `mostDigits`: what the column of the number can hold. */
export function createCursor(letter: string, mostDigits: number): Cursor {
  const pattern = new RegExp(`^${letter}(\\d{1,${mostDigits}})$`)
  return {
    write: (last) => Buffer.from(`${letter}${last}`).toString('base64url'),
    read: (cursor) => {
      const digits = pattern.exec(Buffer.from(cursor, 'base64url').toString())?.[1]
      if (digits !== undefined) return Number(digits)
      const message = 'is not a cursor of this list'
      const details = [{ message, pointer: '#/query/cursor' }]
      throw new Failure('invalid_input', `\`cursor\` ${message}.`, { details })
    },
  }
}
