// Adds the attempts of a turn that failed after their response began, and the waits of a run for its model's provider.

import { type Kysely, sql } from 'kysely'

const statements = [
  `alter table turns add column failed_attempts text`,
  `alter table runs add column waiting_since timestamptz`,
  `alter table runs add column waits integer not null default 0`,
] as const

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
