// Publishes the run's commit on the job's branch if the head is still the expected one, never by force. If a person
// moved the head, the run's change is applied to the new head, and that one commit is published instead.

import { commitSettingsOf } from '../../forge/publication.ts'
import type { Oid } from '../../git/types.ts'
import { Failure } from '../../lib/failure.ts'
import { reach, type RunContext, type RunPart } from './context.ts'
import type { LeasedRun } from '../queue/lease.ts'
import type { Sent, Wanted } from '../pulls/publish-commit.ts'
import { type Committed, saveCommit } from './commit.ts'
import { dropTemporaryRef, publishOnHost } from './publish.ts'

export type Pushed = Committed & {
  /** The head of the job's branch; null when there is no branch. */
  readonly head: Oid | null
}

/** The limit on heads that a person pushes meanwhile; beyond it the run fails with `branch_conflict`. */
const maxMoves = 5

type Send = (wanted: Wanted) => Promise<Sent>

export async function push(
  context: LeasedRun & RunPart<'project' | 'repository', 'hostOf' | 'reached'>,
  committed: Committed,
): Promise<Pushed> {
  const { commit } = committed
  if (commit === null) return { ...committed, head: committed.expectedHead }
  const host = await context.deps.hostOf(context.project.id, context.signal)
  const commits = host?.commits
  await host?.forks?.sync(context.signal)
  if (!commits) return pushTo(context, { ...committed, commit }, (wanted) => pushByGit(context, wanted))
  const { author } = commitSettingsOf(context.project)
  const send: Send = (wanted) => publishOnHost(context, commits, { ...wanted, base: committed.base.branch, author })
  const pushed = await pushTo(context, { ...committed, commit }, send).catch(async (error: unknown) => {
    if (error instanceof Failure && !error.meaning.retry) await dropTemporaryRef(context).catch(() => undefined)
    throw error
  })
  await dropTemporaryRef(context)
  await reach(context, 'temporary ref deleted')
  return pushed
}

async function pushTo(
  context: LeasedRun & RunPart<'repository', 'reached'>,
  committed: Committed & { readonly commit: Oid },
  send: Send,
): Promise<Pushed> {
  let { commit, expectedHead: expected } = committed
  for (let move = 0; move <= maxMoves; move += 1) {
    const sent = await send({ branch: committed.branch, commit, expected })
    if (sent.kind === 'pushed') return { ...committed, commit: sent.commit, head: sent.commit }
    expected = sent.head
    if (expected !== null) commit = await moveOnto(context, commit, expected)
    if (commit === expected) return { ...committed, commit: null, head: expected }
    await saveCommit(context, commit, expected)
    await reach(context, 'commit stored')
  }
  throw new Failure('branch_conflict', `The branch ${committed.branch} moves faster than it can be pushed to.`)
}

async function pushByGit(
  { repository, signal }: Pick<RunContext, 'repository' | 'signal'>,
  wanted: Wanted,
): Promise<Sent> {
  const pushed = await repository.push(wanted, signal)
  return pushed.kind === 'pushed' ? { kind: 'pushed', commit: wanted.commit } : pushed
}

async function moveOnto({ repository }: Pick<RunContext, 'repository'>, commit: Oid, head: Oid): Promise<Oid> {
  const applied = await repository.transplant(commit, head)
  if (applied.kind === 'clean') return applied.commit
  const paths = applied.paths.slice(0, 20).join(', ')
  throw new Failure('branch_conflict', `The branch was changed by someone else in the same places: ${paths}.`)
}
