// The embedded PostgreSQL (PGlite) in a folder. The one file that meets it.
// PGlite has one connection and does not lock its folder: the caller owns the data directory while this is open.

import { constants } from 'node:fs'
import { cp, mkdir } from 'node:fs/promises'
import { PGlite } from '@electric-sql/pglite'
import { Kysely, PGliteDialect } from 'kysely'
import type { Postgres } from './open.ts'
import type { Schema } from './schema.ts'

/** Sixteen megabytes of shared buffers keep an idle service at 150 MB instead of 340 (measured). */
const settings = ['shared_buffers=16MB']

/** `directory` undefined: in memory. */
export async function openEmbedded(directory: string | undefined): Promise<Postgres> {
  if (directory) await mkdir(directory, { recursive: true, mode: 0o700 })
  const engine = new PGlite({ ...(directory ? { dataDir: directory } : {}), postgresqlconf: settings })
  await engine.waitReady
  const db = new Kysely<Schema>({ dialect: new PGliteDialect({ pglite: engine }) })
  return {
    db,
    listen: (channel, heard) => engine.listen(channel, heard),
    ...(directory ? { snapshot: (into) => snapshot(engine, directory, into) } : {}),
    close: async () => {
      await db.destroy()
      if (!engine.closed) await engine.close()
    },
  }
}

/** Files change only while a statement runs, and none runs meanwhile: the copy is what a crash would leave. */
async function snapshot(engine: PGlite, directory: string, into: string): Promise<void> {
  await engine.exec('checkpoint')
  await engine.runExclusive(async () => {
    await cp(directory, into, { recursive: true, mode: constants.COPYFILE_FICLONE })
  })
}
