// When keys, sessions and links stop working: by the clock of the database as it is, also while the time guard doubts it.
// A refusal ends when the clock is right again. Deleting does not, so `sweepExpired` gets the time of the time guard.

import { type RawBuilder, sql } from 'kysely'
import type { Db } from './types.ts'

/** Whether a row works at the time of the statement. `expires_at` null: it never expires. */
export const isCurrent = sql<boolean>`coalesce(expires_at > now(), true)`

export function secondsFromNow(seconds: number): RawBuilder<Date> {
  return sql<Date>`now() + make_interval(secs => ${seconds}::float8)`
}

/** Deletes rows that nobody can see or renew any more; expired keys, invitations and shared links stay. */
export async function sweepExpired(db: Db, now: Date): Promise<void> {
  for (const table of ['sessions', 'setup_tokens', 'sign_in_links'] as const) {
    await db.deleteFrom(table).where('expires_at', '<=', now).execute()
  }
}
