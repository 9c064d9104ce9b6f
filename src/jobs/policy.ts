// The path policy of a project: which paths a job may change. Pure. It refuses the agent's finish, and again the step
// before the commit, which no prompt can influence.

import { createGlobMatcher, toGlobs } from '../docs-syntax/glob.ts'
import type { ProjectRow } from '../postgres/schema.ts'
import type { PathPolicy } from '../projects/settings.ts'

const shownPaths = 10

export function policyOf(project: Pick<ProjectRow, 'path_policy'>): PathPolicy {
  return { allow: [], deny: [], ...(JSON.parse(project.path_policy) as Partial<PathPolicy>) }
}

/** The paths that may not be changed, deleted ones too: what `deny` has, and what `allow` has not unless it is empty. */
export function refusedPaths({ allow, deny }: PathPolicy, paths: readonly string[]): readonly string[] {
  const isAllowed = allow.length === 0 ? () => true : createGlobMatcher(allow.flatMap(toGlobs))
  const isDenied = createGlobMatcher(deny.flatMap(toGlobs))
  return paths.filter((path) => isDenied(path) || !isAllowed(path))
}

/** Why a change of these paths is refused; undefined: it is not. */
export function policyProblem(policy: PathPolicy, paths: readonly string[]): string | undefined {
  const refused = refusedPaths(policy, paths)
  if (refused.length === 0) return undefined
  const more = refused.length > shownPaths ? ` and ${refused.length - shownPaths} more` : ''
  return `the path policy of the project does not allow changes to ${refused.slice(0, shownPaths).join(', ')}${more}`
}

/** The policy in words for the agent; undefined: everything may be changed. */
export function describePolicy({ allow, deny }: PathPolicy): string | undefined {
  if (allow.length === 0 && deny.length === 0) return undefined
  const only = allow.length === 0 ? '' : ` Change only what fits one of these globs: ${allow.join(' ')} .`
  const never = deny.length === 0 ? '' : ` Never change what fits one of these: ${deny.join(' ')} .`
  return `The project has a path policy.${only}${never}`
}
