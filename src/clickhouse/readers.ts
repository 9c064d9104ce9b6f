// Reads on several connections. A query takes a connection of the pool or waits for one, in a fair order by
// `params.projectId` and by asker, and is cancelled when its caller gives up. A connection goes to the next query only after
// its last one has ended in the store.

import { randomUUID } from 'node:crypto'
import type { ClickHouseClient, ClickHouseSettings } from '@clickhouse/client'
import { abortable } from '../lib/abortable.ts'
import { createMeter, currentAsker } from './asker.ts'
import { createPool, type Party } from './pool.ts'
import { type Params, runQuery } from './query.ts'
import { throwStoreFailure } from './store-error.ts'

export type Readers = {
  readonly read: <T>(sql: string, params: Params, signal?: AbortSignal) => Promise<readonly T[]>
  /** Cancels all running queries and waits until they have ended. Queries that wait for a connection still run. */
  readonly endAll: () => Promise<void>
}

export type ReaderOptions = {
  readonly settings: ClickHouseSettings
  /** How long a query waits for a connection. */
  readonly waitMs: number
  /** Milliseconds, of any beginning. */
  readonly now?: () => number
}

type Asked = { readonly sql: string; readonly params: Params; readonly party: Party }

/** `canceller`: a connection that is used for cancelling queries only. */
export function openReaders(
  clients: readonly ClickHouseClient[],
  canceller: ClickHouseClient,
  { settings, waitMs, now = () => performance.now() }: ReaderOptions,
): Readers {
  const { take, give } = createPool(clients, waitMs)
  const running = new Map<string, Promise<unknown>>()
  const meter = createMeter(now)
  const begin = <T>(client: ClickHouseClient, { sql, params, party }: Asked) => {
    // Marked by a comment in the text, by which KILL QUERY finds it on either engine.
    const tag = randomUUID()
    meter.begin(tag, currentAsker())
    const rows = runQuery<T>(client, { sql: `/* ${tag} */ ${sql}`, params, settings }).finally(() => {
      meter.end(tag)
      running.delete(tag)
      give(party, client)
    })
    running.set(tag, rows)
    return { tag, rows: rows.catch(throwStoreFailure) }
  }
  return {
    read: async <T>(sql: string, params: Params, signal?: AbortSignal) => {
      const project = typeof params['projectId'] === 'string' ? params['projectId'] : ''
      const party = { project, asker: currentAsker()?.id }
      const client = await take(party, signal)
      if (signal?.aborted) {
        give(party, client)
        throw signal.reason
      }
      const { tag, rows } = begin<T>(client, { sql, params, party })
      try {
        return await abortable(rows, signal)
      } finally {
        // Still running: the caller gave up.
        if (running.has(tag)) {
          meter.count()
          void cancel(canceller, tag)
        }
      }
    },
    endAll: async () => {
      await Promise.all([...running.keys()].map((tag) => cancel(canceller, tag)))
      await Promise.allSettled(running.values())
    },
  }
}

/** Never throws: a query that cannot be cancelled ends at its time limit. */
async function cancel(client: ClickHouseClient, tag: string): Promise<void> {
  const query = `KILL QUERY WHERE startsWith(query, {mark:String}) ASYNC`
  await client.command({ query, query_params: { mark: `/* ${tag} */` } }).catch(() => undefined)
}
