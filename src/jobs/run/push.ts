// Publishes the run's commit on the job's branch if the head is still the expected one, never by force. If a person
// moved the head, the run's change is applied to the new head, and that one commit is published instead.

import { commitSettingsOf } from '../../forge/publication.ts'
import type { Oid } from '../../git/types.ts'
import { Failure } from '../../lib/failure.ts'
import { reach, type RunPart } from './context.ts'
import type { LeasedRun } from '../queue/lease.ts'
import { pushByGit, type Sent, type Wanted } from '../../forge/publish-commit.ts'
import { type Committed, moveOnto, saveCommit } from './commit.ts'
import { fetchFirst, usualBase } from './meanwhile/base.ts'
import { dropRefsOfFailedRuns, dropTemporaryRef, publishOnHost } from './publish.ts'

export type Pushed = Committed & {
  /** The head of the job's branch; null when there is no branch. */
  readonly head: Oid | null
}

/** People deleted the branch: it is never created again. */
export type BranchGone = 'branch gone'

/** The limit on heads that a person pushes meanwhile; beyond it the run fails with `branch_conflict`. */
const maxMoves = 5

type Send = (wanted: Wanted) => Promise<Sent>

export async function push(
  context: LeasedRun & RunPart<'job' | 'project' | 'repository', 'hostOf' | 'reached'>,
  committed: Committed,
  hasPull: boolean,
): Promise<Pushed | BranchGone> {
  const { commit } = committed
  if (commit === null) return { ...committed, head: committed.expectedHead }
  if (hasPull && committed.expectedHead === null) return await findPushed(context, { ...committed, commit })
  const host = await context.deps.hostOf(context.project.id, context.signal)
  const commits = host?.commits
  await host?.forks?.sync(context.signal)
  if (!commits) {
    const { repository, signal } = context
    return pushTo(context, { ...committed, commit }, (wanted) => pushByGit(repository, wanted, signal))
  }
  const { author } = commitSettingsOf(context.project)
  const send: Send = (wanted) => publishOnHost(context, commits, { ...wanted, author })
  const pushed = await pushTo(context, { ...committed, commit }, send).catch(async (error: unknown) => {
    if (error instanceof Failure && !error.meaning.retry) await dropTemporaryRef(context).catch(() => undefined)
    throw error
  })
  await dropTemporaryRef(context)
  await dropRefsOfFailedRuns(context)
  await reach(context, 'temporary ref deleted')
  return pushed
}

type WithCommit = Committed & { readonly commit: Oid }

/** An earlier attempt of this run created the branch, and has opened its pull request. */
async function findPushed(
  context: RunPart<'job' | 'project' | 'repository' | 'signal', never>,
  committed: WithCommit,
): Promise<Pushed | BranchGone> {
  const { base, branch } = committed
  const head = (await fetchFirst(context, branch, [base.branch, usualBase(context)])).heads.get(branch)
  return head === undefined ? 'branch gone' : { ...committed, head }
}

async function pushTo(
  context: LeasedRun & RunPart<'repository', 'reached'>,
  committed: WithCommit,
  send: Send,
): Promise<Pushed | BranchGone> {
  let { commit, expectedHead: expected } = committed
  for (let move = 0; move <= maxMoves; move += 1) {
    const sent = await send({ branch: committed.branch, commit, expected })
    if (sent.kind === 'pushed') {
      return { ...committed, commit: sent.commit, expectedHead: expected, head: sent.commit }
    }
    if (sent.head === null && expected !== null) return 'branch gone'
    expected = sent.head
    if (expected !== null) commit = await moveOnto(context, commit, expected)
    if (commit === expected) return { ...committed, commit: null, head: expected }
    await saveCommit(context, commit, expected)
    await reach(context, 'commit stored')
  }
  throw new Failure('branch_conflict', `The branch ${committed.branch} moves faster than it can be pushed to.`)
}
