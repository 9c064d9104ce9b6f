// Reads the branch of a pull request with git, the same for all forges: where it is, whether only runs of the job have made its
// commits, and whether it conflicts with the base as that is now.

import type { Oid, Repository } from '../../git/types.ts'
import type { GitFacts } from './obstacles.ts'

export type WantedBranch = {
  readonly base: string
  readonly branch: string
  /** The commits that the runs of the job made. */
  readonly ours: ReadonlySet<Oid>
}

/** Runs of a job, and merges of the base between them. A longer branch counts as one of others. */
const mostCommits = 200

/** Throws the failures of the repository. */
export async function readBranch(
  repository: Repository,
  { base, branch, ours }: WantedBranch,
  signal: AbortSignal,
): Promise<GitFacts> {
  const refs = await repository.fetch({ branch: base, branches: [branch] }, signal)
  const head = refs.heads.get(branch)
  if (head === undefined) return { head: null, others: 0, conflicts: [] }
  const onto = refs.base.commit
  const others = await countOthers(repository, { head, onto, ours }, signal)
  const merged = await repository.merge({ into: onto, from: head, message: 'Merge', date: new Date(0) }, signal)
  return { head, others, conflicts: merged.kind === 'conflict' ? merged.paths : [] }
}

type Walk = { readonly head: Oid; readonly onto: Oid; readonly ours: ReadonlySet<Oid> }

/** The commits that the base lacks and no run made. A merge of the base that adds nothing of its own is nobody's commit. */
async function countOthers(repository: Repository, { head, onto, ours }: Walk, signal: AbortSignal): Promise<number> {
  const seen = new Set<Oid>()
  const next = [head]
  let others = 0
  for (let commit = next.pop(); commit !== undefined; commit = next.pop()) {
    if (seen.has(commit) || (await repository.isAncestor(commit, onto, signal))) continue
    seen.add(commit)
    if (seen.size > mostCommits) return others + 1
    const { parents } = await repository.commitFacts(commit)
    if (!ours.has(commit) && !(await isMergeOfBase(repository, { commit, parents, onto }, signal))) others += 1
    next.push(...parents)
  }
  return others
}

type Commit = { readonly commit: Oid; readonly parents: readonly Oid[]; readonly onto: Oid }

async function isMergeOfBase(repository: Repository, { commit, parents, onto }: Commit, signal: AbortSignal) {
  const [into, from] = parents
  if (parents.length !== 2 || into === undefined || from === undefined) return false
  if (!(await repository.isAncestor(from, onto, signal))) return false
  const merged = await repository.merge({ into, from, message: 'Merge', date: new Date(0) }, signal)
  return merged.kind === 'clean' && (await repository.sameTree(merged.commit, commit))
}
