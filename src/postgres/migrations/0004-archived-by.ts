// Records who archived a job. Only adds: null on an archived job means the service, also if a process of the previous
// release archives the job after this migration.

import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(`alter table jobs add column archived_by text check (archived_by in ('person', 'service'))`).execute(db)
}
