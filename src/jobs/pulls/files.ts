// The change of a pull request: that of its own commits, or of its job when it is on a forge.

import { pullRange, type PullsContext } from '../../forge/own/pulls.ts'
import { type ChangeRange, type DiffContext, rangeOfJob } from '../diff.ts'
import { findElsewhere } from './show.ts'

/** Throws `not_found`, and the errors of reading the repository. */
export async function rangeOfPull(
  { pulls, jobs }: { readonly pulls: PullsContext; readonly jobs: DiffContext },
  projectId: string,
  number: number,
): Promise<ChangeRange | undefined> {
  const hosted = await findElsewhere(pulls, projectId, number)
  return hosted ? rangeOfJob(jobs, projectId, hosted.jobId) : pullRange(pulls, projectId, number)
}
