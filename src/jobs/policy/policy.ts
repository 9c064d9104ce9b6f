// Applies the path policy of a project: the paths that a job may change. Pure. Refuses the agent's finish, and refuses
// again before the commit, which no prompt can influence.

import { createGlobMatcher, toGlobs } from '../../docs-syntax/glob.ts'
import type { ProjectRow } from '../../postgres/schema.ts'
import type { PathPolicy } from '../../projects/settings.ts'

const shownPaths = 10

export function policyOf(project: Pick<ProjectRow, 'path_policy'>): PathPolicy {
  return { allow: [], deny: [], ...(JSON.parse(project.path_policy) as Partial<PathPolicy>) }
}

/**
 * Returns the paths that may not be changed or deleted: those that match `deny`, and those that match no glob of a
 * non-empty `allow`.
 */
export function refusedPaths({ allow, deny }: PathPolicy, paths: readonly string[]): readonly string[] {
  const isAllowed = allow.length === 0 ? () => true : createGlobMatcher(allow.flatMap(toGlobs))
  const isDenied = createGlobMatcher(deny.flatMap(toGlobs))
  return paths.filter((path) => isDenied(path) || !isAllowed(path))
}

/** Explains why a change of these paths is refused; undefined when it is allowed. */
export function policyProblem(policy: PathPolicy, paths: readonly string[]): string | undefined {
  const refused = refusedPaths(policy, paths)
  if (refused.length === 0) return undefined
  const more = refused.length > shownPaths ? ` and ${refused.length - shownPaths} more` : ''
  return `the path policy of the project does not allow changes to ${refused.slice(0, shownPaths).join(', ')}${more}`
}

/** Describes the policy for the agent; undefined when every path may be changed. */
export function describePolicy({ allow, deny }: PathPolicy): string | undefined {
  if (allow.length === 0 && deny.length === 0) return undefined
  const only = allow.length === 0 ? '' : ` Change only what fits one of these globs: ${allow.join(' ')} .`
  const never = deny.length === 0 ? '' : ` Never change what fits one of these: ${deny.join(' ')} .`
  return `The project has a path policy.${only}${never}`
}
