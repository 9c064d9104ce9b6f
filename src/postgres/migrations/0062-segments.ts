// Adds saved segments: filters of page views under a name.

import { type Kysely, sql } from 'kysely'

const statements = [
  `create table segments (
    id text primary key,
    project_id text not null references projects on delete cascade,
    name text not null,
    filters text not null,
    created_at timestamptz not null
  )`,
  `create unique index segments_by_name on segments (project_id, lower(name))`,
] as const

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
