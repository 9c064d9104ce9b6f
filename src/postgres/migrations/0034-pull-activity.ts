// Adds what happens on the pull requests of jobs: entries, the people who wrote them, and where the lists of a forge were
// left. A claim of a pull request gets a column of its own, so that a delivery may bring its next look forward meanwhile.

import { type Kysely, sql } from 'kysely'

const statements = [
  `create table pull_activity (
    id text primary key,
    job_id text not null references jobs on delete cascade,
    forge text not null,
    number integer not null,
    kind text not null,
    forge_id text not null,
    author_id text,
    author text,
    is_bot boolean not null,
    at timestamptz not null,
    text text not null,
    path text,
    line integer,
    link text,
    state text,
    deleted_at timestamptz,
    seen_at timestamptz not null default now(),
    unique (job_id, forge, number, kind, forge_id)
  )`,
  `create index pull_activity_order on pull_activity (job_id, at, id)`,
  `create index pull_activity_seen on pull_activity (job_id, seen_at)`,
  `create table forge_people (
    project_id text not null references projects on delete cascade,
    forge text not null,
    person_id text not null,
    may_write boolean,
    asked_at timestamptz not null,
    primary key (project_id, forge, person_id)
  )`,
  `create table repository_marks (
    project_id text primary key references projects on delete cascade,
    repository text not null,
    marks text not null
  )`,
  `alter table jobs
    add column pull_marks text,
    add column pull_claimed_until timestamptz,
    add column pull_hastened boolean not null default false`,
  `create index jobs_hastened on jobs (project_id) where pull_hastened`,
] as const

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
