// Combines look-ups made in the same turn of the event loop into one SQL query of at most 100 keys. Nothing is cached:
// every look-up is queried after it was requested, so it cannot return a stale row.

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
    { cache: false, maxBatchSize: maxBatch, batchScheduleFn: (dispatch) => void setImmediate(dispatch) },
  )
  return (key) => loader.load(key)
}
