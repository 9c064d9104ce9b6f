// Cancels a job, on whatever server its run is: one transaction ends the run and fails the job. From then on the fence
// refuses every write of the run; the notification only stops its worker sooner.

import { notify } from '../postgres/notify.ts'
import type { JobsContext } from './context.ts'
import { failJob } from './fail-job.ts'
import { onCancel } from './job.ts'
import { endedRunsChannel, endRun, lockOpenRun } from './queue/runs.ts'
import { lockJob } from './store.ts'
import { toVersionedJob, type VersionedJob } from './response.ts'

/** Cancels the job; its waiting messages keep waiting. Throws `not_found` and `job_not_active`. */
export function cancelJob(context: JobsContext, projectId: string, jobId: string): Promise<VersionedJob> {
  return context.db.transaction().execute(async (trx) => {
    const job = await lockJob(trx, jobId, projectId)
    onCancel(job.status)
    const runId = await lockOpenRun(trx, jobId)
    if (runId !== undefined) {
      await endRun(trx, runId)
      await notify(trx, endedRunsChannel, runId)
    }
    const error = { code: 'cancelled', message: 'The job was cancelled. Send a message to continue.' }
    return toVersionedJob(await failJob(trx, { jobId, runId: runId ?? null }, error), context.publicUrl)
  })
}
