// Adds the first host of the lines of a project's logs: their ids need no host.

import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table projects add column line_host text`.execute(db)
}
