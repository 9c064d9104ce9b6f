// Adds encrypted secrets (credentials of projects, forge apps, keys of model providers), the check of the key that
// encrypts them, and what the service knows of a job's pull request. Only adds: a job whose `pull_forge` is
// null has a pull request of Docent's own, or no pull request.

import { type Kysely, sql } from 'kysely'

const statements = [
  `create table secret_check (
    only_row boolean primary key default true check (only_row),
    value text not null
  )`,
  `create table credentials (
    project_id text primary key references projects on delete cascade,
    kind text not null check (kind in ('github_app', 'token', 'basic', 'ssh')),
    forge text check (forge in ('github', 'gitlab', 'gitea')),
    web_url text,
    api_url text,
    account text,
    secret text,
    installation_id bigint,
    access text,
    checked_at timestamptz,
    expires_at timestamptz,
    created_at timestamptz not null,
    updated_at timestamptz not null
  )`,
  `create table forge_apps (
    id text primary key,
    forge text not null default 'github' check (forge in ('github')),
    web_url text not null unique,
    api_url text not null,
    app_id bigint not null,
    slug text not null,
    name text not null,
    owner text,
    secret text not null,
    created_at timestamptz not null,
    updated_at timestamptz not null
  )`,
  `create table forge_app_states (
    digest text primary key,
    app_id text not null,
    web_url text not null,
    organization text,
    name text not null,
    created_at timestamptz not null,
    used_at timestamptz
  )`,
  `create table model_keys (
    provider text primary key check (provider in ('anthropic', 'openai', 'google', 'compatible')),
    secret text not null,
    base_url text,
    hint text not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    checked_at timestamptz,
    check_error text
  )`,
  `alter table projects add column pull_request text not null default '{}'`,
  `alter table jobs
    add column pull_forge text check (pull_forge in ('docent', 'github', 'gitlab', 'gitea')),
    add column pull_state text check (pull_state in ('open', 'merged', 'closed')),
    add column pull_draft boolean,
    add column pull_merged_at timestamptz,
    add column pull_etag text,
    add column pull_checked_at timestamptz,
    add column pull_check_after timestamptz`,
  `update jobs set pull_state = pulls.state,
      pull_merged_at = case when pulls.state = 'merged' then pulls.updated_at end
    from pulls where pulls.job_id = jobs.id and pulls.number = jobs.pull_number`,
  `create index jobs_pulls_to_check on jobs (pull_check_after) where pull_check_after is not null`,
] as const

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
