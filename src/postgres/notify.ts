// Wakes listeners in every process that shares the database, when the transaction commits.

import { type AliasedRawBuilder, sql } from 'kysely'
import type { Db } from './types.ts'

/** The same as a column that a statement returns: one trip less. A channel hears the same payload once a commit. */
export function notified(channel: string, payload = ''): AliasedRawBuilder<unknown, 'notified'> {
  return sql`pg_notify(${channel}, ${payload})`.as('notified')
}

/** `payload`: at most 7,999 bytes. Outside of a transaction it is sent at once. */
export async function notify(db: Db, channel: string, payload = ''): Promise<void> {
  await sql`/* notify */ select pg_notify(${channel}, ${payload})`.execute(db)
}
