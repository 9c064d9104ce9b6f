// Adds what the service reads for a run before it begins, such as page views, and how many redirects a job may add.

import { type Kysely, sql } from 'kysely'

const statements = [
  `alter table messages add column reads text`,
  `alter table jobs add column most_redirects integer`,
] as const

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
