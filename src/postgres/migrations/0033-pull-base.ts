// Adds the base of a job's pull request as its forge last showed it: people may retarget it.

import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table jobs add column pull_base text`.execute(db)
}
