// Adds what the service itself states in one of its own pull requests, apart from the text of the agent.

import { type Kysely, sql } from 'kysely'

const statements = [
  `alter table pulls add column note text not null default ''`,
  `alter table pulls add column facts text not null default ''`,
] as const

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
