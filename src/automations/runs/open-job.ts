// The job that the runs of an automation share: the newest one whose pull request is open and takes more of them. A job that a person
// continued late may have opened its pull request after that of a newer one. Pull requests that take no more wait for people.

import { sql } from 'kysely'
import { findFull, type PullJob } from '../../jobs/appends/full.ts'
import { lockJob } from '../../jobs/store.ts'
import type { JobRow } from '../../postgres/schema.ts'
import type { AutomationRow } from '../../postgres/schema/automations.ts'
import type { Trx } from '../../postgres/types.ts'

/** `job` undefined: the next run has a job of its own. `because`: why, although a pull request is open, as a sentence. */
export type OpenJob = { readonly job: JobRow | undefined; readonly because: string | null }

/** Locks the job. */
export async function findOpenJob(trx: Trx, { id }: Pick<AutomationRow, 'id'>, now: Date): Promise<OpenJob> {
  let because: string | null = null
  for (const one of await listOpen(trx, id)) {
    const full = await findFull(trx, one, now)
    because ??= full ?? null
    if (full !== undefined) continue
    const job = await lockJob(trx, one.id)
    // A pull request that has ended meanwhile is seen when the run begins.
    if (job.status !== 'archived') return { job, because: null }
  }
  return { job: undefined, because }
}

/** Nobody reviews where more of them are open. */
const mostOpen = 20

/**
 * The newest first. A job that is at work may have no pull request yet. Those that a run left before it began, for a conflict with the
 * base, their pages or another base, are not among them.
 */
async function listOpen(trx: Trx, automationId: string): Promise<readonly PullJob[]> {
  const { rows } = await sql<PullJob>`/* automations.open_jobs */
    select jobs.id, jobs.branch, jobs.pull_forge, jobs.pull_number from automation_runs r
      join messages m on m.id = r.message_id and m.contribution is not null join jobs on jobs.id = m.job_id
    where r.automation_id = ${automationId} and jobs.status <> 'archived'
      and case when jobs.pull_number is null then jobs.status = 'active' else jobs.pull_state = 'open' end
      and not exists (select from automation_runs moved join messages on messages.id = moved.message_id
        where moved.automation_id = ${automationId} and messages.contribution::jsonb ->> 'left' = jobs.id)
    group by jobs.id order by jobs.pull_number is null, max(r.ordinal) desc limit ${mostOpen}`.execute(trx)
  return rows
}
