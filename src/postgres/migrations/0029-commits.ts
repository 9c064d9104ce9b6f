// Adds how the commits of a project are made.

import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table projects add column commit text not null default '{}'`.execute(db)
}
