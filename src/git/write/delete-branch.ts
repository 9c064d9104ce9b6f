// Deletes a branch of the remote if it is at an expected commit: that of a check, and that of a pull request that has ended.

import { Failure } from '../../lib/failure.ts'
import { sanitise } from '../../lib/outbound/sanitise.ts'
import { git, type Mirror } from '../cache/mirror.ts'
import { listRemote, runRemote } from '../transport/remote.ts'
import type { Oid } from '../types.ts'
import { branchRef } from './refname.ts'

/** Does nothing when the branch is gone. Throws `branch_conflict` when it is at another commit, and `forge_refused`. */
export async function deleteBranch(mirror: Mirror, branch: string, expected: Oid, signal: AbortSignal): Promise<void> {
  const ref = branchRef(branch)
  const flags = ['--porcelain', '--no-verify', '--no-signed', `--force-with-lease=${ref}:${expected}`]
  const result = await runRemote(mirror, { args: ['push', ...flags, '--', null, `:${ref}`] }, signal)
  if (result.ended !== 'exit' || result.code !== 0) {
    // Asks the remote for the result, because the response may have been lost.
    const head = (await listRemote(mirror, [branch], signal)).branches.get(branch)
    if (head !== undefined && head !== expected) {
      throw new Failure('branch_conflict', `The branch ${branch} has moved; it was not deleted.`)
    }
    if (head !== undefined) {
      throw new Failure('forge_refused', `The branch ${branch} was not deleted. Git says: ${sanitise(result.stderr)}`)
    }
  }
  await git(mirror, { args: ['update-ref', '-d', ref] })
}
