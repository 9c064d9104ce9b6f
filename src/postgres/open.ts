// Opens the jobs database: PostgreSQL at an address, or the embedded one in a folder. What is above sees one Kysely
// and one way to listen, whichever it is.

import type { Log } from '../lib/log.ts'
import { openEmbedded } from './embedded.ts'
import { migrate } from './migrate.ts'
import { openServer } from './server.ts'
import type { Db } from './types.ts'

export type { Db } from './types.ts'

/** Hears of a commit that notified the channel, in any process; with '' when notifications may have been missed. */
export type Heard = (payload: string) => void

export interface Postgres {
  readonly db: Db
  /** Returns what ends the listening. */
  listen(channel: string, heard: Heard): Promise<() => Promise<void>>
  /** Copies the files of the embedded database as of one moment to a new folder; of a server there are none. */
  readonly snapshot?: (into: string) => Promise<void>
  close(): Promise<void>
}

/** `directory` undefined: in memory, for tests. */
export type PostgresPlace =
  | { readonly kind: 'embedded'; readonly directory: string | undefined }
  | { readonly kind: 'server'; readonly url: string; readonly connections: number; readonly log: Log }

/** Opens and migrates. Throws `schema_newer`, and `unavailable` when the server does not answer. */
export async function openPostgres(place: PostgresPlace): Promise<Postgres> {
  const postgres = place.kind === 'server' ? openServer(place) : await openEmbedded(place.directory)
  try {
    await migrate(postgres.db)
    return postgres
  } catch (error) {
    await postgres.close()
    throw error
  }
}
