// Adds the pages outside of the repository: which of them the jobs of a project may read, and which a job has read.

import { type Kysely, sql } from 'kysely'

const statements = [
  `alter table projects add column pages text not null default '{}'`,
  `alter table jobs add column pages_read text`,
] as const

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
