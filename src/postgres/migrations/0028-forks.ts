// Adds the fork that has the branches of a project's jobs.

import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table projects add column fork text`.execute(db)
}
