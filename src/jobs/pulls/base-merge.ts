// Merges the base of a pull request into its branch, and publishes the merge without force, the same for every forge. What people
// pushed to the branch stays. A response that is lost is no harm: the next attempt finds the base in the branch.

import type { HostCommits } from '../../forge/host.ts'
import { commitSettingsOf, publicationOf } from '../../forge/publication.ts'
import { publishCommit, pushByGit, type Sent, type Wanted } from '../../forge/publish-commit.ts'
import type { Applied, Identity, Oid, RemoteRefs, Repository } from '../../git/types.ts'
import type { ProjectRow } from '../../postgres/schema.ts'

export type MergeTarget = {
  readonly project: Pick<ProjectRow, 'pull_request' | 'commit'>
  readonly repository: Repository
  readonly branch: string
  /** The author of commits for which the project names nobody. */
  readonly service: Identity
  readonly date: Date
}

/** Makes the merge, or returns `head` if the branch has all of the base. Publishes nothing. */
export async function mergeInto(
  { project, repository, branch, service, date }: MergeTarget,
  { base, head }: { readonly base: RemoteRefs['base']; readonly head: Oid },
  signal: AbortSignal,
): Promise<Applied> {
  if (await repository.isAncestor(base.commit, head, signal)) return { kind: 'clean', commit: head }
  const commit = { title: `Merge ${base.branch} into ${branch}` }
  const { author, message } = publicationOf({ project, service, branch, commit })
  return await repository.merge({ into: head, from: base.commit, message, author, date }, signal)
}

/** `ref`: `refs/docent/<name>`, for a host that makes and signs the commits itself; it is deleted. */
export type MergeSender = Pick<MergeTarget, 'project' | 'repository'> & {
  readonly commits: HostCommits | undefined
  readonly ref: string
}

export async function sendMerge(
  { project, repository, commits, ref }: MergeSender,
  wanted: Wanted,
  signal: AbortSignal,
): Promise<Sent> {
  if (!commits) return await pushByGit(repository, wanted, signal)
  try {
    const { author } = commitSettingsOf(project)
    return await publishCommit({ repository, commits, ref }, { ...wanted, author }, signal)
  } finally {
    await repository.deleteRef(ref, signal).catch(() => undefined)
  }
}
