// Adds when to look whether the branch of a run can be deleted.

import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table runs add column branch_check_after timestamptz, add column branch_closed_at timestamptz`.execute(
    db,
  )
  await sql`create index runs_branch_check on runs (branch_check_after) where branch_check_after is not null`.execute(
    db,
  )
}
