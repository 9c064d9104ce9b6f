// Puts a branch of the remote back to an earlier commit, or deletes it, if it is at an expected commit: one that this
// service pushed. The setup check deletes the branch that it created, upkeep that of a pull request that has ended, and a run
// takes back a commit that came too late for its pull request.

import { Failure } from '../../lib/failure.ts'
import { sanitise } from '../../lib/outbound/sanitise.ts'
import { git, type Mirror } from '../cache/mirror.ts'
import { listRemote, runRemote } from '../transport/remote.ts'
import type { Restored } from '../types.ts'
import { branchRef } from './refname.ts'

/**
 * Does nothing when the branch is gone: it is never created. Throws `branch_conflict` when it is at another commit, and
 * `forge_refused`. May be called again after any failure.
 */
export async function restoreBranch(
  mirror: Mirror,
  { branch, expected, to }: Restored,
  signal: AbortSignal,
): Promise<void> {
  const ref = branchRef(branch)
  const flags = ['--porcelain', '--no-verify', '--no-signed', `--force-with-lease=${ref}:${expected}`]
  const result = await runRemote(mirror, { args: ['push', ...flags, '--', null, `${to ?? ''}:${ref}`] }, signal)
  if (result.ended !== 'exit' || result.code !== 0) {
    // Asks the remote for the result, because the response may have been lost.
    const head = (await listRemote(mirror, [branch], signal)).branches.get(branch)
    const wanted = to === null ? 'deleted' : 'put back'
    if (head === expected) {
      throw new Failure('forge_refused', `The branch ${branch} was not ${wanted}. Git says: ${sanitise(result.stderr)}`)
    }
    if (head !== undefined && head !== to) {
      throw new Failure('branch_conflict', `The branch ${branch} has moved; it was not ${wanted}.`)
    }
  }
  await git(mirror, { args: to === null ? ['update-ref', '-d', ref] : ['update-ref', ref, to] })
}
