// A pool of read connections. A query takes a free connection or waits for one, and is cancelled when its caller gives
// up. A connection goes to the next query only after its last one has ended in the store.

import { randomUUID } from 'node:crypto'
import type { ClickHouseClient, ClickHouseSettings } from '@clickhouse/client'
import { abortable } from '../lib/abortable.ts'
import { Failure } from '../lib/failure.ts'
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
}

/** `canceller`: a connection that is used for cancelling queries only. */
export function openReaders(
  clients: readonly ClickHouseClient[],
  canceller: ClickHouseClient,
  { settings, waitMs }: ReaderOptions,
): Readers {
  const { take, give } = createPool(clients, waitMs)
  const running = new Map<string, Promise<unknown>>()
  const begin = <T>(client: ClickHouseClient, sql: string, params: Params) => {
    // Marked by a comment in the text, by which KILL QUERY finds it on either engine.
    const tag = randomUUID()
    const rows = runQuery<T>(client, { sql: `/* ${tag} */ ${sql}`, params, settings }).finally(() => {
      running.delete(tag)
      give(client)
    })
    running.set(tag, rows)
    return { tag, rows: rows.catch(throwStoreFailure) }
  }
  return {
    read: async <T>(sql: string, params: Params, signal?: AbortSignal) => {
      const client = await take(signal)
      if (signal?.aborted) {
        give(client)
        throw signal.reason
      }
      const { tag, rows } = begin<T>(client, sql, params)
      try {
        return await abortable(rows, signal)
      } finally {
        // Still running: the caller gave up.
        if (running.has(tag)) void cancel(canceller, tag)
      }
    },
    endAll: async () => {
      await Promise.all([...running.keys()].map((tag) => cancel(canceller, tag)))
      await Promise.allSettled(running.values())
    },
  }
}

function createPool(clients: readonly ClickHouseClient[], waitMs: number) {
  const free = [...clients]
  const waiting = new Set<(client: ClickHouseClient) => void>()
  const take = async (signal?: AbortSignal): Promise<ClickHouseClient> => {
    const client = free.pop()
    if (client) return client
    const timeout = AbortSignal.timeout(waitMs)
    const cancelled = signal ? AbortSignal.any([signal, timeout]) : timeout
    const { promise, resolve, reject } = Promise.withResolvers<ClickHouseClient>()
    const giveUp = () => {
      waiting.delete(receive)
      reject(signal?.aborted ? signal.reason : busy())
    }
    const receive = (client: ClickHouseClient) => {
      cancelled.removeEventListener('abort', giveUp)
      resolve(client)
    }
    waiting.add(receive)
    if (cancelled.aborted) giveUp()
    else cancelled.addEventListener('abort', giveUp, { once: true })
    return promise
  }
  const give = (client: ClickHouseClient) => {
    const [next] = waiting
    if (next) {
      waiting.delete(next)
      next(client)
    } else {
      free.push(client)
    }
  }
  return { take, give }
}

function busy(): Failure {
  return new Failure('unavailable', 'Too many queries are running. Send the request again later.', { retryAfter: 10 })
}

/** Never throws: a query that cannot be cancelled ends at its time limit. */
async function cancel(client: ClickHouseClient, tag: string): Promise<void> {
  const query = `KILL QUERY WHERE startsWith(query, {mark:String}) ASYNC`
  await client.command({ query, query_params: { mark: `/* ${tag} */` } }).catch(() => undefined)
}
