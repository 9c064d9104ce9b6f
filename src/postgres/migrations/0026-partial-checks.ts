// Adds when the rest of a site is to be checked, after a run that checked only what its change could affect.

import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table runs add column rest_check_after timestamptz`.execute(db)
  await sql`create index runs_rest_check on runs (rest_check_after) where rest_check_after is not null`.execute(db)
}
