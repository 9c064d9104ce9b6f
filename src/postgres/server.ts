// PostgreSQL at an address, through `pg`. Met here and in `listener.ts` alone.
// A transaction that its process forgot (stopped, cut off) must not hold a job's lock: the server ends it.

import { Socket } from 'node:net'
import { Kysely, PostgresDialect, type PostgresPool } from 'kysely'
import pg from 'pg'
import type { Log } from '../lib/observability/log.ts'
import { openListener } from './listener.ts'
import type { Postgres, ServerTime } from './types.ts'
import type { Schema } from './schema.ts'
import { toDatabaseFailure } from './unavailable.ts'

export type ServerOptions = {
  readonly url: string
  readonly connections: number
  readonly log: Log
  /** How long an answer may take; after that its connection is cut. */
  readonly answerMs?: number
}

/** The server ends a statement before that. What is later comes from a host or over a network that is gone. */
const longestAnswerMs = 40_000
/** Statements of the listener do nothing. */
const listenerAnswerMs = 10_000
/** For the statements that are at work and the goodbyes when all is closed. */
const partingMs = 2_000

const int8 = 20
/** Identities, sums and counts stay far below 2^53. */
const types = new pg.TypeOverrides()
types.setTypeParser(int8, Number)

/** What every connection of ours asks for; the times are in milliseconds. */
export function connectionOptions(url: string): pg.ClientConfig {
  return {
    connectionString: url,
    application_name: 'docent',
    keepAlive: true,
    connectionTimeoutMillis: 5_000,
    statement_timeout: 30_000,
    lock_timeout: 15_000,
    idle_in_transaction_session_timeout: 10_000,
    types,
  }
}

/** Nothing is connected yet. Failures of the connection are thrown as `unavailable` by whatever is asked. */
export function openServer({ url, connections, log, answerMs = longestAnswerMs }: ServerOptions): Postgres {
  const pool = new pg.Pool({
    ...connectionOptions(url),
    query_timeout: answerMs,
    max: connections,
    idleTimeoutMillis: 30_000,
    Client: TellingClient,
  })
  // A connection may be lost while it idles, in the pool or between two statements: no reason to end the process.
  pool.on('error', (error) => log.warn({ reason: error.message }, 'a connection to the database was lost'))
  const clients = new Set<pg.PoolClient>()
  pool.on('connect', (client) => {
    clients.add(client)
    client.on('error', () => undefined)
    client.once('end', () => clients.delete(client))
  })
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool: telling(pool) }) })
  const listener = openListener(
    () => new pg.Client({ ...connectionOptions(url), query_timeout: listenerAnswerMs }),
    log,
  )
  return {
    db,
    listen: (channel, handle) => listener.listen(channel, handle),
    askTime: () => askTime(pool),
    close: async () => {
      await listener.close()
      const cutting = setTimeout(() => clients.forEach(cut), partingMs)
      await db.destroy()
      if (!pool.ended) await pool.end()
      await Promise.all([...clients].map(ended))
      clearTimeout(cutting)
    },
  }
}

async function askTime(pool: pg.Pool): Promise<ServerTime> {
  const client = await pool.connect().catch(rethrow)
  try {
    const { rows } = await client.query<{ now: Date }>('/* clock */ select clock_timestamp() as now')
    return { now: rows[0]?.now ?? new Date(Number.NaN), address: addressOf(client) }
  } finally {
    client.release()
  }
}

function addressOf(client: pg.ClientBase): string | undefined {
  const stream = client instanceof pg.Client ? client.connection.stream : undefined
  return stream instanceof Socket ? stream.remoteAddress : undefined
}

function ended(client: pg.ClientBase): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  client.once('end', resolve)
  return promise
}

function cut(client: pg.ClientBase): void {
  if (client instanceof pg.Client) client.connection.stream.destroy()
}

/** Says `unavailable` where the driver says one of many other things, and gives up a connection that is silent. */
class TellingClient extends pg.Client {
  // oxlint-disable-next-line typescript/no-explicit-any -- the driver's overloads cannot be spelled otherwise
  override query(...args: any[]): any {
    // oxlint-disable-next-line typescript/no-explicit-any
    const asked: unknown = (super.query as (...args: any[]) => unknown).apply(this, args)
    if (!(asked instanceof Promise)) return asked
    return asked.catch((error: unknown) => {
      // What is asked next would wait behind the statement that has no answer.
      if (error instanceof Error && error.message === 'Query read timeout') void this.end().catch(() => undefined)
      return rethrow(error)
    })
  }
}

function telling(pool: pg.Pool): PostgresPool {
  return {
    connect: () => pool.connect().catch(rethrow),
    end: () => pool.end(),
    options: pool.options,
  }
}

function rethrow(error: unknown): never {
  throw toDatabaseFailure(error)
}
