// How a job ends: what its row says then, and the events that tell of it. Shared by the end of a run and by cancel.

import type { JobRow } from '../postgres/schema.ts'
import type { Trx } from '../postgres/types.ts'
import { cut, eventLimits, type JobError, type JobEvent } from './events/events.ts'
import { updateJob } from './store.ts'

export type Failed = { readonly failed: JobRow; readonly events: readonly JobEvent[] }

/** The job, failed, and what is to be told of it. Its run is the caller's to end. */
export async function failJob(trx: Trx, jobId: string, error: JobError): Promise<Failed> {
  const state = { status: 'failed', phase: null, error_code: error.code, error_message: error.message } as const
  const failed = await updateJob(trx, jobId, state)
  return { failed, events: [{ type: 'run_ended', error: shorten(error) }, jobEnded(failed, 'failed')] }
}

/** `job`: as it is now. */
export function jobEnded(job: JobRow, status: 'completed' | 'failed'): JobEvent {
  const error = job.error_code === null ? null : shorten({ code: job.error_code, message: job.error_message ?? '' })
  return { type: 'job_ended', status, outcome: job.outcome, prLink: job.pr_link, error }
}

function shorten({ code, message }: JobError): JobError {
  return { code, message: cut(message, eventLimits.message) }
}
