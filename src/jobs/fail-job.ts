// Ends a job: writes its row, and the events of its end. Shared by the end of a run and by cancel.

import type { JobRow } from '../postgres/schema.ts'
import type { Trx } from '../postgres/types.ts'
import { appendEvents, cut, eventLimits, type JobError, type JobEvent, type Place } from './events/events.ts'
import { notifyOfJob } from './notify/job.ts'
import { outcomeOf, resultOf } from './response.ts'
import { updateJob } from './store.ts'

/** Fails the job and its run with this error. The caller ends the run. */
export async function failJob(trx: Trx, place: Place, error: JobError): Promise<JobRow> {
  const state = { status: 'failed', phase: null, error_code: error.code, error_message: error.message } as const
  const failed = await updateJob(trx, place.jobId, state)
  if (place.runId !== null) {
    await trx.updateTable('runs').set({ error_code: error.code }).where('id', '=', place.runId).execute()
  }
  await appendEvents(trx, place, [{ type: 'run_ended', error: shorten(error) }, jobEnded(failed, 'failed')])
  await notifyOfJob(trx, failed, 'job.failed')
  return failed
}

/** `job`: the row after the change. */
export function jobEnded(job: JobRow, status: 'completed' | 'failed'): JobEvent {
  const error = job.error_code === null ? null : shorten({ code: job.error_code, message: job.error_message ?? '' })
  return { type: 'job_ended', status, outcome: outcomeOf(job), result: resultOf(job), prLink: job.pr_link, error }
}

function shorten({ code, message }: JobError): JobError {
  return { code, message: cut(message, eventLimits.message) }
}
