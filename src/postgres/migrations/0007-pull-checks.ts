// Adds why the last look at a pull request on a forge failed.

import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table jobs add column pull_check_error text`.execute(db)
}
