// Cancels a job, wherever its run is: one transaction ends the run and fails the job. From then on every write of the
// run is refused by its fence; the notification only makes whoever works on it stop at once.

import { notify } from '../postgres/notify.ts'
import type { JobsContext } from './context.ts'
import { failJob } from './fail-job.ts'
import { appendEvents } from './events/events.ts'
import { onCancel } from './job.ts'
import { endRun, lockJob, lockOpenRun } from './store.ts'
import { toVersionedJob, type VersionedJob } from './response.ts'

/** Workers listen here for runs that were ended under them; the payload is the run's id. */
export const cancelledChannel = 'docent_cancelled'

/** Messages that wait go on waiting. Throws `not_found` and `job_not_active`. */
export function cancelJob(context: JobsContext, projectId: string, jobId: string): Promise<VersionedJob> {
  return context.db.transaction().execute(async (trx) => {
    const job = await lockJob(trx, jobId, projectId)
    onCancel(job.status)
    const runId = await lockOpenRun(trx, jobId)
    if (runId !== null) {
      await endRun(trx, runId, 'cancelled')
      await notify(trx, cancelledChannel, runId)
    }
    const error = { code: 'cancelled', message: 'The job was cancelled. A message goes on from here.' }
    const { failed, events } = await failJob(trx, jobId, error)
    await appendEvents(trx, { jobId, runId }, events)
    return toVersionedJob(failed, context.publicUrl)
  })
}
