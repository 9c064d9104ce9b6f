// Adds the processes that share a database, with the settings that must be the same in all of them.

import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table processes (
    id text primary key,
    name text not null,
    release text not null,
    settings text not null,
    seen_at timestamptz not null
  )`.execute(db)
}
