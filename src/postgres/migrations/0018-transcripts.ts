// Adds what makes a transcript data: how long a project keeps it, when it was erased, and the rules on paths that the
// tools of a run followed.

import { type Kysely, sql } from 'kysely'

const statements = [
  `alter table projects add column transcripts text not null default '{}'`,
  `alter table jobs add column transcript_erased_at timestamptz`,
  `alter table runs add column path_policy text`,
] as const

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
