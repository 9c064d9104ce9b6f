// Adds the classes of page views, the salts that distinguish visitors, imports of logs, and the list of projects whose
// page views are still to be deleted. Only adds, so a process of the previous release can run at the same time.

import { type Kysely, sql } from 'kysely'

const statements = [
  `alter table projects
    add column categories text not null default '{}',
    add column unverified_ai_agents text not null default 'count'
      check (unverified_ai_agents in ('count', 'ignore'))`,
  `create table salts (
    project_id text not null references projects on delete cascade,
    "window" text not null,
    import_id text not null default '',
    salt bytea not null check (length(salt) = 32),
    destroy_at timestamptz,
    created_at timestamptz not null default now(),
    primary key (project_id, "window", import_id)
  )`,
  `create index salts_to_destroy on salts (destroy_at) where destroy_at is not null`,
  `create table imports (
    id text primary key,
    group_id text not null,
    project_id text not null references projects on delete cascade,
    name text not null,
    fingerprint text not null,
    format text not null,
    position bigint not null default 0,
    accepted bigint not null default 0,
    rejected bigint not null default 0,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    finished_at timestamptz
  )`,
  `create unique index imports_unfinished on imports (project_id, fingerprint) where finished_at is null`,
  `create table deleted_projects (
    project_id text primary key,
    deleted_at timestamptz not null default now()
  )`,
] as const

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
