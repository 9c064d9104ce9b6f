// Adds a follow-up message; messages are kept in order and never lost. In an active job, the message waits for the next
// turn. Otherwise it starts a run, also in a job that the service archived.

import { type IdempotentRequest, once, type Once } from '../requests/idempotency.ts'
import type { JobsContext } from './context.ts'
import { onMessage } from './job.ts'
import { chooseBranch, type NewBranch } from './options/branch.ts'
import { refuseModel } from './options/model.ts'
import { type JobSettings, settingColumns } from './options/settings.ts'
import { consume, type RateLimit } from '../requests/rate-limits.ts'
import type { JobRow } from '../postgres/schema.ts'
import type { Trx } from '../postgres/types.ts'
import { addRun } from './queue/runs.ts'
import { contextColumn, refuseContext } from './sources/choose.ts'
import { addMessage, countWaitingMessages, lockJob, lockProject, type SentMessage, updateJob } from './store.ts'
import { archiverOf, toVersionedJob, type VersionedJob } from './response.ts'

export type NewMessage = SentMessage &
  NewBranch & {
    readonly projectId: string
    readonly jobId: string
    /** The model of the job from now on, one that the project allows. Undefined: as before. */
    readonly model?: string | undefined
    /** The sources that the job needs from its next run on. Undefined: as before. */
    readonly context?: readonly string[] | undefined
    /** All settings of the job from now on, in the place of `model` and `context`. Undefined: as before. */
    readonly settings?: JobSettings | undefined
  }

/**
 * `limit` undefined: no rate limit. Throws `not_found`, `job_archived`, `too_many_messages`, `rate_limited`, `branch_fixed`
 * and `invalid_input` for a model that the project does not allow.
 */
export function sendMessage(
  context: JobsContext,
  message: NewMessage,
  request: IdempotentRequest | undefined,
  limit?: RateLimit,
): Promise<Once<VersionedJob>> {
  return once(context.db, request, async (trx) => {
    const { projectId, model, context: needed } = message
    if (model !== undefined) refuseModel(model, await lockProject(trx, projectId), context.modelId)
    if (needed !== undefined) await refuseContext(trx, projectId, needed)
    const { job } = await addFollowUp(trx, message, limit)
    return toVersionedJob(job, context.publicUrl)
  })
}

type FollowUp = { readonly job: JobRow; readonly messageId: string }

/** Locks the project and the job. The caller has checked `model` and `settings`. Throws like `sendMessage`. */
export async function addFollowUp(trx: Trx, message: NewMessage, limit?: RateLimit): Promise<FollowUp> {
  const project = await lockProject(trx, message.projectId)
  const job = await lockJob(trx, message.jobId, message.projectId)
  const waiting = await countWaitingMessages(trx, job.id)
  const effect = onMessage({ status: job.status, archivedBy: archiverOf(job) }, waiting)
  const { model } = message
  const newBranch = await chooseBranch(trx, job, message, project.branch)
  if (limit) await consume(trx, limit, message.projectId)
  const messageId = await addMessage(trx, job.id, message)
  const chosen = message.settings
    ? settingColumns(message.settings)
    : { ...(model === undefined ? {} : { chosen_model: model }), ...contextColumn(message.context) }
  if (effect === 'joins the active run') {
    return { job: Object.keys(chosen).length === 0 ? job : await updateJob(trx, job.id, chosen), messageId }
  }
  await addRun(trx, job.id)
  const begun = model === undefined ? {} : { model }
  const change = { ...reopened, repository: project.repository, ...newBranch, ...chosen, ...begun }
  return { job: await updateJob(trx, job.id, change), messageId }
}

const reopened = {
  status: 'active',
  phase: 'queued',
  error_code: null,
  error_message: null,
  archived_at: null,
  archived_by: null,
} as const
