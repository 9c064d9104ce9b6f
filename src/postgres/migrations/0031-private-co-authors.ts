// Widens the choice of whom commits name: people, in private repositories only.

import { type Kysely, sql } from 'kysely'

const statements = [
  `alter table projects drop constraint if exists projects_co_authors_check`,
  `alter table projects add constraint projects_co_authors_check check (co_authors in ('people', 'nobody', 'private'))`,
] as const

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
