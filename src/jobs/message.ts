// Adds a follow-up message; messages are kept in order and never lost. In an active job, the message waits for the next
// turn. Otherwise it starts a run, also in a job that the service archived.

import { type IdempotentRequest, once, type Once } from '../requests/idempotency.ts'
import type { JobsContext } from './context.ts'
import { onMessage } from './job.ts'
import { consume, type RateLimit } from '../requests/rate-limits.ts'
import type { JobRow } from '../postgres/schema.ts'
import type { Trx } from '../postgres/types.ts'
import { addRun } from './queue/runs.ts'
import { addMessage, countWaitingMessages, lockJob, lockProject, type SentMessage, updateJob } from './store.ts'
import { archiverOf, toVersionedJob, type VersionedJob } from './response.ts'

export type NewMessage = SentMessage & { readonly projectId: string; readonly jobId: string }

/** `limit` undefined: no rate limit. Throws `not_found`, `job_archived`, `too_many_messages`, `rate_limited`. */
export function sendMessage(
  context: JobsContext,
  message: NewMessage,
  request: IdempotentRequest | undefined,
  limit?: RateLimit,
): Promise<Once<VersionedJob>> {
  return once(context.db, request, async (trx) => {
    const { job } = await addFollowUp(trx, message, limit)
    return toVersionedJob(job, context.publicUrl)
  })
}

type FollowUp = { readonly job: JobRow; readonly messageId: string }

/** Locks the project and the job. Throws like `sendMessage`. */
export async function addFollowUp(trx: Trx, message: NewMessage, limit?: RateLimit): Promise<FollowUp> {
  const { repository } = await lockProject(trx, message.projectId)
  const job = await lockJob(trx, message.jobId, message.projectId)
  const waiting = await countWaitingMessages(trx, job.id)
  const effect = onMessage({ status: job.status, archivedBy: archiverOf(job) }, waiting)
  if (limit) await consume(trx, limit, message.projectId)
  const messageId = await addMessage(trx, job.id, message)
  if (effect === 'joins the active run') return { job, messageId }
  await addRun(trx, job.id)
  return { job: await updateJob(trx, job.id, { ...reopened, repository }), messageId }
}

const reopened = {
  status: 'active',
  phase: 'queued',
  error_code: null,
  error_message: null,
  archived_at: null,
  archived_by: null,
} as const
