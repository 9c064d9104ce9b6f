// The embedded PostgreSQL (PGlite) in a folder. No other file imports PGlite.
// PGlite has one connection and does not lock its folder: the caller owns the data directory while this is open.
//
// PGlite's own `query` calls the engine six times for a statement, and each call takes a tenth of a millisecond. A statement
// is sent in one call here: a look-up takes 0.5 ms of CPU time instead of 1.3.

import { constants } from 'node:fs'
import { cp } from 'node:fs/promises'
import { parse, PGlite, protocol } from '@electric-sql/pglite'
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  PGliteDialect,
  type QueryResult,
  sql,
} from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Db, Postgres } from './types.ts'
import type { Schema } from './schema.ts'
import { isDatabase, unpackTemplate } from './template.ts'
import { toDatabaseFailure } from './unavailable.ts'

/** Sixteen megabytes of shared buffers keep an idle service at 150 MB instead of 340 (measured). */
const settings = ['shared_buffers=16MB']

/**
 * The default of 4 is for disks that turn. With it, a look-up by an index seems to be dearer than reading all of a small
 * table, and each of the hundred look-ups of a list reads the whole table.
 */
const readingCost = 'set random_page_cost = 1.1'

/** Opens the database in the folder, or a new one if there is no whole database in it. */
export async function openEmbedded(directory: string): Promise<Postgres> {
  if (!isDatabase(directory)) await unpackTemplate(directory)
  const engine = new PGlite({ dataDir: directory, postgresqlconf: settings })
  await engine.waitReady
  await engine.exec(readingCost)
  const db = new Kysely<Schema>({ dialect: new EmbeddedDialect(engine) })
  return {
    db,
    listen: (channel, handle) => engine.listen(channel, handle),
    tidy: (signal) => tidy(db, signal),
    snapshot: (into) => snapshot(engine, directory, into),
    close: async () => {
      await db.destroy()
      if (!engine.closed) await engine.close()
    },
  }
}

/**
 * PGlite has no autovacuum. One statement for each table that has changed, so that requests run between them: with
 * 10,000 jobs all tables take 150 ms.
 */
async function tidy(db: Db, signal: AbortSignal): Promise<void> {
  const { rows } = await sql<{ name: string }>`/* tables.changed */ select relid::regclass::text as name
    from pg_stat_user_tables where n_dead_tup > 0 or n_mod_since_analyze > 0`.execute(db)
  for (const { name } of rows) {
    if (signal.aborted) return
    await sql`vacuum (analyze) ${sql.raw(name)}`.execute(db)
  }
}

/** Throws temporary errors, such as a full disk, as `unavailable`. */
class EmbeddedDialect extends PGliteDialect {
  readonly #engine: PGlite

  constructor(engine: PGlite) {
    super({ pglite: engine })
    this.#engine = engine
  }

  override createDriver(): Driver {
    const driver = super.createDriver()
    const execute = createExecute(this.#engine)
    const wrapped = new WeakSet<DatabaseConnection>()
    const acquire = driver.acquireConnection.bind(driver)
    driver.acquireConnection = async (options) => {
      const connection = await acquire(options)
      if (wrapped.has(connection)) return connection
      wrapped.add(connection)
      connection.executeQuery = async <Row>(query: CompiledQuery) => {
        try {
          return (await execute(query)) as QueryResult<Row>
        } catch (error) {
          throw toDatabaseFailure(error)
        }
      }
      return connection
    }
    return driver
  }
}

/** Statements whose types are known. */
const mostKnown = 2_000
const { serialize } = protocol

/** Kysely lets one statement or transaction follow another; the lock of the engine also keeps `listen` out of the way. */
function createExecute(engine: PGlite) {
  const known = new LRUCache<string, readonly number[]>({ max: mostKnown })
  return (query: CompiledQuery): Promise<QueryResult<unknown>> =>
    engine.runExclusive(async () => {
      const types = known.get(query.sql) ?? (await readTypes(engine, query))
      known.set(query.sql, types)
      const values = query.parameters.map((value, at) => toText(engine, types[at], value))
      const messages = await engine.execProtocolStream(
        Buffer.concat([
          serialize.parse({ text: query.sql }),
          serialize.bind({ values }),
          serialize.describe({ type: 'P' }),
          serialize.execute(),
          serialize.sync(),
        ]),
      )
      const [result] = parse.parseResults([...messages], engine.parsers, { rowMode: 'object' })
      const { affectedRows, rows = [] } = result ?? {}
      return { rows, ...(affectedRows === undefined ? {} : { numAffectedRows: BigInt(affectedRows) }) }
    })
}

/** The types of the parameters of a statement. They stay the same: migrations only add. */
async function readTypes(engine: PGlite, { sql, parameters }: CompiledQuery): Promise<readonly number[]> {
  if (parameters.length === 0) return []
  const messages = await engine.execProtocolStream(
    Buffer.concat([serialize.parse({ text: sql }), serialize.describe({ type: 'S' }), serialize.sync()]),
  )
  return parse.parseDescribeStatementResults([...messages])
}

function toText(engine: PGlite, type: number | undefined, value: unknown): string | null {
  if (value === null || value === undefined) return null
  const serializer = type === undefined ? undefined : engine.serializers[type]
  return serializer ? serializer(value) : `${value as string | number | bigint | boolean}`
}

/** Copies the files while no statement runs and changes them; the copy is in the state that a crash would leave. */
async function snapshot(engine: PGlite, directory: string, into: string): Promise<void> {
  await engine.exec('checkpoint')
  await engine.runExclusive(async () => {
    await cp(directory, into, { recursive: true, mode: constants.COPYFILE_FICLONE })
  })
}
