// Decides about the change of a run whose pull request ended before the change was in it. The commit is taken back from
// the old branch, if it is there. After a merge, the change of this run alone moves to the present base and a new branch. A
// pull request that people closed is their decision, so nothing is proposed again unless they say so. Every part may run
// twice.

import type { Finish } from '../../../agent/tool.ts'
import type { PullRequest } from '../../../forge/forge.ts'
import { pullSettingsOf } from '../../../forge/publication.ts'
import type { Oid, RemoteRefs, Repository } from '../../../git/types.ts'
import { Failure } from '../../../lib/failure.ts'
import { branchName } from '../../job.ts'
import { type LeasedRun, writeAsRun } from '../../queue/lease.ts'
import { updateJob } from '../../store.ts'
import type { Committed } from '../commit.ts'
import { addEvents, type RunContext, type RunPart } from '../context.ts'
import type { Ended } from '../ends/record.ts'
import { newBranch } from '../prepare.ts'
import { findChange } from '../propose.ts'
import { fetchFirst, usualBase } from './base.ts'
import type { Left } from './look.ts'
import { showEnded } from './show-ended.ts'

/** `moved`: the change is to be published on another branch. */
export type Leaving =
  | { readonly kind: 'done'; readonly ended: Ended }
  | { readonly kind: 'moved'; readonly committed: Committed }

type LeaveContext = LeasedRun & RunPart<'job' | 'project' | 'repository', never>

/** Throws `branch_conflict` when the base has changed the same places: the edits are kept. */
export async function leavePull(context: LeaveContext, committed: Committed, { pull }: Left): Promise<Leaving> {
  await showEnded(context, pull)
  const { commit, finish } = committed
  const head = commit ?? committed.expectedHead
  const refs = await fetchFirst(context, committed.branch, [pull.base, usualBase(context)])
  if (commit === null || (await hasCommit(context, { committed, commit, pull, base: refs.base.commit }))) {
    const change = await findChange(context, { ...committed, head })
    return { kind: 'done', ended: { finish, change: change ? { pull, ...change } : null } }
  }
  await takeBack(context, { ...committed, commit }, refs.heads.get(committed.branch))
  return pull.state === 'merged'
    ? await moveOn(context, { ...committed, commit }, { pull, refs })
    : await askAboutClosed(context, pull)
}

type Published = {
  readonly committed: Committed
  readonly commit: Oid
  readonly pull: PullRequest
  readonly base: Oid
}

/** Whether people ended the pull request with the commit in it. One of a branch that this run began was opened with it. */
async function hasCommit(
  { repository, signal }: Pick<RunContext, 'repository' | 'signal'>,
  { committed, commit, pull, base }: Published,
): Promise<boolean> {
  if (pull.head === commit || committed.expectedHead === null) return true
  return pull.state === 'merged' && (await repository.isAncestor(commit, base, signal))
}

type WithCommit = Committed & { readonly commit: Oid }

/** The commit came too late. If it is the head of the branch, the branch is put back to what it was before. */
async function takeBack(
  context: LeasedRun & Pick<RunContext, 'repository'>,
  { branch, commit, expectedHead }: WithCommit,
  head: Oid | undefined,
): Promise<void> {
  const { repository, signal } = context
  if (head === undefined || !(await isSameCommit(repository, head, commit))) return
  try {
    await repository.restoreBranch({ branch, expected: head, to: expectedHead }, signal)
  } catch (error) {
    if (!(error instanceof Failure) || error.mayRetry) throw error
    const message = `The branch ${branch} still has the commit of this run: ${error.message}`
    await writeAsRun(context, (trx, run) => addEvents(trx, run, { type: 'warning', message }))
  }
}

/** A host that makes the commits itself gives them other ids. */
async function isSameCommit(repository: Repository, head: Oid, commit: Oid): Promise<boolean> {
  if (head === commit) return true
  const [there, ours] = await Promise.all([head, commit].map((one) => repository.commitFacts(one)))
  if (there?.tree !== ours?.tree || there?.parents.join() !== ours?.parents.join()) return false
  return there?.message.trim() === ours?.message.trim()
}

type Merged = { readonly pull: PullRequest; readonly refs: RemoteRefs }

async function moveOn(context: LeaveContext, committed: WithCommit, { pull, refs }: Merged): Promise<Leaving> {
  const { base } = refs
  const applied = await context.repository.transplant(committed.commit, base.commit)
  if (applied.kind === 'conflict') throw conflict(pull, base.branch, applied.paths)
  const { commit } = applied
  const rest = commit === base.commit ? null : commit
  const branch = await writeAsRun(context, async (trx, run, job) => {
    const number = job.branch_number + 1
    const name = branchName(pullSettingsOf(context.project).branchPrefix, job.id, number)
    const place = { branch: name, base_branch: base.branch, base_commit: base.commit, expected_head: null }
    const set = { ...place, commit_id: commit }
    await trx.updateTable('runs').set(set).where('id', '=', run.id).execute()
    await updateJob(trx, job.id, newBranch(name, number))
    const went =
      rest === null ? `${base.branch} has this change already.` : 'This change has a pull request of its own.'
    await addEvents(trx, run, { type: 'warning', message: `#${pull.number} was merged while this ran. ${went}` })
    return name
  })
  return { kind: 'moved', committed: { ...committed, branch, base, commit: rest, expectedHead: null, pull: undefined } }
}

function conflict(pull: PullRequest, base: string, paths: readonly string[]): Failure {
  const places = paths.slice(0, 20).join(', ')
  const words = `#${pull.number} was merged while this ran, and ${base} has other changes in the same places: ${places}.`
  return new Failure('branch_conflict', `${words} The edits are kept: send a message to continue from ${base}.`)
}

/** The service asks instead of the agent. As after any question, the edits are carried into the next run. */
async function askAboutClosed(context: LeasedRun, { number, state }: PullRequest): Promise<Leaving> {
  const happened = state === 'closed' ? `#${number} was closed` : `The branch of #${number} was deleted`
  const question = `${happened} while this ran. Nothing was published; reply to open a new pull request with it.`
  const finish: Extract<Finish, { readonly kind: 'question' }> = { kind: 'question', question }
  await writeAsRun(context, async (trx, run) => {
    const set = { finish: JSON.stringify(finish) }
    await trx.updateTable('runs').set(set).where('id', '=', run.id).execute()
  })
  return { kind: 'done', ended: { finish, change: null } }
}
