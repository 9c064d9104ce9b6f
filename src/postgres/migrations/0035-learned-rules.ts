// Adds the rules by which a host refused a push of the project.

import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table projects add column learned_rules text`.execute(db)
}
