// Adds what is known of the API of a host that says whether a followed branch has moved.

import { type Kysely, sql } from 'kysely'

const statements = [
  `alter table followed_repositories add column confirmed text`,
  `alter table followed_repositories add column ask_host_after timestamptz`,
  `alter table followed_repositories add column git_looked_at timestamptz`,
] as const

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
