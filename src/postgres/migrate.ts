// Brings the schema up to date. Migrations go forward only, and several processes may call this at once.

import type { Kysely } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { up as jobs } from './migrations/0001-jobs.ts'
import { up as wholeInterface } from './migrations/0002-whole-interface.ts'
import type { Schema } from './schema.ts'

const migrations: Readonly<Record<string, Migration>> = {
  '0001-jobs': { up: jobs },
  '0002-whole-interface': { up: wholeInterface },
}

/** Returns the names of the migrations that ran now. Throws when one fails; the database is then as before it. */
export async function migrate(db: Kysely<Schema>): Promise<readonly string[]> {
  const migrator = new Migrator({ db, provider: { getMigrations: () => Promise.resolve({ ...migrations }) } })
  const { error, results } = await migrator.migrateToLatest()
  if (error) throw error instanceof Error ? error : new Error('a migration failed', { cause: error })
  return (results ?? []).map((result) => result.migrationName)
}
