// Publishes a commit that the host creates and signs (GitHub, for an App). git pushes the objects to a ref that is not a
// branch, so no workflow starts. The host creates the same commit over its API and moves the branch to it. The caller
// deletes the ref. Every part recognises its own earlier work, so all of it may run again.

import type { Oid, Repository } from '../git/types.ts'
import { Failure } from '../lib/failure.ts'
import type { HostCommits, PublishInput } from './host.ts'

export type Wanted = { readonly branch: string; readonly commit: Oid; readonly expected: Oid | null }
/** `commit` is the commit on the branch, which the host may have created. `moved`: the mirror contains the new head. */
export type Sent =
  | { readonly kind: 'pushed'; readonly commit: Oid }
  | { readonly kind: 'moved'; readonly head: Oid | null }

export type OnHost = Wanted & Pick<PublishInput, 'author'>

/** Publishes a commit with the id that it has here. */
export async function pushByGit(
  repository: Pick<Repository, 'push'>,
  wanted: Wanted,
  signal: AbortSignal,
): Promise<Sent> {
  const pushed = await repository.push(wanted, signal)
  return pushed.kind === 'pushed' ? { kind: 'pushed', commit: wanted.commit } : pushed
}

export type PublishSteps = {
  readonly repository: Repository
  readonly commits: HostCommits
  /** `refs/docent/<name>` */
  readonly ref: string
  /** Called between the steps. If it throws, nothing more is sent. */
  readonly onPushed?: () => Promise<void>
  readonly onPublished?: () => Promise<void>
}

export async function publishCommit(
  { repository, commits, ref, onPushed, onPublished }: PublishSteps,
  { branch, commit, expected, author }: OnHost,
  signal: AbortSignal,
): Promise<Sent> {
  await repository.pushObject({ commit, ref }, signal)
  const { tree, parents, message } = await repository.commitFacts(commit)
  const [parent, merged] = parents
  if (parent === undefined) throw new Failure('internal', 'A commit to publish has no parent.')
  await onPushed?.()
  const published = await commits.publish({ branch, expected, parent, merged, tree, message, author }, signal)
  await onPublished?.()
  if (published.kind === 'moved') {
    if (published.head !== null) await repository.fetchCommit(published.head, branch, signal)
    return published
  }
  const made = await repository.fetchCommit(published.commit, branch, signal)
  if (made.tree !== tree || made.parents[0] !== parent || made.parents[1] !== merged) {
    throw new Failure('forge_refused', 'The forge made a commit with other files than those that were pushed.')
  }
  return { kind: 'pushed', commit: published.commit }
}
