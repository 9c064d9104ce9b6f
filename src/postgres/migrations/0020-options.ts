// Adds the models that the jobs of a project may choose, the model that a job chose, and the base branch and the draft
// that its next new branch gets.

import { type Kysely, sql } from 'kysely'

const statements = [
  `alter table projects add column models text[] not null default '{}'`,
  `alter table jobs add column chosen_model text`,
  `alter table jobs add column next_base_branch text`,
  `alter table jobs add column next_draft boolean`,
] as const

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
