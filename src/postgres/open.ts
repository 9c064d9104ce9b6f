// Opens the jobs database: a PostgreSQL server, or the embedded database in a folder. Callers use both through the same
// interface.

import type { Log } from '../lib/observability/log.ts'
import { migrate } from './migrate.ts'
import { toOpeningFailure } from './refusals.ts'
import type { Postgres } from './types.ts'

export type PostgresPlace =
  | { readonly kind: 'embedded'; readonly directory: string }
  | { readonly kind: 'server'; readonly url: string; readonly connections: number; readonly log: Log }

/**
 * Opens and migrates. Throws `schema_newer`, `unavailable` when the server does not respond, and `config_invalid` when it
 * refuses the user, the password or the database, or lacks a right.
 */
export async function openPostgres(place: PostgresPlace): Promise<Postgres> {
  const postgres = await openUnmigrated(place)
  try {
    await migrate(postgres.db)
    return postgres
  } catch (error) {
    await postgres.close()
    throw place.kind === 'server' ? toOpeningFailure(error, place.url) : error
  }
}

/**
 * Opens the database without migrating it, with the driver of this engine only. The caller holds the lock on the folder of an
 * embedded database.
 */
export async function openUnmigrated(place: PostgresPlace): Promise<Postgres> {
  if (place.kind === 'server') return (await import('./server.ts')).openServer(place)
  return (await import('./embedded.ts')).openEmbedded(place.directory)
}
