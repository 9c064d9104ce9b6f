// Migrates the store of page views. Every statement may run twice: ClickHouse has no transaction around them, so a
// migration that was interrupted runs again from the beginning. A migration only adds: `scripts/check-migrations.ts`.

import { Failure } from '../lib/failure.ts'
import { statements as pageViews } from './migrations/0001-page-views.ts'
import { statements as downloads } from './migrations/0002-downloads.ts'
import { statements as saltWindows } from './migrations/0003-salt-windows.ts'
import { statements as dimensions } from './migrations/0004-dimensions.ts'
import { statements as lineIds } from './migrations/0005-line-ids.ts'
import { statements as sealPairs } from './migrations/0006-seal-pairs.ts'
import { statements as filters } from './migrations/0007-filters.ts'
import { statements as viewDimensions } from './migrations/0008-dimensions.ts'

export type StoreMigrations = Readonly<Record<string, readonly string[]>>

export const migrations: StoreMigrations = {
  '0001-page-views': pageViews,
  '0002-downloads': downloads,
  '0003-salt-windows': saltWindows,
  '0004-dimensions': dimensions,
  '0005-line-ids': lineIds,
  '0006-seal-pairs': sealPairs,
  '0007-filters': filters,
  '0008-dimensions': viewDimensions,
}

type Statements = {
  readonly command: (sql: string, params?: Readonly<Record<string, unknown>>) => Promise<void>
  readonly readWritten: <T>(sql: string, params: Readonly<Record<string, unknown>>) => Promise<readonly T[]>
}

export type MigrateOptions = {
  /** The migrations to run; default: all. */
  readonly known?: StoreMigrations | undefined
  /** Refuses a store that lacks one of them, instead of running it. */
  readonly isReadOnly?: boolean | undefined
}

/**
 * Returns the names of the migrations that ran. Throws `schema_newer` when a later release migrated the store, and `invalid_input` when it
 * must not be migrated.
 */
export async function migrateStore(
  { command, readWritten }: Statements,
  { known = migrations, isReadOnly = false }: MigrateOptions = {},
): Promise<readonly string[]> {
  await command(`/* migrations.table */ CREATE TABLE IF NOT EXISTS migrations (name String, applied_at DateTime('UTC'))
    ENGINE = MergeTree ORDER BY name SETTINGS fsync_after_insert = 1`)
  const readApplied = async () => {
    const rows = await readWritten<{ name: string }>(
      '/* migrations.applied */ SELECT DISTINCT name FROM migrations',
      {},
    )
    return new Set(rows.map(({ name }) => name))
  }
  const applied = await readApplied()
  refuseNewer(applied, known)
  const missing = Object.entries(known).filter(([name]) => !applied.has(name))
  if (isReadOnly && missing.length > 0) throw new Failure('invalid_input', isOlder)
  for (const [name, statements] of missing) {
    try {
      for (const statement of statements) await command(statement)
    } catch (error) {
      // Another process may be ahead: an enum that a later migration has widened can't be made narrower again.
      if ((await readApplied()).has(name)) continue
      throw error
    }
    await command('/* migrations.done */ INSERT INTO migrations SELECT {name:String}, now()', { name })
  }
  return missing.map(([name]) => name)
}

const isOlder =
  'The page views are those of an earlier release, which could not open them after this one: use that release, or start this one, which migrates them.'

/** Throws `schema_newer` when one of the applied migrations is of a later release. */
export function refuseNewer(applied: ReadonlySet<string>, known: StoreMigrations = migrations): void {
  const unknown = [...applied].filter((name) => !Object.hasOwn(known, name)).toSorted()
  if (unknown.length === 0) return
  const names = unknown.join(', ')
  const message = `The store of page views was migrated by a newer release (${names}). Start that release or a later one.`
  throw new Failure('schema_newer', message)
}
