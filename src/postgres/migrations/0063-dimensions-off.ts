// Adds the dimensions that a project does not keep of its page views.

import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table projects add column dimensions_off text[] not null default '{}'`.execute(db)
}
