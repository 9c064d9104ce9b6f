// Adds the sources that a job needs and those that its runs read.

import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table jobs add column context text, add column sources text`.execute(db)
  await sql`alter table runs add column sources text`.execute(db)
}
