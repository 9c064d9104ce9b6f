// PostgreSQL at an address, through `pg`. Met here and in `listener.ts` alone.
// A transaction that its process forgot (stopped, cut off) must not hold a job's lock: the server ends it.

import { Kysely, PostgresDialect, type PostgresPool } from 'kysely'
import pg from 'pg'
import type { Log } from '../lib/log.ts'
import { openListener } from './listener.ts'
import type { Postgres } from './open.ts'
import type { Schema } from './schema.ts'
import { toDatabaseFailure } from './unavailable.ts'

export type ServerOptions = { readonly url: string; readonly connections: number; readonly log: Log }

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
export function openServer({ url, connections, log }: ServerOptions): Postgres {
  const pool = new pg.Pool({
    ...connectionOptions(url),
    max: connections,
    idleTimeoutMillis: 30_000,
    Client: TellingClient,
  })
  // A connection may be lost while it idles, in the pool or between two statements: no reason to end the process.
  pool.on('error', (error) => log.warn({ reason: error.message }, 'a connection to the database was lost'))
  pool.on('connect', (client) => client.on('error', () => undefined))
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool: telling(pool) }) })
  const listener = openListener(() => new pg.Client(connectionOptions(url)), log)
  return {
    db,
    listen: (channel, heard) => listener.listen(channel, heard),
    close: async () => {
      await listener.close()
      await db.destroy()
      if (!pool.ended) await pool.end()
    },
  }
}

/** Says `unavailable` where the driver says one of many other things. */
class TellingClient extends pg.Client {
  // oxlint-disable-next-line typescript/no-explicit-any -- the driver's overloads cannot be spelled otherwise
  override query(...args: any[]): any {
    // oxlint-disable-next-line typescript/no-explicit-any
    const asked: unknown = (super.query as (...args: any[]) => unknown).apply(this, args)
    return asked instanceof Promise ? asked.catch(rethrow) : asked
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
