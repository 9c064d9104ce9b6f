// Adds the links that sign one person in, once: for a lost password, and at the end of the demo.

import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table sign_in_links (
    digest text primary key,
    person_id text not null references people on delete cascade,
    purpose text not null check (purpose in ('sign_in', 'password')),
    created_at timestamptz not null,
    expires_at timestamptz not null
  )`.execute(db)
  await sql`create index sign_in_links_person on sign_in_links (person_id)`.execute(db)
}
