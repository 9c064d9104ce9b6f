// Creates a job. One transaction inserts the job, its first message, a waiting run and the idempotency record.

import type { IdempotentRequest, Once } from '../requests/idempotency.ts'
import { once } from '../requests/idempotency.ts'
import { pullSettingsOf } from '../forge/publication.ts'
import { createId } from '../lib/id.ts'
import type { JobRow } from '../postgres/schema.ts'
import type { Trx } from '../postgres/types.ts'
import { branchName } from './job.ts'
import type { JobsContext } from './context.ts'
import { type JobSettings, refuseSettings, settingColumns } from './options/settings.ts'
import { consume, type RateLimit } from '../requests/rate-limits.ts'
import { addRun } from './queue/runs.ts'
import { addMessage, lockProject, type SentMessage } from './store.ts'
import { type JobOrigin, toVersionedJob, type VersionedJob } from './response.ts'

export type AddJobContext = Pick<JobsContext, 'clock' | 'modelId'>

/** `prompt`: the caller has validated it: 1 to `maxPromptCharacters` characters, well-formed Unicode, no NUL, not blank. */
export type NewJob = SentMessage &
  JobSettings & {
    readonly projectId: string
    /** A valid branch name. Undefined: the project's base branch. */
    readonly baseBranch?: string | undefined
    /** Whether the pull request is a draft. Undefined: the project's setting. */
    readonly draft?: boolean | undefined
    readonly origin?: JobOrigin
  }

/**
 * Without `request`, every call creates a job. Without `limit`, there is no rate limit. Throws `rate_limited`, `not_found`,
 * `invalid_input` and the errors of `once`.
 */
export function createJob(
  context: JobsContext,
  job: NewJob,
  request: IdempotentRequest | undefined,
  limit?: RateLimit,
): Promise<Once<VersionedJob>> {
  return once(context.db, request, async (trx) => {
    const { row } = await addJob(trx, context, job)
    if (limit) await consume(trx, limit, job.projectId)
    return toVersionedJob(row, context.publicUrl)
  })
}

/** `messageId`: of its first message. */
export type AddedJob = { readonly row: JobRow; readonly messageId: string }

/**
 * Creates the job in a transaction of the caller. Throws `not_found` and `invalid_input` before it has written anything, so the
 * transaction may continue without the job.
 */
export async function addJob(trx: Trx, context: AddJobContext, job: NewJob): Promise<AddedJob> {
  const project = await lockProject(trx, job.projectId)
  await refuseSettings(trx, context, { project, projectId: job.projectId, settings: job })
  const now = context.clock.now()
  const id = createId('job')
  const row = await trx
    .insertInto('jobs')
    .values({
      id,
      project_id: job.projectId,
      status: 'active',
      phase: 'queued',
      repository: project.repository,
      branch: branchName(pullSettingsOf(project).branchPrefix, id, 1),
      model: job.model ?? project.model ?? context.modelId,
      origin: job.origin === undefined ? null : JSON.stringify(job.origin),
      base_branch: job.baseBranch ?? null,
      draft: job.draft ?? null,
      ...settingColumns(job),
      created_at: now,
      updated_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  const messageId = await addMessage(trx, id, job)
  await addRun(trx, id)
  return { row, messageId }
}
