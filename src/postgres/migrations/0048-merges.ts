// Lets an automation merge the pull requests of its jobs. What was asked of a forge is a row before it is asked, so a process
// that dies in between does not ask a second time.

import { type Kysely, sql } from 'kysely'

const statements = [
  `alter table automations add column merge_without_checks boolean not null default false`,
  `create table merges (
    job_id text not null references jobs on delete cascade,
    head_commit text not null,
    state text not null,
    seen_at timestamptz not null,
    asked_at timestamptz,
    refusals integer not null default 0,
    refusal text,
    look_after timestamptz,
    primary key (job_id, head_commit)
  )`,
  `alter table jobs add column merging text`,
  `create index jobs_open_own on jobs (id) where pull_forge = 'docent' and pull_state = 'open'`,
] as const

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
