// A branch cannot exist beside one that is named like a folder of it: `docent/job_1` beside `docent`. Git's own message names
// files of the host, and GitHub's API only says that the update failed.

import { Failure } from '../failure.ts'

/** `docent/check` and `docent` for `docent/check/1`. */
export function branchesAbove(branch: string): readonly string[] {
  const parts = branch.split('/')
  return parts.slice(1).map((_, at) => parts.slice(0, at + 1).join('/'))
}

export function blockedBranch(branch: string, by: string): Failure {
  const message = `The repository has a branch ${by}, and git can have no branch ${branch} beside it.`
  const remedy = 'Rename that branch, or set another `pullRequest.branchPrefix` for the project.'
  return new Failure('forge_refused', `${message} ${remedy}`)
}

/** Throws when one of the branches that exist makes the planned one impossible. */
export function refuseBlocked(planned: string, existing: { has(branch: string): boolean }): void {
  const by = existing.has(planned) ? undefined : branchesAbove(planned).find((above) => existing.has(above))
  if (by !== undefined) throw blockedBranch(planned, by)
}
