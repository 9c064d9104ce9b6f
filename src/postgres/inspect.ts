// Looks into a database without migrating it.

import { appliedMigrations } from './migrate.ts'
import { openEmbedded } from './embedded.ts'
import type { PostgresPlace } from './open.ts'
import type { TrustedTimeRow } from './schema.ts'
import { openServer } from './server.ts'

export type Inspected = {
  readonly schema: readonly string[]
  /** undefined before its migration, and before the first start. */
  readonly trustedTime?: TrustedTimeRow | undefined
  /** undefined for the embedded database. */
  readonly serverTime?: Date | undefined
  readonly projects: readonly { readonly id: string; readonly repository: string; readonly branch: string | null }[]
}

/** Throws `unavailable` when a server does not answer. The caller owns the folder of an embedded one. */
export async function inspectPostgres(place: PostgresPlace): Promise<Inspected> {
  const postgres = place.kind === 'server' ? openServer(place) : await openEmbedded(place.directory)
  try {
    const schema = await appliedMigrations(postgres.db)
    if (schema.length === 0) return { schema, projects: [] }
    const projects = await postgres.db.selectFrom('projects').select(['id', 'repository', 'branch']).execute()
    const trustedTime = schema.includes('0005-trusted-time')
      ? await postgres.db.selectFrom('trusted_time').selectAll().executeTakeFirst()
      : undefined
    return { schema, projects, trustedTime, serverTime: (await postgres.askTime?.())?.now }
  } finally {
    await postgres.close()
  }
}
