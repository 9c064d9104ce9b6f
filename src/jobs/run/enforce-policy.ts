// Refuses a change outside of the paths that the project allows, before anything is committed.

import { Failure } from '../../lib/failure.ts'
import { policyOf, policyProblem } from '../policy/policy.ts'
import type { RunContext } from './context.ts'
import type { Edited } from './edit.ts'

/** Throws `policy_refused` with the paths. */
export function enforcePolicy({ project }: Pick<RunContext, 'project'>, edited: Edited): Edited {
  const paths = edited.edits.map((edit) => edit.path)
  const problem = policyProblem(policyOf(project), paths)
  if (problem === undefined) return edited
  throw new Failure('policy_refused', `Nothing was published: ${problem}.`)
}
