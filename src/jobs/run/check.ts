// Checks what the run is about to publish, and stores the review of it once. New problems of the agent that break the site
// fail the job; its edits stay.

import { blockingOf, toGrounded, toReviewed } from '../review/check-review.ts'
import { parseReview } from '../review/load.ts'
import { checkSettingsOf } from './review/open-checks.ts'
import { openEditedTree } from '../review/edited-tree.ts'
import { emptyContent, reviewContent, type ReviewedContent, toReview } from './review/review-content.ts'
import { emptyReview, type Review } from '../review/review.ts'
import type { RunChecks } from '../review/run-checks.ts'
import { storeReview } from './review/store-review.ts'
import { waitForChecks } from './review/wait.ts'
import { checksFailure } from '../review/words.ts'
import { groundRun } from './grounding/find-ungrounded.ts'
import { type RunContext, type RunPart, setPhase } from './context.ts'
import type { LeasedRun } from '../queue/lease.ts'
import type { Edited } from './edit.ts'

export type Checked = Edited & {
  /** Null without anything to check, and when it could not be checked. */
  readonly review: Review | null
  readonly couldNotCheck: boolean
  readonly content: ReviewedContent
}

/** Throws `checks_failed`. */
export async function check(
  context: LeasedRun &
    RunPart<'job' | 'modelId' | 'project' | 'repository', 'db' | 'git' | 'log' | 'readSyntax' | 'redactor'>,
  edited: Edited,
  checks: RunChecks,
): Promise<Checked> {
  const { run } = context
  const isEmpty = edited.edits.length === 0 && edited.start === edited.base.commit
  if (isEmpty) return { ...edited, review: null, couldNotCheck: false, content: emptyContent }
  const content = await reviewEdits(context, edited)
  const review =
    run.review === null ? await reviewOnce(context, { ...edited, content }, checks) : parseReview(run.review)
  if (review && edited.edits.length > 0) refuse(context, review)
  return { ...edited, review, couldNotCheck: review === null, content }
}

type EditedContent = Edited & Pick<Checked, 'content'>

async function reviewOnce(
  context: LeasedRun & RunPart<'job' | 'modelId' | 'project' | 'repository', 'db' | 'git' | 'log' | 'redactor'>,
  edited: EditedContent,
  checks: RunChecks,
): Promise<Review | null> {
  await setPhase(context, 'checking')
  const { edits, content } = edited
  const [checked, grounding] = await Promise.all([
    waitForChecks(context, checks, { edits, extent: 'change' }),
    groundRun(context, edited),
  ])
  const found = checked && { ...toReview(content), ...toReviewed(checked), ...toGrounded(grounding) }
  const review = found ? { ...emptyReview, ...found } : null
  await storeReview(context, review)
  return review
}

async function reviewEdits(
  context: RunPart<'job' | 'project' | 'repository' | 'run' | 'signal', 'db' | 'readSyntax'>,
  { base, branch, start, edits }: Edited,
): Promise<ReviewedContent> {
  const { repository } = context
  const baseCommit = (await repository.mergeBase(base.commit, start, context.signal)) ?? base.commit
  const head = openEditedTree(await repository.tree(start), edits)
  return await reviewContent(context, { branch, baseCommit, head, isContinued: start !== baseCommit })
}

function refuse({ project }: Pick<RunContext, 'project'>, review: Review): void {
  const settings = checkSettingsOf(project)
  const problems = blockingOf(review, settings)
  const losses = settings.losses === 'block' ? review.losses : []
  if (problems.length + losses.length > 0) throw checksFailure(problems, losses, project.id)
}
