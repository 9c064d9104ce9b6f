// Adds comments that call Docent: each acts once, by the id that the forge gave it. The issues of a project are read only if
// the project wants that, from the time at which it began to want it.

import { type Kysely, sql } from 'kysely'

const statements = [
  `alter table projects add column mentions text not null default 'pull_requests'`,
  `create table mentions (
    id text primary key,
    project_id text not null references projects on delete cascade,
    forge text not null,
    thread text not null,
    number integer not null,
    kind text not null,
    forge_id text not null,
    entry_kind text not null,
    entry_id text not null,
    author_id text not null,
    author text not null,
    at timestamptz not null,
    text text not null,
    path text,
    line integer,
    link text not null,
    job_id text references jobs on delete cascade,
    message_id text references messages on delete set null,
    state text not null default 'new',
    reason text,
    is_seen boolean not null default false,
    comment_id text,
    said text,
    claimed_until timestamptz,
    try_after timestamptz not null default now(),
    decided_at timestamptz,
    ended_at timestamptz,
    seen_at timestamptz not null default now(),
    unique (project_id, forge, kind, forge_id)
  )`,
  `create index mentions_open on mentions (project_id, try_after) where ended_at is null`,
  `create index mentions_message on mentions (message_id) where message_id is not null`,
  `create index mentions_thread on mentions (project_id, forge, thread, number, decided_at)`,
  `create index mentions_job on mentions (job_id) where job_id is not null`,
  `create table issue_polls (
    project_id text primary key references projects on delete cascade,
    repository text not null,
    since timestamptz not null default now(),
    check_after timestamptz not null default now(),
    claimed_until timestamptz,
    checked_at timestamptz,
    error text
  )`,
] as const

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
