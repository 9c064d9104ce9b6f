// Refuses a change that violates the policy of the project, before anything is committed.

import { judgeEdits, policyOf } from '../policy/judge-edits.ts'
import { refusedFailure } from '../policy/words.ts'
import type { RunPart } from './context.ts'
import type { Edited } from './edit.ts'

/** Throws `policy_refused` with the findings. */
export async function enforcePolicy<Change extends Edited>(
  { project, repository, deps, signal }: RunPart<'project' | 'repository' | 'signal', 'readSyntax'>,
  edited: Change,
): Promise<Change> {
  const base = await repository.tree(edited.start)
  const judging = { policy: policyOf(project), base, reading: deps.readSyntax, signal }
  const refused = await judgeEdits(judging, edited.edits)
  if (refused.length > 0) throw refusedFailure(refused)
  return edited
}
