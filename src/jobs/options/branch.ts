// The base branch of a job and the draft of its pull request. A job keeps the base of a branch that it published, also
// when the project gets another one; a message may choose both for the next new branch.

import { Failure } from '../../lib/failure.ts'
import type { JobRow } from '../../postgres/schema.ts'
import type { Db } from '../../postgres/types.ts'
import { pullKeyOf } from '../pulls/pull.ts'
import { findBase } from '../store.ts'

export type NewBranch = {
  /** A valid branch name. */
  readonly branch?: string | undefined
  readonly draft?: boolean | undefined
}

/**
 * Returns the columns that keep the choice for the next new branch, in the transaction of a message. Throws `branch_fixed`
 * for another base than that of the present branch when the message continues it.
 */
export async function chooseBranch(
  trx: Db,
  job: JobRow,
  { branch, draft }: NewBranch,
  projectBranch: string | null,
): Promise<Partial<JobRow>> {
  // The forge may know more than was last seen of it: whether a branch begins is only known when the run does.
  const chosen = draft === undefined ? {} : { next_draft: draft }
  if (branch === undefined) return chosen
  if (mayStartBranch(job)) return { ...chosen, next_base_branch: branch }
  const base = (await findBase(trx, job)) ?? (await findPrepared(trx, job)) ?? job.base_branch ?? projectBranch
  if (branch === base) return chosen
  const of = base === null ? 'the default branch of the repository' : base
  throw new Failure(
    'branch_fixed',
    `The job continues on its branch, which starts from ${of}. Leave \`branch\` out to continue there, or create a job for ${branch}. The base of an open pull request can be changed on its forge.`,
  )
}

/** The choice of the columns is used, because a new branch begins; otherwise it is dropped. */
export function applyChoice(job: JobRow, isNewBranch: boolean): Partial<JobRow> {
  const { next_base_branch: branch, next_draft: draft } = job
  if (branch === null && draft === null) return {}
  const cleared = { next_base_branch: null, next_draft: null }
  return isNewBranch ? { ...cleared, base_branch: branch ?? job.base_branch, draft: draft ?? job.draft } : cleared
}

/**
 * Whether the next run of a job that is not active starts a branch, as far as the forge was last seen. If the base is gone,
 * the run needs another one.
 */
function mayStartBranch(job: JobRow): boolean {
  if (job.status === 'active') return false
  if (job.error_code === 'base_not_found') return true
  return pullKeyOf(job) === undefined ? job.head_commit === null : job.pull_state !== 'open'
}

/** The base of the last run; of an active job that has not published its branch. */
async function findPrepared(db: Db, job: JobRow): Promise<string | undefined> {
  const run = await db
    .selectFrom('runs')
    .select('base_branch')
    .where('job_id', '=', job.id)
    .where('branch', '=', job.branch)
    .where('state', '<>', 'ended')
    .executeTakeFirst()
  return run?.base_branch ?? undefined
}
