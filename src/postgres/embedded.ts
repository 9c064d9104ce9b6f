// The embedded PostgreSQL (PGlite) in a folder. The one file that meets it.
// PGlite has one connection and does not lock its folder: the caller owns the data directory while this is open.

import { mkdir } from 'node:fs/promises'
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
    close: async () => {
      await db.destroy()
      if (!engine.closed) await engine.close()
    },
  }
}
