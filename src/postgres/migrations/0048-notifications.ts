// Adds notifications of what happened in a project, and their deliveries: one for each webhook of the project, and one for each
// person who wants it by mail. Both are rows of the transaction in which it happened, so a process that dies loses nothing.
// `jobs.pull_waiting_after` is when a pull request has waited for a review for a long time.

import { type Kysely, sql } from 'kysely'

const statements = [
  `create table webhooks (
    id text primary key,
    project_id text not null references projects on delete cascade,
    url text not null,
    format text not null check (format in ('standard', 'slack')),
    events text[] not null,
    secret text not null,
    enabled boolean not null,
    disabled_because text,
    delivered_at timestamptz,
    ends_at timestamptz,
    created_at timestamptz not null,
    updated_at timestamptz not null
  )`,
  `create index webhooks_of_project on webhooks (project_id)`,
  `create table mail_settings (
    person_id text primary key references people on delete cascade,
    events text[] not null,
    project_ids text[],
    updated_at timestamptz not null
  )`,
  `create table notifications (
    id text primary key,
    project_id text not null references projects on delete cascade,
    type text not null,
    data text not null,
    created_at timestamptz not null
  )`,
  `create index notifications_by_age on notifications (created_at)`,
  `create index notifications_of_project on notifications (project_id)`,
  `create table deliveries (
    id text primary key,
    ordinal bigint generated always as identity,
    notification_id text not null references notifications on delete cascade,
    webhook_id text references webhooks on delete cascade,
    person_id text references people on delete cascade,
    state text not null check (state in ('waiting', 'delivered', 'failed')),
    attempts integer not null default 0,
    due_at timestamptz,
    claimed_until timestamptz,
    attempted_at timestamptz,
    response_status integer,
    excerpt text,
    error text,
    milliseconds integer,
    created_at timestamptz not null,
    constraint deliveries_one_receiver check ((webhook_id is null) <> (person_id is null)),
    constraint deliveries_once_to_webhook unique (notification_id, webhook_id),
    constraint deliveries_once_to_person unique (notification_id, person_id)
  )`,
  `create index deliveries_due on deliveries (due_at) where state = 'waiting'`,
  `create index deliveries_to_webhook on deliveries (webhook_id, ordinal desc)`,
  `create index deliveries_to_person on deliveries (person_id, ordinal desc)`,
  `alter table jobs add column pull_waiting_after timestamptz`,
  `create index jobs_pulls_waiting on jobs (pull_waiting_after) where pull_waiting_after is not null`,
] as const

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
