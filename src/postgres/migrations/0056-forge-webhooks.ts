// Adds the webhooks of forges that belong to a project, and what is known of the deliveries to them and to GitHub Apps.
// `deliveries_until` is up to when the failed deliveries of an App were asked for again.

import { type Kysely, sql } from 'kysely'

const statements = [
  `create table forge_webhooks (
    id text primary key,
    project_id text not null references projects on delete cascade,
    forge text not null check (forge in ('github', 'gitlab', 'gitea')),
    secret text not null,
    delivered_at timestamptz,
    refused_at timestamptz,
    refused integer not null default 0,
    created_at timestamptz not null,
    updated_at timestamptz not null
  )`,
  `create index forge_webhooks_of_project on forge_webhooks (project_id)`,
  `alter table forge_apps
    add column delivered_at timestamptz,
    add column refused_at timestamptz,
    add column refused integer not null default 0,
    add column deliveries_until timestamptz,
    add column deliveries_read_at timestamptz`,
] as const

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
