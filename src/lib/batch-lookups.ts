// One look-up for all who ask in the same moment. Nothing is remembered: who asks is answered by a statement that was
// sent after they asked.

import DataLoader from 'dataloader'

const most = 100

/** `load` gives the rows that there are of distinct keys, in any order. */
export function together<Row>(
  load: (keys: readonly string[]) => Promise<readonly Row[]>,
  keyOf: (row: Row) => string,
): (key: string) => Promise<Row | undefined> {
  const loader = new DataLoader<string, Row | undefined>(
    async (keys) => {
      const rows = new Map((await load([...new Set(keys)])).map((row) => [keyOf(row), row]))
      return keys.map((key) => rows.get(key))
    },
    // The requests that wait in the sockets of one turn of the event loop go together.
    { cache: false, maxBatchSize: most, batchScheduleFn: (dispatch) => void setImmediate(dispatch) },
  )
  return (key) => loader.load(key)
}
