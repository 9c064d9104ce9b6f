// Wakes listeners in every process that shares the database, when the transaction commits.

import { sql } from 'kysely'
import type { Db } from './open.ts'

/** `payload`: at most 7,999 bytes. Outside of a transaction it is sent at once. */
export async function notify(db: Db, channel: string, payload = ''): Promise<void> {
  await sql`/* notify */ select pg_notify(${channel}, ${payload})`.execute(db)
}
