// Adds what was imported from other tools: a row for each file, and the daily sums of those that have no page views.

import { type Kysely, sql } from 'kysely'

const statements = [
  `create table histories (
    id text primary key,
    project_id text not null references projects on delete cascade,
    source text not null check (source in ('plausible', 'ga4', 'goatcounter', 'umami')),
    name text not null,
    fingerprint text not null,
    sums bigint not null default 0,
    first_day date,
    last_day date,
    is_complete boolean not null default false,
    created_at timestamptz not null default now(),
    unique (project_id, source, fingerprint)
  )`,
  `create table history_sums (
    history_id text not null references histories on delete cascade,
    path text not null,
    day date not null,
    visitors bigint check (visitors >= 0),
    page_views bigint check (page_views >= 0),
    primary key (history_id, path, day),
    check (visitors is not null or page_views is not null)
  )`,
] as const

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
