// Adds what the agent said at the end of a job, and two outcomes: the agent asks a question, or published a part.

import { type Kysely, sql } from 'kysely'

const outcomes = `'pull_request', 'no_changes', 'needs_input', 'partial'`

const statements = [
  `alter table jobs drop constraint if exists jobs_outcome_check`,
  `alter table jobs add constraint jobs_outcome_check check (outcome in (${outcomes}))`,
  `alter table jobs add column result text`,
] as const

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
