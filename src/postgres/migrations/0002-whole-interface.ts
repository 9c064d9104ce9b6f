// Keys that expire and rotate, settings of projects, sites, events of jobs, what a job cost, and shared rate limits.
// Only adds, so a process of the previous release can run at the same time.

import { type Kysely, sql } from 'kysely'

const statements = [
  `alter table keys
    add column expires_at timestamptz,
    add column allowed_addresses text[],
    add column replaced_by text`,
  `alter table projects
    add column model text,
    add column budget text not null default '{}',
    add column path_policy text not null default '{}',
    add column time_zone text not null default 'UTC',
    add column visitor_window text not null default 'month'
      check (visitor_window in ('day', 'week', 'month', 'never')),
    add column collection_source text not null default 'both'
      check (collection_source in ('browser', 'server', 'both')),
    add column retention_months integer not null default 25,
    add column signal_retention_days integer not null default 90`,
  `create table sites (
    id text primary key,
    project_id text not null references projects on delete cascade,
    name text not null,
    origins text[] not null,
    honours_opt_out boolean not null default false,
    created_at timestamptz not null,
    updated_at timestamptz not null
  )`,
  `create index sites_of_project on sites (project_id)`,
  `alter table jobs
    add column last_event integer not null default 0,
    add column cost_usd double precision default 0`,
  `update jobs set cost_usd = null where turns > 0 and model <> 'docent/rules'`,
  `create table events (
    job_id text not null references jobs on delete cascade,
    sequence integer not null,
    run_id text,
    type text not null,
    data text not null,
    created_at timestamptz not null,
    primary key (job_id, sequence)
  )`,
  `create table rate_limits (
    key text primary key,
    points integer not null default 0,
    expire bigint
  )`,
  `create index rate_limits_expire on rate_limits (expire)`,
] as const

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
