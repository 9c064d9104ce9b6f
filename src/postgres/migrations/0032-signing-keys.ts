// Adds the keys with which commits are signed.

import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table credentials add column signing_key text`.execute(db)
}
