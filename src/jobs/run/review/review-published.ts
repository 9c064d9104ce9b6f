// Reviews the published commit again when the change was applied to another commit than that of the start, because people
// pushed to the branch or merged it meanwhile, and when they chose another base. It only lists: the change is already on
// the branch.

import { compareChecks } from '../../../checks/compare.ts'
import type { Oid } from '../../../git/types.ts'
import type { RunPart } from '../context.ts'
import type { LeasedRun } from '../../queue/lease.ts'
import type { Pushed } from '../push.ts'
import { newProblemsOf, toReviewed } from '../../review/check-review.ts'
import { openChecks } from './open-checks.ts'
import { reviewContent, toReview } from './review-content.ts'
import { storeReview } from './store-review.ts'
import { waitForChecks } from './wait.ts'

/** The problems that the agent did not bring before count as those of the person. */
export async function reviewPublished(
  context: LeasedRun &
    RunPart<'job' | 'project' | 'repository', 'budget' | 'db' | 'facts' | 'git' | 'log' | 'readSyntax' | 'redactor'>,
  pushed: Pushed,
  hasNewBase: boolean,
): Promise<Pushed> {
  const { repository } = context
  const { head, start } = pushed
  if (head === null || (head === start && !hasNewBase)) return pushed
  const { parents } = await repository.commitFacts(head)
  if (parents[0] === start && !hasNewBase) return pushed
  const baseCommit = (await repository.mergeBase(pushed.base.commit, head, context.signal)) ?? pushed.base.commit
  const branch = { branch: pushed.branch, baseCommit, head: await repository.tree(head), isContinued: true }
  return await checkAgain(context, { ...pushed, head, content: await reviewContent(context, branch) })
}

async function checkAgain(
  context: LeasedRun & RunPart<'project' | 'repository', 'budget' | 'facts' | 'git' | 'log' | 'redactor'>,
  pushed: Pushed & { readonly head: Oid },
): Promise<Pushed> {
  const { head, review, content } = pushed
  if (review === null) return pushed
  const checks = openChecks(context, { ...pushed, start: head }, () => Promise.resolve(head))
  try {
    const checked = await waitForChecks(context, checks, { edits: [], extent: 'all' })
    if (!checked) return pushed
    const byWhom = compareChecks(newProblemsOf(review), checked.introduced)
    const shares = { introduced: byWhom.remaining, byPerson: byWhom.introduced }
    const again = { ...review, ...toReview(content), ...toReviewed({ ...checked, ...shares }) }
    await storeReview(context, again)
    return { ...pushed, review: again }
  } finally {
    checks.close()
  }
}
