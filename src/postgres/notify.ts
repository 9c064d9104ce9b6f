// Wakes listeners in every process that shares the database, when the transaction commits.

import { sql, type Transaction } from 'kysely'
import type { Schema } from './schema.ts'

export async function notify(trx: Transaction<Schema>, channel: string): Promise<void> {
  await sql`/* notify */ select pg_notify(${channel}, '')`.execute(trx)
}
