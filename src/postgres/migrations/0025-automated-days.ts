// Adds what imports found about the page views of browsers in logs, for each day: how many they judged, and how many of
// these are probably automated.

import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table automated_days (
    project_id text not null references projects on delete cascade,
    day date not null,
    page_views bigint not null,
    judged bigint not null check (judged >= page_views),
    primary key (project_id, day)
  )`.execute(db)
}
