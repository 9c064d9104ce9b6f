// Opens the jobs database: a PostgreSQL server, or the embedded database in a folder. Callers use both through the same
// interface.

import type { Log } from '../lib/observability/log.ts'
import { openEmbedded } from './embedded.ts'
import { migrate } from './migrate.ts'
import { toOpeningFailure } from './refusals.ts'
import { openServer } from './server.ts'
import type { Postgres } from './types.ts'

export type PostgresPlace =
  | { readonly kind: 'embedded'; readonly directory: string }
  | { readonly kind: 'server'; readonly url: string; readonly connections: number; readonly log: Log }

/**
 * Opens and migrates. Throws `schema_newer`, `unavailable` when the server does not respond, and `config_invalid` when it
 * refuses the user, the password or the database, or lacks a right.
 */
export async function openPostgres(place: PostgresPlace): Promise<Postgres> {
  const postgres = place.kind === 'server' ? openServer(place) : await openEmbedded(place.directory)
  try {
    await migrate(postgres.db)
    return postgres
  } catch (error) {
    await postgres.close()
    throw place.kind === 'server' ? toOpeningFailure(error, place.url) : error
  }
}
