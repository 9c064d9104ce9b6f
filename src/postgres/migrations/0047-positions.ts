// Adds the triggers `docs` and `code` of automations: which branches are followed, how far each automation has come on its branch,
// and a row for each commit that reached the branch since. A run may wait for the one before it.

import { type Kysely, sql } from 'kysely'

const statements = [
  `create table followed_repositories (
    repository_id text primary key,
    project_id text not null references projects on delete cascade,
    source_id text references sources on delete cascade,
    head text,
    looked_at timestamptz,
    look_after timestamptz not null,
    claimed_until timestamptz,
    error text
  )`,
  `create index followed_repositories_due on followed_repositories (look_after)`,
  `create table automation_positions (
    automation_id text primary key references automations on delete cascade,
    repository_id text not null,
    repository text not null,
    branch text not null,
    since text,
    first_commit text,
    head_commit text,
    failures integer not null default 0,
    away integer not null default 0,
    take integer,
    take_after timestamptz,
    retry_after timestamptz,
    note text,
    tagged_commit text,
    tagged_at timestamptz,
    triage_tag text,
    triage_after timestamptz
  )`,
  `create index automation_positions_of on automation_positions (repository_id)`,
  `create table automation_commits (
    automation_id text not null references automations on delete cascade,
    commit text not null,
    ordinal bigint generated always as identity,
    parent text,
    subject text not null,
    author text not null,
    committed_at timestamptz not null,
    pull_requests text not null default '[]',
    state text not null,
    is_wanted boolean not null default false,
    asked_at timestamptz,
    triaged_at timestamptz,
    generation integer not null default 0,
    run_id text,
    score double precision,
    reason text,
    left_at timestamptz,
    seen_at timestamptz not null,
    decided_at timestamptz,
    primary key (automation_id, commit)
  )`,
  `create index automation_commits_waiting on automation_commits (automation_id, ordinal)
    where state = 'waiting' and left_at is null`,
  `create index automation_commits_newest on automation_commits (automation_id, ordinal desc)`,
  `create index automation_commits_unseen on automation_commits (automation_id, decided_at)
    where state = 'skipped' and score is not null and run_id is null and triaged_at is null and left_at is null`,
  `create index automation_commits_run on automation_commits (run_id) where run_id is not null`,
  `alter table automation_runs drop constraint automation_runs_one_end`,
  `alter table automation_runs
    add column ranges text not null default '[]',
    add column generation integer not null default 1,
    add column person_id text,
    add column data text,
    add column usage text,
    add column has_question boolean not null default false,
    add column settled_at timestamptz`,
  `update automation_runs set settled_at = created_at
    where job_id is null or job_id in (select id from jobs where status <> 'active')`,
  `create index automation_runs_questions on automation_runs (automation_id) where has_question`,
  `create index automation_runs_open on automation_runs (automation_id) where settled_at is null`,
  `create unique index automation_runs_waiting on automation_runs (automation_id)
    where job_id is null and ended_as is null`,
  // Nothing but the identity of the row that waits: a run with a job or an end has one of the two.
  `alter table automation_runs add constraint automation_runs_one_end check (job_id is null or ended_as is null)`,
] as const

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
