// Finds or opens the pull request of the branch; without a change, closes an open one.

import type { Finish } from '../../agent/tool.ts'
import type { PullRequest } from '../../forge/forge.ts'
import type { Oid } from '../../git/types.ts'
import { pullKeyOf } from '../pull.ts'
import { describeRuns } from './description.ts'
import type { RunContext } from './context.ts'
import type { Pushed } from './push.ts'

export type Proposed = {
  /** The branch against its base; null for no change and no pull request. */
  readonly change: { readonly pull: PullRequest; readonly baseCommit: Oid; readonly headCommit: Oid } | null
}

export async function propose(context: RunContext, pushed: Pushed): Promise<Proposed> {
  const { deps, job, repository } = context
  const baseCommit =
    pushed.head && ((await repository.mergeBase(pushed.base.commit, pushed.head)) ?? pushed.base.commit)
  if (!pushed.head || !baseCommit || (await repository.sameTree(baseCommit, pushed.head))) {
    await closeEmpty(context)
    return { change: null }
  }
  const proposal = {
    ...describeRuns(await loadFinishes(context, pushed.branch)),
    note: '',
    facts: '',
    draft: false,
    labels: [],
    reviewers: [],
    jobId: job.id,
    claim: { runId: context.lease.runId, fence: context.lease.fence },
    branch: pushed.branch,
    base: pushed.base.branch,
    baseCommit,
    headCommit: pushed.head,
  }
  const pull = await deps.forge.propose(job.project_id, proposal, context.signal)
  return { change: { pull, baseCommit, headCommit: pushed.head } }
}

/** Closes the open pull request after a follow-up reverted all of its changes. */
async function closeEmpty({ deps, job, lease, signal }: RunContext): Promise<void> {
  const key = pullKeyOf(job)
  const pull = key && (await deps.forge.get(job.project_id, key, signal))
  const claim = { runId: lease.runId, fence: lease.fence }
  if (pull?.state === 'open') await deps.forge.close(job.project_id, pull, claim, signal)
}

/** Returns the finishes of the runs of this branch, in order. */
async function loadFinishes({ deps, job, run }: RunContext, branch: string): Promise<readonly Finish[]> {
  const rows = await deps.db
    .selectFrom('runs')
    .select('finish')
    .where('job_id', '=', job.id)
    .where('branch', '=', branch)
    .where('number', '<=', run.number)
    .where('error_code', 'is', null)
    .orderBy('number')
    .execute()
  return rows.flatMap((row) => (row.finish === null ? [] : [JSON.parse(row.finish) as Finish]))
}
