// Projects, keys, idempotency records, jobs with their messages, runs, turns and edits, and Docent's own pull requests.

import { type Kysely, sql } from 'kysely'

const statements = [
  `create table projects (
    id text primary key,
    name text not null,
    repository text not null,
    branch text,
    created_at timestamptz not null,
    updated_at timestamptz not null
  )`,
  `create table keys (
    id text primary key,
    name text not null,
    digest text not null unique,
    hint text not null,
    scope text not null check (scope in ('read', 'write', 'admin')),
    project_ids text[],
    created_at timestamptz not null,
    last_used_at timestamptz,
    revoked_at timestamptz
  )`,
  `create table idempotency (
    principal text not null,
    key text not null,
    request_hash text not null,
    answer text not null,
    created_at timestamptz not null,
    primary key (principal, key)
  )`,
  `create index idempotency_created on idempotency (created_at)`,
  `create table jobs (
    id text primary key,
    project_id text not null references projects on delete cascade,
    ordinal bigint not null generated always as identity,
    status text not null check (status in ('active', 'completed', 'failed', 'archived')),
    phase text check (phase in ('queued', 'preparing', 'editing', 'checking', 'publishing')),
    repository text not null,
    branch text not null,
    branch_number integer not null default 1,
    model text not null,
    outcome text check (outcome in ('pull_request', 'no_changes')),
    error_code text,
    error_message text,
    pull_number integer,
    pr_link text,
    base_commit text,
    head_commit text,
    input_tokens bigint not null default 0,
    output_tokens bigint not null default 0,
    turns integer not null default 0,
    version integer not null default 1,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    archived_at timestamptz,
    check ((status = 'active') = (phase is not null)),
    check ((status = 'archived') = (archived_at is not null))
  )`,
  `create index jobs_list on jobs (project_id, ordinal desc)`,
  `create index jobs_active on jobs (id) where status = 'active'`,
  `create index jobs_idle on jobs (updated_at) where status in ('completed', 'failed')`,
  `create table messages (
    id text primary key,
    job_id text not null references jobs on delete cascade,
    ordinal bigint not null generated always as identity,
    prompt text not null,
    run_id text,
    created_at timestamptz not null
  )`,
  `create index messages_of_job on messages (job_id, ordinal)`,
  `create table runs (
    id text primary key,
    job_id text not null references jobs on delete cascade,
    number integer not null,
    state text not null check (state in ('waiting', 'running', 'ended')),
    fence integer not null default 0,
    owner text,
    lease_until timestamptz,
    attempts integer not null default 0,
    available_at timestamptz not null,
    created_at timestamptz not null,
    started_at timestamptz,
    ended_at timestamptz,
    error_code text,
    base_branch text,
    base_commit text,
    start_commit text,
    expected_head text,
    branch text,
    finish text,
    commit_id text,
    unique (job_id, number),
    check ((state = 'running') = (lease_until is not null))
  )`,
  `create unique index runs_one_open on runs (job_id) where state <> 'ended'`,
  `create index runs_waiting on runs (available_at) where state = 'waiting'`,
  `create index runs_running on runs (lease_until) where state = 'running'`,
  `create table turns (
    run_id text not null references runs on delete cascade,
    number integer not null,
    input text not null,
    answer text,
    results text,
    created_at timestamptz not null,
    primary key (run_id, number)
  )`,
  `create table edits (
    run_id text not null references runs on delete cascade,
    turn integer not null,
    path text not null,
    content bytea,
    mode text not null,
    primary key (run_id, turn, path)
  )`,
  `create table pulls (
    project_id text not null references projects on delete cascade,
    number integer not null,
    job_id text not null,
    title text not null,
    body text not null,
    branch text not null,
    base text not null,
    state text not null check (state in ('open', 'merged', 'closed')),
    token text not null unique,
    base_commit text not null,
    head_commit text not null,
    merge_commit text,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    primary key (project_id, number)
  )`,
  `create unique index pulls_one_open on pulls (project_id, branch) where state = 'open'`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
