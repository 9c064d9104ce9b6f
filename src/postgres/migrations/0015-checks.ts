// Adds what the service found out about the change of a run, and how a project wants changes checked.

import { type Kysely, sql } from 'kysely'

const statements = [
  `alter table runs add column review text`,
  `alter table jobs add column checks text`,
  `alter table projects add column checks text not null default '{}'`,
] as const

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
