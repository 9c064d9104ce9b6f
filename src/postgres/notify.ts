// Notifies listeners in every process that uses the database, when the transaction commits.

import { type AliasedRawBuilder, sql } from 'kysely'
import type { Db } from './types.ts'

/** Notifies as part of another statement, which saves a round trip. A commit sends the same payload once a channel. */
export function notified(channel: string, payload = ''): AliasedRawBuilder<unknown, 'notified'> {
  return sql`pg_notify(${channel}, ${payload})`.as('notified')
}

/** `payload`: at most 7,999 bytes. Sent at once when there is no transaction. */
export async function notify(db: Db, channel: string, payload = ''): Promise<void> {
  await sql`/* notify */ select pg_notify(${channel}, ${payload})`.execute(db)
}
