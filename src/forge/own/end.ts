// Ends one of Docent's own pull requests: merged or closed. The job that shows it changes in the same transaction, so no
// reader sees an older state afterwards.

import { sql } from 'kysely'
import { Failure } from '../../lib/failure.ts'
import type { PullRow } from '../../postgres/schema.ts'
import type { Trx } from '../../postgres/types.ts'
import type { PullRequest } from '../forge.ts'
import { isDraft, mergeTimeOf, pullPath } from './response.ts'

/** The operations on jobs that ending a pull request needs. Jobs are locked before runs and pull requests. */
export type PullJobs = {
  lock(trx: Trx, jobId: string): Promise<void>
  /** Shows the pull request on the job, if it is still the job's. */
  show(trx: Trx, jobId: string, pull: PullRequest): Promise<void>
}

export type Ending = {
  readonly projectId: string
  readonly number: number
  readonly state: 'merged' | 'closed'
  readonly mergeCommit: string | null
  readonly headCommit?: string
  /** When set, the pull request ends only if this is the head that was proposed last. */
  readonly proposedHead?: string
}

/**
 * Returns undefined when the pull request is not open any more, or has another head than the given one. The caller
 * holds the lock of the job.
 */
export async function endInTransaction(trx: Trx, jobs: PullJobs, ending: Ending): Promise<PullRow | undefined> {
  let query = trx
    .updateTable('pulls')
    .set({
      state: ending.state,
      merge_commit: ending.mergeCommit,
      updated_at: sql<Date>`now()`,
      ...(ending.headCommit === undefined ? {} : { head_commit: ending.headCommit }),
    })
    .where('project_id', '=', ending.projectId)
    .where('number', '=', ending.number)
    .where('state', '=', 'open')
  if (ending.proposedHead !== undefined) query = query.where('head_commit', '=', ending.proposedHead)
  const row = await query.returningAll().executeTakeFirst()
  if (row) await jobs.show(trx, row.job_id, toPullRequest(row))
  return row
}

export function notOpen({ number, state }: { readonly number: number; readonly state: string }): Failure {
  return new Failure('pull_not_open', `Pull request #${number} is ${state}.`)
}

/** Ignores `pull_not_open`, for callers that wanted the pull request to end. */
export function ignoreEnded(error: unknown): void {
  if (!(error instanceof Failure) || error.code !== 'pull_not_open') throw error
}

export function toPullRequest(row: PullRow): PullRequest {
  const { number, state, base, head_commit: head } = row
  const mergedAt = mergeTimeOf(row)
  return { forge: 'docent', number, state, draft: isDraft(row), mergedAt, link: pullPath(row.token), base, head }
}
