// Adds the sources of projects: repositories of the product that are read and never written. A credential belongs to a
// project or to a source, and `owner` is the id of that. Statements of the release before work as they did: they find a
// credential by its project, and the credential of a source has no project.

import { type Kysely, sql } from 'kysely'

const statements = [
  `create table sources (
    id text primary key,
    project_id text not null references projects on delete cascade,
    name text not null,
    repository text not null,
    branch text,
    paths text not null default '[]',
    access text,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    unique (project_id, name)
  )`,
  `alter table credentials
    drop constraint credentials_pkey,
    alter column project_id drop not null,
    add constraint credentials_project unique (project_id),
    add column source_id text unique references sources on delete cascade`,
  `alter table credentials
    add column owner text generated always as (coalesce(project_id, source_id)) stored primary key,
    add constraint credentials_one_owner check ((project_id is null) <> (source_id is null))`,
] as const

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
