// Adds which person sent a message, whom the commit of a run names as co-authors, and whether a project wants that.

import { type Kysely, sql } from 'kysely'

const statements = [
  `alter table messages add column person_id text`,
  `alter table runs add column co_authors text`,
  `alter table projects add column co_authors text not null default 'people' check (co_authors in ('people', 'nobody'))`,
] as const

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
