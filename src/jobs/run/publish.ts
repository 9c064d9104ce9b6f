// Publishes a commit that the host makes itself, so that it is signed: GitHub's, as an App. git pushes the objects to a
// ref outside of the branches, which starts nothing there; the host creates the same commit over its API and moves the
// branch to it. From then on the host's commit is the run's. Every part recognises what it did before.

import type { HostCommits } from '../../forge/host.ts'
import { Failure } from '../../lib/failure.ts'
import { writeAsRun } from '../queue/lease.ts'
import { saveCommit } from './commit.ts'
import { reach, type RunContext } from './context.ts'
import type { Oid } from '../../git/types.ts'

export type Wanted = { readonly branch: string; readonly commit: Oid; readonly expected: Oid | null }
/** `commit`: the one on the branch, which a host may have made. `moved`: the mirror has the head. */
export type Sent =
  | { readonly kind: 'pushed'; readonly commit: Oid }
  | { readonly kind: 'moved'; readonly head: Oid | null }

export async function publishOnHost(
  context: RunContext,
  commits: HostCommits,
  { branch, base, commit, expected }: Wanted & { readonly base: string },
): Promise<Sent> {
  const { repository, signal } = context
  await repository.pushObject({ commit, ref: temporaryRef(context) }, signal)
  await reach(context, 'objects pushed')
  const { tree, parents, message } = await repository.commitFacts(commit)
  const [parent] = parents
  if (parent === undefined) throw new Failure('internal', 'The commit of a run has no parent.')
  // The host's commit has an id that this run does not know yet, so only a run that holds its claim may ask for it.
  await writeAsRun(context, () => Promise.resolve())
  const published = await commits.publish({ branch, expected, parent, tree, message }, signal)
  await reach(context, 'commit published')
  if (published.kind === 'moved') {
    await repository.fetch({ branch: base, branches: [branch] }, signal)
    return published
  }
  const made = await repository.fetchCommit(published.commit, branch, signal)
  if (made.tree !== tree || made.parents[0] !== parent) {
    throw new Failure('forge_refused', 'The forge made a commit with other files than those that were pushed.')
  }
  if (published.commit !== commit) await saveCommit(context, published.commit, expected)
  await reach(context, 'published commit stored')
  return { kind: 'pushed', commit: published.commit }
}

/** The ref may be gone already. */
export async function dropTemporaryRef(context: RunContext): Promise<void> {
  await context.repository.deleteRef(temporaryRef(context), context.signal)
}

function temporaryRef({ run }: RunContext): string {
  return `refs/docent/${run.id}`
}
