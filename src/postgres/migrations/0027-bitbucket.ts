// Lets credentials and pull requests be on forges that later releases know: the code checks them where they enter. Adds the
// user of a token, and the digests of what the service wrote into pull requests whose host has no place for them.

import { type Kysely, sql } from 'kysely'

const statements = [
  'alter table credentials drop constraint credentials_forge_check, add column user_name text',
  'alter table jobs drop constraint jobs_pull_forge_check',
  `create table written_texts (
    branch text not null,
    digest text not null,
    job_id text not null references jobs on delete cascade,
    created_at timestamptz not null,
    primary key (branch, digest)
  )`,
  'create index written_texts_job on written_texts (job_id)',
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
