// Why somebody may not want to merge a pull request as it is. Pure.

import type { Job } from '../../api/jobs.ts'
import type { Pull, PullComment } from '../../api/pulls.ts'

type Found = {
  readonly pull: Pick<Pull, 'draft'>
  readonly job: Pick<Job, 'status' | 'outcome' | 'checks'>
  readonly comments: readonly Pick<PullComment, 'state'>[]
}

export function doubtsOf({ pull, job, comments }: Found): readonly string[] {
  const open = comments.filter(({ state }) => state !== 'done').length
  const problems = job.checks?.introduced ?? 0
  return [
    ...(pull.draft ? ['It is a draft.'] : []),
    ...(problems > 0 ? [`The checks found ${problems} new ${problems === 1 ? 'problem' : 'problems'}.`] : []),
    ...(open > 0 ? [`The agent has not responded to ${open} ${open === 1 ? 'comment' : 'comments'}.`] : []),
    ...(job.status === 'active' ? ['The agent is still working on it.'] : []),
    ...(job.status === 'failed' ? ['The last run of the job failed.'] : []),
    ...(job.outcome === 'needs_input' ? ['The last run ended with a question.'] : []),
  ]
}
