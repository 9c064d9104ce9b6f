// Adds what is known of a run beside its change: the pull requests of the code that it follows, and the pages that it was given.

import { type Kysely, sql } from 'kysely'

const statements = [
  `alter table runs add column code_pulls text`,
  `alter table runs add column given_pages text`,
] as const

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
