// Creates and reads the cursors of lists. A cursor is a letter for the list and the last item on the page, opaque to
// callers. It contains nothing that the page does not show.

import { invalidInput } from '../lib/failure.ts'

export type Cursor = {
  write(last: string): string
  /** Throws `invalid_input` for a text that is not a cursor of this list. */
  read(cursor: string): string
}

/** `form`: a regular expression for the text after the letter. */
export function createCursor(letter: string, form: string): Cursor {
  const pattern = new RegExp(`^${letter}(${form})$`)
  return {
    write: (last) => Buffer.from(`${letter}${last}`).toString('base64url'),
    read: (cursor) => pattern.exec(Buffer.from(cursor, 'base64url').toString())?.[1] ?? noCursor(),
  }
}

/** `rows`: those of the page, and one more if there is a next page. `keyOf`: the text of a row's cursor. */
export function toPage<Row>(
  rows: readonly Row[],
  { limit, cursor, keyOf }: { readonly limit: number; readonly cursor: Cursor; readonly keyOf: (row: Row) => string },
): { readonly page: readonly Row[]; readonly nextCursor: string | null } {
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return { page, nextCursor: rows.length > limit && last ? cursor.write(keyOf(last)) : null }
}

export function noCursor(): never {
  throw invalidInput('#/query/cursor', 'is not a cursor of this list')
}
