// Asks the forge about the pull request of a run's branch: people may merge or close it at any moment of a run.

import type { PullRequest } from '../../../forge/forge.ts'
import type { RunPart } from '../context.ts'
import type { Committed } from '../commit.ts'

/** Returns undefined as long as the branch has no pull request. */
export async function lookAtPull(
  { deps, job, run, signal }: RunPart<'job' | 'run' | 'signal', 'forge'>,
  { pull, branch }: Pick<Committed, 'branch' | 'pull'>,
): Promise<PullRequest | undefined> {
  if (pull) return await deps.forge.get(job.project_id, pull, signal)
  // An earlier attempt of this run may have opened it.
  if (run.commit_id === null) return undefined
  return await deps.forge.find(job.project_id, { jobId: job.id, branch }, signal)
}

/** The pull request takes no more commits: it was merged or closed, or its branch was deleted. */
export type Left = { readonly kind: 'left'; readonly pull: PullRequest }

/** The pull request, unless it has ended. */
export function refuseEnded(pull: PullRequest | undefined): Left | undefined {
  return pull && pull.state !== 'open' ? { kind: 'left', pull } : undefined
}
