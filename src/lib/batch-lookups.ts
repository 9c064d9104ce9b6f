// Combines look-ups that are made at the same moment into one statement. Nothing is cached: the statement is always
// sent after the call, so that a caller never gets an old row.

import DataLoader from 'dataloader'

const maxBatch = 100

/** `load` gets distinct keys and returns the rows that exist, in any order. */
export function batchLookups<Row>(
  load: (keys: readonly string[]) => Promise<readonly Row[]>,
  keyOf: (row: Row) => string,
): (key: string) => Promise<Row | undefined> {
  const loader = new DataLoader<string, Row | undefined>(
    async (keys) => {
      const rows = new Map((await load([...new Set(keys)])).map((row) => [keyOf(row), row]))
      return keys.map((key) => rows.get(key))
    },
    // Combines the requests that arrive in one turn of the event loop.
    { cache: false, maxBatchSize: maxBatch, batchScheduleFn: (dispatch) => void setImmediate(dispatch) },
  )
  return (key) => loader.load(key)
}
