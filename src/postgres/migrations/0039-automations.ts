// Adds automations: jobs that start by themselves. A slot of an automation is a row of `automation_runs` with a unique key, so
// two processes that find the same one start one job. What a job may use and change can be narrower than in its project.

import { type Kysely, sql } from 'kysely'

const statements = [
  `create table automations (
    id text primary key,
    project_id text not null references projects on delete cascade,
    name text not null,
    trigger text not null,
    instructions text not null,
    sources text,
    scope text not null default '[]',
    model text,
    budgets text not null default '{}',
    update_mode text not null,
    caps text not null default '{}',
    enabled boolean not null,
    ends_at timestamptz,
    next_slot timestamptz,
    next_run_at timestamptz,
    slot_zone text,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    unique (project_id, name)
  )`,
  `create index automations_due on automations (next_run_at) where next_run_at is not null`,
  `create table automation_runs (
    id text primary key,
    automation_id text not null references automations on delete cascade,
    ordinal bigint generated always as identity,
    trigger text not null,
    slot timestamptz,
    started_by text,
    job_id text unique references jobs on delete cascade,
    ended_as text,
    reason text,
    created_at timestamptz not null,
    unique (automation_id, slot),
    constraint automation_runs_one_end check ((job_id is null) <> (ended_as is null))
  )`,
  `create index automation_runs_newest on automation_runs (automation_id, ordinal desc)`,
  `create index automation_runs_day on automation_runs (automation_id, created_at)`,
  `alter table projects add column automation_caps text not null default '{}'`,
  `alter table jobs add column budget text, add column scope text`,
  `create index jobs_of_automations on jobs (project_id, created_at) where origin like '{"kind":"automation"%'`,
] as const

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
