// A run of an automation is a message, so that several runs can continue one job. A run of a job stores how it ended, because
// the job only knows how the last one did.

import { type Kysely, sql } from 'kysely'

const statements = [
  `alter table automation_runs add column message_id text unique references messages on delete cascade`,
  `update automation_runs set message_id = (
    select id from messages where job_id = automation_runs.job_id order by ordinal limit 1
  ) where job_id is not null`,
  `alter table automation_runs drop constraint automation_runs_job_id_key`,
  `create index automation_runs_job on automation_runs (job_id)`,
  `alter table runs add column outcome text`,
  `update runs set outcome = case
      when finish like '{"kind":"question"%' then 'needs_input'
      when finish like '{"kind":"no_change"%' or commit_id is null then 'no_changes'
      else 'pull_request' end
    where state = 'ended' and error_code is null and job_id in (select job_id from automation_runs)`,
] as const

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
