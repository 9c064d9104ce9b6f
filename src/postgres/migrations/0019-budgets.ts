// Adds the input tokens that providers read from their caches, 0 for jobs of earlier releases; and what becomes of the
// changes of a run whose budget is used up.

import { type Kysely, sql } from 'kysely'

const statements = [
  `alter table jobs add column cached_input_tokens bigint not null default 0`,
  `alter table projects add column on_budget_end text not null default 'keep'`,
] as const

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
