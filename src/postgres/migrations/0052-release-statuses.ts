// Adds the commit statuses of releases: the settings that turn them on, and what each says.

import { type Kysely, sql } from 'kysely'

const statements = [
  `alter table projects add column release_status boolean not null default false`,
  `alter table sources add column release_status boolean not null default false`,
  `create table release_statuses (
    repository_id text primary key references followed_repositories on delete cascade,
    commit text not null,
    tag text not null,
    since text,
    commits text not null,
    length integer not null,
    seen_at timestamptz not null,
    state text,
    text text,
    said_at timestamptz,
    refusal text,
    refused_credential timestamptz,
    try_after timestamptz not null
  )`,
  `create index release_statuses_due on release_statuses (try_after)`,
] as const

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
