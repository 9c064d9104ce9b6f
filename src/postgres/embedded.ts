// The embedded PostgreSQL (PGlite) in a folder. No other file imports PGlite.
// PGlite has one connection and does not lock its folder: the caller owns the data directory while this is open.

import { constants } from 'node:fs'
import { cp, mkdir } from 'node:fs/promises'
import { PGlite } from '@electric-sql/pglite'
import { type DatabaseConnection, type Driver, Kysely, PGliteDialect } from 'kysely'
import type { Postgres } from './types.ts'
import type { Schema } from './schema.ts'
import { toDatabaseFailure } from './unavailable.ts'

/** Sixteen megabytes of shared buffers keep an idle service at 150 MB instead of 340 (measured). */
const settings = ['shared_buffers=16MB']

/** `directory` undefined: in memory. */
export async function openEmbedded(directory: string | undefined): Promise<Postgres> {
  if (directory) await mkdir(directory, { recursive: true, mode: 0o700 })
  const engine = new PGlite({ ...(directory ? { dataDir: directory } : {}), postgresqlconf: settings })
  await engine.waitReady
  const db = new Kysely<Schema>({ dialect: new EmbeddedDialect({ pglite: engine }) })
  return {
    db,
    listen: (channel, handle) => engine.listen(channel, handle),
    ...(directory ? { snapshot: (into) => snapshot(engine, directory, into) } : {}),
    close: async () => {
      await db.destroy()
      if (!engine.closed) await engine.close()
    },
  }
}

/** Throws temporary errors, such as a full disk, as `unavailable`. */
class EmbeddedDialect extends PGliteDialect {
  override createDriver(): Driver {
    const driver = super.createDriver()
    const wrapped = new WeakSet<DatabaseConnection>()
    const acquire = driver.acquireConnection.bind(driver)
    driver.acquireConnection = async (options) => {
      const connection = await acquire(options)
      if (wrapped.has(connection)) return connection
      wrapped.add(connection)
      const execute = connection.executeQuery.bind(connection)
      connection.executeQuery = async <Row>(...args: Parameters<typeof execute>) => {
        try {
          return await execute<Row>(...args)
        } catch (error) {
          throw toDatabaseFailure(error)
        }
      }
      return connection
    }
    return driver
  }
}

/** Copies the files while no statement runs and changes them; the copy is in the state that a crash would leave. */
async function snapshot(engine: PGlite, directory: string, into: string): Promise<void> {
  await engine.exec('checkpoint')
  await engine.runExclusive(async () => {
    await cp(directory, into, { recursive: true, mode: constants.COPYFILE_FICLONE })
  })
}
