// Creates a job: idempotency record, job, message and waiting run in one transaction.

import type { IdempotentRequest, Once } from '../requests/idempotency.ts'
import { once } from '../requests/idempotency.ts'
import { createId } from '../lib/id.ts'
import { branchName } from './job.ts'
import type { JobsContext } from './context.ts'
import { consume, type RateLimit } from '../requests/rate-limits.ts'
import { addRun } from './queue/runs.ts'
import { addMessage, lockProject } from './store.ts'
import { type JobOrigin, toVersionedJob, type VersionedJob } from './response.ts'

export type NewJob = {
  readonly projectId: string
  /** 1 to `maxPromptCharacters` characters, not only white space, well-formed, without NUL: the caller has checked. */
  readonly prompt: string
  /** The person who is signed in and asks for it. */
  readonly personId?: string | undefined
  /** The base branch, a valid name; undefined: that of the project. */
  readonly branch?: string | undefined
  /** Whether the pull request is a draft; undefined: as the project says. */
  readonly draft?: boolean | undefined
  readonly origin?: JobOrigin
}

/** `limit` undefined: no rate limit. Throws `rate_limited`, and `not_found` when the project is gone. */
export function createJob(
  context: JobsContext,
  job: NewJob,
  request: IdempotentRequest | undefined,
  limit?: RateLimit,
): Promise<Once<VersionedJob>> {
  return once(context.db, request, async (trx) => {
    const { repository, model } = await lockProject(trx, job.projectId)
    if (limit) await consume(trx, limit, job.projectId)
    const now = context.clock.now()
    const id = createId('job')
    const row = await trx
      .insertInto('jobs')
      .values({
        id,
        project_id: job.projectId,
        status: 'active',
        phase: 'queued',
        repository,
        branch: branchName(id, 1),
        model: model ?? context.modelId,
        origin: job.origin === undefined ? null : JSON.stringify(job.origin),
        base_branch: job.branch ?? null,
        draft: job.draft ?? null,
        created_at: now,
        updated_at: now,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    await addMessage(trx, id, job)
    await addRun(trx, id)
    return toVersionedJob(row, context.publicUrl)
  })
}
