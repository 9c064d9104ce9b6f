// Finds the delivery that is due first for a webhook without reading those of others: a receiver that was away for days may have
// thousands that wait.

import { type Kysely, sql } from 'kysely'

const statements = [
  `create index deliveries_due_to_webhook on deliveries (webhook_id, due_at, ordinal) where state = 'waiting'`,
  `create index deliveries_due_by_mail on deliveries (due_at, ordinal) where state = 'waiting' and person_id is not null`,
] as const

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
