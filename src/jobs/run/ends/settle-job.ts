// The queue's functions for jobs: lock the job before its run, and update the job of a settled run.

import { Failure, isJobFailureCode } from '../../../lib/failure.ts'
import { plainText } from '../../../lib/plain-text.ts'
import type { JobRow, RunRow } from '../../../postgres/schema.ts'
import type { Trx } from '../../../postgres/types.ts'
import { cut, eventLimits, type JobEvent } from '../../events/events.ts'
import { failJob } from '../../fail-job.ts'
import { LeaseLost } from '../../queue/lease.ts'
import type { Settlement } from '../../queue/settlement.ts'
import { changeJob, lockJob } from '../../store.ts'

/** Throws `LeaseLost` when the job was deleted. */
export function lockJobOfRun(trx: Trx, run: RunRow): Promise<JobRow> {
  return lockJob(trx, run.job_id).catch((error: unknown) => {
    throw error instanceof Failure && error.code === 'not_found' ? new LeaseLost(run.id) : error
  })
}

/**
 * Fails the job of a failed run: its edits stay stored, and waiting messages keep waiting. Otherwise queues the job
 * again.
 */
export async function settleJob(trx: Trx, run: RunRow, how: Settlement): Promise<void> {
  const place = { jobId: run.job_id, runId: run.id }
  if (how.kind === 'failed') {
    const { code, message } = how.failure
    await failJob(trx, place, { code: isJobFailureCode(code) ? code : 'internal', message: plainText(message) })
    return
  }
  await changeJob(trx, place, { phase: 'queued' }, [...retried(how), { type: 'phase', phase: 'queued' }])
}

function retried({ failure, delaySeconds: waitSeconds }: Extract<Settlement, { kind: 'waits' }>): readonly JobEvent[] {
  if (!failure) return []
  const message = cut(plainText(failure.message), eventLimits.message)
  return [{ type: 'run_retried', code: failure.code, message, waitSeconds }]
}
