// Adds a follow-up message; messages are kept in order and never lost. In an active job, the message waits for the next
// turn. Otherwise it starts a run, also in a job that the service archived.

import { type IdempotentRequest, once, type Once } from '../requests/idempotency.ts'
import type { JobsContext } from './context.ts'
import { onMessage } from './job.ts'
import { consume, type RateLimit } from '../requests/rate-limits.ts'
import { addRun } from './queue/runs.ts'
import { addMessage, countWaitingMessages, lockJob, lockProject, updateJob } from './store.ts'
import { archiverOf, toVersionedJob, type VersionedJob } from './response.ts'

export type NewMessage = { readonly projectId: string; readonly jobId: string; readonly prompt: string }

/** `limit` undefined: no rate limit. Throws `not_found`, `job_archived`, `too_many_messages`, `rate_limited`. */
export function sendMessage(
  context: JobsContext,
  message: NewMessage,
  request: IdempotentRequest | undefined,
  limit?: RateLimit,
): Promise<Once<VersionedJob>> {
  return once(context.db, request, async (trx) => {
    const { repository } = await lockProject(trx, message.projectId)
    const job = await lockJob(trx, message.jobId, message.projectId)
    const effect = onMessage(
      { status: job.status, archivedBy: archiverOf(job) },
      await countWaitingMessages(trx, job.id),
    )
    if (limit) await consume(trx, limit, message.projectId)
    await addMessage(trx, job.id, message.prompt)
    if (effect === 'joins the active run') return toVersionedJob(job, context.publicUrl)
    await addRun(trx, job.id)
    return toVersionedJob(await updateJob(trx, job.id, { ...reopened, repository }), context.publicUrl)
  })
}

const reopened = {
  status: 'active',
  phase: 'queued',
  error_code: null,
  error_message: null,
  archived_at: null,
  archived_by: null,
} as const
