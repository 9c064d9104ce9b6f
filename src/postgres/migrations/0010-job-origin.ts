// Adds who created a job, and what its creator chose for it: the base branch, and whether its pull request is a draft.

import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `alter table jobs
         add column origin text,
         add column base_branch text,
         add column draft boolean`,
    )
    .execute(db)
}
