// Reads the state of a database without migrating it: its migrations, projects, trusted time and missing rights. For
// `docent doctor` and other commands that must not change anything.

import { sql } from 'kysely'
import { appliedMigrations } from './migrate.ts'
import { openUnmigrated, type PostgresPlace } from './open.ts'
import type { TrustedTimeRow } from './schema.ts'
import { describeMissingRight, placeOf, toOpeningFailure } from './refusals.ts'
import type { Db } from './types.ts'

export type Inspected = {
  readonly schema: readonly string[]
  /** undefined before its migration, and before the first start. */
  readonly trustedTime?: TrustedTimeRow | undefined
  /** undefined for the embedded database. */
  readonly serverTime?: Date | undefined
  /** The reason why the next start cannot migrate; undefined when it can. */
  readonly missingRight?: string | undefined
  /** The value that shows which key encrypted the secrets; null: no secret was stored yet. */
  readonly secretCheck: string | null
  readonly modelKeys: readonly { readonly provider: string; readonly problem: string | null }[]
  readonly projects: readonly {
    readonly id: string
    readonly name: string
    readonly repository: string
    readonly branch: string | null
  }[]
}

/** Throws the same as `openPostgres`. The caller holds the lock on the folder of an embedded database. */
export async function inspectPostgres(place: PostgresPlace): Promise<Inspected> {
  const postgres = await openUnmigrated(place)
  try {
    const missingRight = place.kind === 'server' ? await findMissingRight(postgres.db, place.url) : undefined
    const schema = await appliedMigrations(postgres.db)
    if (schema.length === 0) return { schema, projects: [], missingRight, ...noSecrets }
    const projects = await postgres.db.selectFrom('projects').select(['id', 'name', 'repository', 'branch']).execute()
    const trustedTime = schema.includes('0005-trusted-time')
      ? await postgres.db.selectFrom('trusted_time').selectAll().executeTakeFirst()
      : undefined
    const secrets = schema.includes('0006-forges') ? await readSecrets(postgres.db) : noSecrets
    return { schema, projects, missingRight, ...secrets, trustedTime, serverTime: (await postgres.readTime?.())?.now }
  } catch (error) {
    throw place.kind === 'server' ? toOpeningFailure(error, place.url) : error
  } finally {
    await postgres.close()
  }
}

const noSecrets: Pick<Inspected, 'secretCheck' | 'modelKeys'> = { secretCheck: null, modelKeys: [] }

async function readSecrets(db: Db): Promise<typeof noSecrets> {
  const check = await db.selectFrom('secret_check').select('value').executeTakeFirst()
  const keys = await db.selectFrom('model_keys').select(['provider', 'check_error as problem']).execute()
  return { secretCheck: check?.value ?? null, modelKeys: keys }
}

async function findMissingRight(db: Db, url: string): Promise<string | undefined> {
  const { rows } = await sql<{ may: boolean }>`/* inspect.rights */
    select coalesce(has_schema_privilege(current_schema(), 'create'), false) as may`.execute(db)
  return rows[0]?.may ? undefined : describeMissingRight(placeOf(url))
}

/** The cluster and the database in it, however they are addressed. Throws the same as `openPostgres`. */
export async function identifyServer(place: Extract<PostgresPlace, { readonly kind: 'server' }>): Promise<string> {
  const postgres = await openUnmigrated(place)
  try {
    const { rows } = await sql<{ id: string }>`/* inspect.identity */
      select system_identifier || ' ' || current_database() as id from pg_control_system()`.execute(postgres.db)
    return rows[0]?.id ?? ''
  } catch (error) {
    throw toOpeningFailure(error, place.url)
  } finally {
    await postgres.close()
  }
}
