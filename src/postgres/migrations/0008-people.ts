// Adds the people who sign in to the dashboard, their sessions and invitations, the links that share a project's
// statistics, and the record of who changed what.

import { type Kysely, sql } from 'kysely'

const statements = [
  `create table people (
    id text primary key,
    email text not null,
    name text not null,
    role text not null check (role in ('viewer', 'editor', 'admin')),
    password text not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    last_seen_at timestamptz
  )`,
  // Addresses that differ only in case reach the same mailbox.
  `create unique index people_email on people (lower(email))`,
  `create table sessions (
    id text primary key,
    digest text not null unique,
    person_id text not null references people on delete cascade,
    user_agent text not null,
    created_at timestamptz not null,
    expires_at timestamptz not null,
    last_seen_at timestamptz not null
  )`,
  `create index sessions_person on sessions (person_id)`,
  `create table setup_tokens (
    digest text primary key,
    created_at timestamptz not null,
    expires_at timestamptz not null
  )`,
  // One row, made with the first person. It stays when all people are removed, so that nobody can set up again.
  `create table setup (
    only_row boolean primary key default true check (only_row),
    done_at timestamptz not null
  )`,
  `create table invitations (
    id text primary key,
    digest text not null unique,
    email text not null,
    role text not null check (role in ('viewer', 'editor', 'admin')),
    invited_by text not null,
    created_at timestamptz not null,
    expires_at timestamptz not null
  )`,
  `create unique index invitations_email on invitations (lower(email))`,
  `create table shares (
    id text primary key,
    project_id text not null references projects on delete cascade,
    digest text not null unique,
    name text not null,
    created_at timestamptz not null,
    expires_at timestamptz,
    last_used_at timestamptz
  )`,
  `create index shares_project on shares (project_id)`,
  `create table audit (
    ordinal bigint primary key generated always as identity,
    happened_at timestamptz not null,
    actor_kind text not null check (actor_kind in ('person', 'key', 'operator', 'setup', 'invitation')),
    actor_id text not null,
    actor_name text not null,
    address text,
    action text not null,
    project_id text,
    subject text,
    fields text[] not null default '{}',
    finished_at timestamptz
  )`,
  `create index audit_project on audit (project_id, ordinal)`,
  `create index audit_actor on audit (actor_id, ordinal)`,
] as const

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
