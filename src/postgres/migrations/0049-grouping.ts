// Adds automations whose runs share one pull request: what a message says about the run of the automation that it is, how much each
// run of a job used, and the hunks of pull requests, so that those that people rejected are not proposed again.

import { type Kysely, sql } from 'kysely'

const statements = [
  `alter table automations add column grouping text not null default 'each'`,
  `alter table messages add column contribution text`,
  `alter table runs
    add column input_tokens bigint not null default 0,
    add column cached_input_tokens bigint not null default 0,
    add column output_tokens bigint not null default 0,
    add column turns integer not null default 0,
    add column cost_usd double precision default 0,
    add column dropped text`,
  // Until now a run of an automation showed the usage of its job.
  `update runs set (input_tokens, cached_input_tokens, output_tokens, turns, cost_usd) = (
    select input_tokens, cached_input_tokens, output_tokens, turns, cost_usd from jobs where id = runs.job_id
  ) where id in (select run_id from messages where id in (select message_id from automation_runs))`,
  // The run of an automation follows its message to another job.
  `alter table messages add constraint messages_place unique (id, job_id)`,
  `alter table automation_runs add constraint automation_runs_message
    foreign key (message_id, job_id) references messages (id, job_id) on update cascade on delete cascade`,
  `create table published_hunks (
    job_id text not null references jobs on delete cascade,
    digest text not null,
    path text not null,
    removed text not null,
    added text not null,
    created_at timestamptz not null,
    primary key (job_id, digest)
  )`,
] as const

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
