// Adds how much of a page view a project keeps.

import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table projects add column privacy text not null default 'standard'`.execute(db)
}
