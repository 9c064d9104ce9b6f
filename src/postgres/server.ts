// A PostgreSQL server, through `pg`. No other file but `listener.ts` imports `pg`.
// A transaction whose process has stopped or lost its connection must not keep a job locked: the server ends it.

import { Socket } from 'node:net'
import { Kysely, PostgresDialect, type PostgresPool } from 'kysely'
import pg from 'pg'
import type { Log } from '../lib/observability/log.ts'
import { takeAdvisoryLock } from './advisory-lock.ts'
import { openListener } from './listener.ts'
import type { Postgres, ServerTime } from './types.ts'
import type { Schema } from './schema.ts'
import { toDatabaseFailure } from './unavailable.ts'

export type ServerOptions = {
  readonly url: string
  readonly connections: number
  readonly log: Log
  /** How long a response may take. After that the connection is closed. */
  readonly responseMs?: number
  /** How long `hold` waits for another process. */
  readonly lockWaitMs?: number
}

/** Longer than the server lets a statement run: no response until then means that the host or network is down. */
const longestResponseMs = 40_000
/** Longer than a request to a forge takes: what a process that lost its claim has sent has ended by then. */
const longestLockWaitMs = 35_000
/** Short, because the listener's statements do no work. */
const listenerResponseMs = 10_000
/** How long closing waits for running statements and for connections to end. */
const closingMs = 2_000

const int8 = 20
/** Identities, sums and counts stay far below 2^53. */
const types = new pg.TypeOverrides()
types.setTypeParser(int8, Number)

/** The options of every connection to the server; times are in milliseconds. */
function connectionOptions(url: string): pg.ClientConfig {
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

/** Connects with the first statement. A statement throws `unavailable` when its connection fails. */
export function openServer(options: ServerOptions): Postgres {
  const { url, connections, log, responseMs = longestResponseMs } = options
  const pool = new pg.Pool({
    ...connectionOptions(url),
    query_timeout: responseMs,
    max: connections,
    idleTimeoutMillis: 30_000,
    Client: ServerClient,
  })
  // An idle connection may be lost, in the pool or between two statements. Without a handler this ends the process.
  pool.on('error', (error) => log.warn({ reason: error.message }, 'a connection to the database was lost'))
  const clients = new Set<pg.PoolClient>()
  pool.on('connect', (client) => {
    clients.add(client)
    client.on('error', () => undefined)
    client.once('end', () => clients.delete(client))
  })
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool: withFailures(pool) }) })
  const listener = openListener(
    () => new pg.Client({ ...connectionOptions(url), query_timeout: listenerResponseMs }),
    log,
  )
  return {
    db,
    listen: (channel, handle) => listener.listen(channel, handle),
    hold: (name, signal) => takeAdvisoryLock(lockClient(options), name, { log, signal }),
    readTime: () => readTime(pool),
    close: async () => {
      await listener.close()
      const cutting = setTimeout(() => clients.forEach(cut), closingMs)
      await db.destroy()
      if (!pool.ended) await pool.end()
      await Promise.all([...clients].map(ended))
      clearTimeout(cutting)
    },
  }
}

/** The server must not end the statement that waits before the lock does. */
function lockClient({ url, lockWaitMs = longestLockWaitMs }: ServerOptions): pg.Client {
  const longest = lockWaitMs + 5_000
  return new pg.Client({
    ...connectionOptions(url),
    lock_timeout: lockWaitMs,
    statement_timeout: longest,
    query_timeout: longest,
  })
}

async function readTime(pool: pg.Pool): Promise<ServerTime> {
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

/** Throws the driver's many connection errors as `unavailable`, and closes a connection that does not respond. */
class ServerClient extends pg.Client {
  // oxlint-disable-next-line typescript/no-explicit-any -- the driver's overloads cannot be spelled otherwise
  override query(...args: any[]): any {
    // oxlint-disable-next-line typescript/no-explicit-any
    const result: unknown = (super.query as (...args: any[]) => unknown).apply(this, args)
    if (!(result instanceof Promise)) return result
    return result.catch((error: unknown) => {
      // The next statement would wait for the one that got no response.
      if (error instanceof Error && error.message === 'Query read timeout') void this.end().catch(() => undefined)
      return rethrow(error)
    })
  }
}

function withFailures(pool: pg.Pool): PostgresPool {
  return {
    connect: () => pool.connect().catch(rethrow),
    end: () => pool.end(),
    options: pool.options,
  }
}

function rethrow(error: unknown): never {
  throw toDatabaseFailure(error)
}
