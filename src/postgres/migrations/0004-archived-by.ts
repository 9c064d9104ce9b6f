// Who archived a job. Only adds: null on an archived job, also one that the release before archives beside this one,
// counts as the service.

import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(`alter table jobs add column archived_by text check (archived_by in ('person', 'service'))`).execute(db)
}
