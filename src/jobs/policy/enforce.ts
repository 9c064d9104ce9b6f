// Refuses a change that violates the policy of the project, before anything is committed.

import { judgeEdits, policyOf } from './judge-edits.ts'
import { refusedFailure } from './words.ts'
import type { RunContext } from '../run/context.ts'
import type { Edited } from '../run/edit.ts'

/** Throws `policy_refused` with the findings. */
export async function enforcePolicy<Change extends Edited>(
  { project, repository }: Pick<RunContext, 'project' | 'repository'>,
  edited: Change,
): Promise<Change> {
  const base = await repository.tree(edited.start)
  const { refused } = await judgeEdits(policyOf(project), base, edited.edits)
  if (refused.length > 0) throw refusedFailure(refused)
  return edited
}
