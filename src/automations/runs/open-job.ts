// The job that the runs of an automation share: that of its newest run, as long as it takes messages and its pull request has not ended.
// Older ones wait for people.

import type { JobRow } from '../../postgres/schema.ts'
import type { AutomationRow } from '../../postgres/schema/automations.ts'
import type { Trx } from '../../postgres/types.ts'
import { lockJob } from '../../jobs/store.ts'

/** Locks it. Undefined: the next run has a job of its own. */
export async function findOpenJob(trx: Trx, { id }: Pick<AutomationRow, 'id'>): Promise<JobRow | undefined> {
  const newest = await trx
    .selectFrom('automation_runs')
    .innerJoin('messages', 'messages.id', 'automation_runs.message_id')
    .select('messages.job_id')
    .where('automation_id', '=', id)
    .where('messages.contribution', 'is not', null)
    .orderBy('automation_runs.ordinal', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!newest) return undefined
  const job = await lockJob(trx, newest.job_id)
  if (job.status === 'archived') return undefined
  // The pull request of one that is at work may not be there yet.
  const isOpen = job.pull_number === null ? job.status === 'active' : job.pull_state === 'open'
  return isOpen ? job : undefined
}
