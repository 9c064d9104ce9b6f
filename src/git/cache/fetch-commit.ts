// Fetches a commit that a host created over its API into the mirror. The branch already points to the commit, but the host
// may need a moment until git can fetch it.

import { Failure } from '../../lib/failure.ts'
import { fetchRefs } from '../transport/remote.ts'
import type { CommitFacts, Oid } from '../types.ts'
import { toDate } from '../read/history.ts'
import { readCommit } from '../write/commit-object.ts'
import { branchRef } from '../write/refname.ts'
import type { Lock } from './lock.ts'
import { type Mirror, withMirror } from './mirror.ts'

/** Names are short. A longer head has the date of a commit without one. */
const maxHeadBytes = 10_000

/** The commit to fetch, and its branch. */
type Wanted = { readonly commit: Oid; readonly branch: string }

/** Throws `repository_unreachable` when the branch does not contain the commit yet, or no longer contains it. */
export async function fetchCommit(
  mirror: Mirror,
  lock: Lock,
  { commit, branch }: Wanted,
  signal: AbortSignal,
): Promise<CommitFacts> {
  branchRef(branch)
  if ((await mirror.objects.read(commit)) === undefined) {
    await lock(() => withMirror(mirror, () => fetchRefs(mirror, [branch], signal)))
  }
  if ((await mirror.objects.read(commit)) !== undefined) return await commitFacts(mirror, commit)
  throw new Failure('repository_unreachable', `The branch ${branch} does not hold the commit of the host; try again.`)
}

/** Reads a commit of the mirror. */
export async function commitFacts(mirror: Mirror, commit: Oid): Promise<CommitFacts> {
  const { tree, parents, rest } = await readCommit(mirror, commit)
  const end = rest.indexOf('\n\n')
  return { tree, parents, message: end < 0 ? '' : rest.toString('utf8', end + 2), date: committedAt(rest) }
}

/** `rest` begins with the lines of author and committer. */
function committedAt(rest: Buffer): Date {
  const [, committer = ''] = rest.toString('latin1', 0, maxHeadBytes).split('\n', 2)
  return toDate(committer.split(' ').at(-2))
}
