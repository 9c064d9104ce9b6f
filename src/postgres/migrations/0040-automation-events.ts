// Adds the trigger `event` of automations: the secret that signs events, and why an automation paused itself. An event of an
// automation has one run, however often it is delivered. A message may come with data of outsiders.

import { type Kysely, sql } from 'kysely'

const statements = [
  `alter table automations
    add column event_secret text,
    add column paused_because text,
    add column resumed_at timestamptz`,
  `alter table automation_runs add column event_id text`,
  `create unique index automation_runs_event on automation_runs (automation_id, event_id) where event_id is not null`,
  `alter table messages add column data text`,
] as const

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
