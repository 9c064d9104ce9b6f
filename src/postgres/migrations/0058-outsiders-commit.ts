// Adds to sources whether people outside of the team commit to them.

import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(`alter table sources add column outsiders_commit boolean not null default false`).execute(db)
}
