// The connections for reading. A query takes a free one or waits for one, and is cancelled when its caller gives up.
// A connection is passed on only after its query has ended on the store.

import { randomUUID } from 'node:crypto'
import type { ClickHouseClient, ClickHouseSettings } from '@clickhouse/client'
import { abortable } from '../lib/abortable.ts'
import { Failure } from '../lib/failure.ts'
import { type Params, runQuery } from './query.ts'
import { throwStoreFailure } from './store-error.ts'

export type Readers = {
  readonly read: <T>(sql: string, params: Params, signal?: AbortSignal) => Promise<readonly T[]>
  /** Cancels all running queries and waits until they have ended. */
  readonly endAll: () => Promise<void>
}

export type ReaderOptions = {
  readonly settings: ClickHouseSettings
  /** How long a query waits for a connection. */
  readonly waitMs: number
}

/** `ending`: the connection that cancels queries. */
export function openReaders(
  clients: readonly ClickHouseClient[],
  ending: ClickHouseClient,
  { settings, waitMs }: ReaderOptions,
): Readers {
  const { take, give } = createPool(clients, waitMs)
  const running = new Map<string, Promise<unknown>>()
  const begin = <T>(client: ClickHouseClient, sql: string, params: Params) => {
    const name = randomUUID()
    const rows = runQuery<T>(client, { sql: `/* ${name} */ ${sql}`, params, settings }).finally(() => {
      running.delete(name)
      give(client)
    })
    running.set(name, rows)
    return { name, rows: rows.catch(throwStoreFailure) }
  }
  return {
    read: async <T>(sql: string, params: Params, signal?: AbortSignal) => {
      const client = await take(signal)
      if (signal?.aborted) {
        give(client)
        throw signal.reason
      }
      const { name, rows } = begin<T>(client, sql, params)
      try {
        return await abortable(rows, signal)
      } finally {
        if (running.has(name)) void end(ending, name)
      }
    },
    endAll: async () => {
      await Promise.all([...running.keys()].map((name) => end(ending, name)))
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
    const tooLong = AbortSignal.timeout(waitMs)
    const over = signal ? AbortSignal.any([signal, tooLong]) : tooLong
    const { promise, resolve, reject } = Promise.withResolvers<ClickHouseClient>()
    const leave = () => {
      waiting.delete(taken)
      reject(signal?.aborted ? signal.reason : busy())
    }
    const taken = (client: ClickHouseClient) => {
      over.removeEventListener('abort', leave)
      resolve(client)
    }
    waiting.add(taken)
    if (over.aborted) leave()
    else over.addEventListener('abort', leave, { once: true })
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
  return new Failure('unavailable', 'Too many exports are running: send the request again later.', { retryAfter: 10 })
}

/** Never throws: a query that cannot be cancelled ends at its time limit. */
async function end(client: ClickHouseClient, name: string): Promise<void> {
  const query = `KILL QUERY WHERE startsWith(query, {mark:String}) ASYNC`
  await client.command({ query, query_params: { mark: `/* ${name} */` } }).catch(() => undefined)
}
