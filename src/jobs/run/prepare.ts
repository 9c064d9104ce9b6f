// Updates the mirror and chooses the commit to build on: the head of the job's branch, else of the base branch.
// A follow-up to a pull request that was merged or closed starts a new branch. Decided once, then remembered.

import { pullSettingsOf } from '../../forge/publication.ts'
import type { PullKey, PullRequest } from '../../forge/forge.ts'
import type { Oid, RemoteRefs } from '../../git/types.ts'
import type { JobRow } from '../../postgres/schema.ts'
import { assignContributions, loadWaiting, type WaitingContribution } from '../appends/contribution.ts'
import { saveEdits } from '../edits/stored-edits.ts'
import type { JobEvent } from '../events/events.ts'
import { branchName } from '../job.ts'
import { applyChoice } from '../options/branch.ts'
import { noPull, pullKeyOf } from '../pulls/pull.ts'
import { type LeasedRun, writeAsRun } from '../queue/lease.ts'
import { holdPins, pinSources } from '../sources/pin.ts'
import { readRunSources, type RunSource } from '../sources/run-sources.ts'
import { beginAppend } from './append/begin.ts'
import { moveToNewJob } from './append/move.ts'
import { budgetOf, reach, type RunPart, setPhase } from './context.ts'
import { findBase, findRunBase, updateJob } from '../store.ts'
import { carryEdits } from './carry.ts'
import { refuseLostWriters } from '../comments/lost-writers.ts'
import { showEnded } from './meanwhile/show-ended.ts'
import { type Bases, fetchFirst, isMissingBase, saveBase, usualBase } from './meanwhile/base.ts'

export type Prepared = {
  readonly base: { readonly branch: string; readonly commit: Oid }
  readonly branch: string
  /** The parent of the run's commit. */
  readonly start: Oid
  /** Whether the job wants its pull request to be a draft; null: as in the project. */
  readonly draft: boolean | null
  /** The head that the push expects; null when the branch must not exist yet. */
  readonly expectedHead: Oid | null
  /** The pull request of the branch, if the job has one. */
  readonly pull: PullKey | undefined
  /** The base of that pull request if the branch is gone from the repository: `base` takes its place. */
  readonly goneBase?: string
  /** The tags of the remote. */
  readonly tags: RemoteRefs['tags']
  readonly sources: readonly RunSource[]
}

/** `moved`: everything that waited is a run of another job now. */
export type Preparation = Prepared | 'moved'

type PrepareContext = LeasedRun &
  RunPart<
    'job' | 'modelId' | 'project' | 'repository',
    'budget' | 'clock' | 'db' | 'forge' | 'git' | 'hostOf' | 'reached' | 'requireAccess'
  >

export async function prepare(context: PrepareContext): Promise<Preparation> {
  const { run } = context
  await setPhase(context, 'preparing', describeStart(context))
  if (run.start_commit !== null && run.base_branch !== null && run.base_commit !== null && run.branch !== null) {
    return await prepareAgain(context, {
      branch: run.branch,
      start: run.start_commit,
      begun: { branch: run.base_branch, commit: run.base_commit },
    })
  }
  return await prepareFirst(context)
}

type Remembered = { readonly branch: string; readonly start: Oid; readonly begun: Prepared['base'] }

async function prepareAgain(context: PrepareContext, { branch, start, begun }: Remembered): Promise<Prepared> {
  const { run, repository, signal } = context
  const [refs, sources] = await Promise.all([
    fetchAgain(context, branch, begun.branch),
    holdPins(context, readRunSources(run.sources)),
  ])
  // The branches may have moved on, and a machine that fetches them for the first time gets their newest commits.
  await Promise.all([start, begun.commit].map((commit) => repository.contains(commit, signal)))
  const base = refs.base.branch === begun.branch ? begun : refs.base
  const { draft } = context.job
  const { expected_head: expectedHead } = run
  return { base, branch, start, draft, expectedHead, sources, tags: refs.tags, pull: pullKeyOf(context.job) }
}

async function prepareFirst(context: PrepareContext): Promise<Preparation> {
  const { signal } = context
  await refuseLostWriters(context)
  const waiting = await loadWaiting(context.db, context.job.id)
  // Before the model is asked: a run that cannot publish costs nothing.
  const [{ branch, branchNumber, refs: found, choice, pull, seen }, sources] = await whileAllowed(
    () => context.deps.requireAccess(context.project.id, signal),
    async (during) => {
      const begun = { ...context, signal: during }
      return await Promise.all([fetchStart(begun), pinSources(begun)])
    },
    signal,
  )
  const append = waiting.length === 0 ? undefined : await beginAppend(context, { branch, refs: found, pull })
  if (append?.kind === 'moves') {
    if (seen && seen.state !== 'open') await showEnded(context, seen)
    const left = await moveToNewJob(context, { waiting, because: append.because })
    await reach(context, 'moved')
    return left === 'ended' ? 'moved' : await prepareFirst(context)
  }
  const refs = append?.refs ?? found
  const expectedHead = refs.heads.get(branch) ?? null
  const start = expectedHead ?? refs.base.commit
  const { draft = context.job.draft } = choice
  const prepared: Prepared = { base: refs.base, branch, start, draft, expectedHead, sources, tags: refs.tags, pull }
  await remember(context, prepared, { branchNumber, choice, waiting })
  return prepared
}

/**
 * Does the work while `ask` asks whether it is allowed, so that a run waits only for the longer of the two. A refusal aborts
 * the work, and is thrown when that has ended.
 */
export async function whileAllowed<T>(
  ask: () => Promise<void>,
  work: (signal: AbortSignal) => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  const refusing = new AbortController()
  const asked = ask().catch((error: unknown) => {
    refusing.abort(error)
    throw error
  })
  const [allowed, done] = await Promise.allSettled([asked, work(AbortSignal.any([signal, refusing.signal]))])
  if (allowed.status === 'rejected') throw allowed.reason
  if (done.status === 'rejected') throw done.reason
  return done.value
}

type StartContext = RunPart<'job' | 'lease' | 'project' | 'repository' | 'run' | 'signal', 'db' | 'forge'>

/** A follow-up continues the branch of the open pull request; otherwise it starts a new one. */
async function fetchStart(context: StartContext) {
  const { deps, job, lease, signal } = context
  const key = pullKeyOf(job)
  const seen = key && (await deps.forge.get(job.project_id, key, signal))
  const pull = seen?.state === 'open' ? seen : undefined
  const start = await fetchBranch(context, { branchNumber: job.branch_number + (key && !pull ? 1 : 0), pull: seen })
  if (!pull || start.refs.heads.has(start.branch)) return { ...start, pull, seen }
  // People deleted the branch, which does not end the pull request on every forge.
  const claim = { runId: lease.runId, fence: lease.fence }
  await deps.forge.close(job.project_id, pull, claim, signal)
  const next = await fetchBranch(context, { branchNumber: job.branch_number + 1, pull: undefined })
  return { ...next, pull: undefined, seen }
}

type Wanted = { readonly branchNumber: number; readonly pull: PullRequest | undefined }

/** Fetches the branch and its base: a branch that exists keeps its base, and a new one gets the one that was chosen. */
async function fetchBranch(context: StartContext, { branchNumber, pull }: Wanted) {
  const { deps, job, project } = context
  const isKept = branchNumber === job.branch_number
  // The prefix may have changed since the branch got its name.
  const branch = isKept ? job.branch : branchName(pullSettingsOf(project).branchPrefix, job.id, branchNumber)
  const usual = usualBase(context)
  const { next_base_branch: chosen } = job
  const place = { branch, branchNumber }
  const kept = isKept ? (pull?.base ?? (await findBase(deps.db, job))) : undefined
  const instead = [...(chosen === null ? [] : [chosen]), usual]
  if (kept !== undefined) {
    return { ...place, refs: await fetchFirst(context, branch, [kept, ...instead]), choice: applyChoice(job, false) }
  }
  const refs = await fetchFirst(context, branch, chosen === null ? await basesAfter(context, pull) : [chosen])
  if (!refs.heads.has(branch)) return { ...place, refs, choice: applyChoice(job, true) }
  // A run pushed the branch and ended before it recorded that.
  const began = chosen === null ? refs : await fetchFirst(context, branch, [usual, chosen])
  return { ...place, refs: began, choice: applyChoice(job, false) }
}

/** A base that people chose for the pull request that they merged comes before the usual one. */
async function basesAfter(context: StartContext, pull: PullRequest | undefined): Promise<Bases> {
  const usual = usualBase(context)
  if (pull?.state !== 'merged') return [usual]
  return pull.base === (await findRunBase(context.deps.db, context.job)) ? [usual] : [pull.base, usual]
}

/** For a run that continues: the base may have been renamed since it began. */
async function fetchAgain(context: LeasedRun & StartContext, branch: string, base: string): Promise<RemoteRefs> {
  const { deps, job, signal } = context
  try {
    return await fetchFirst(context, branch, [base])
  } catch (error) {
    if (!isMissingBase(error)) throw error
    const key = pullKeyOf(job)
    const pull = key && (await deps.forge.get(job.project_id, key, signal))
    const refs = await fetchFirst(context, branch, [pull?.base ?? base, usualBase(context)])
    await saveBase(context, refs)
    return refs
  }
}

function describeStart(context: RunPart<'modelId' | 'project' | 'run', 'budget'>): JobEvent {
  const { turns, tokens, seconds, costUsd } = budgetOf(context)
  const budget = { turns, tokens, seconds, costUsd: costUsd === Infinity ? null : costUsd }
  return { type: 'run_started', number: context.run.number, model: context.modelId, budget }
}

type Decided = {
  readonly branchNumber: number
  readonly choice: Partial<JobRow>
  /** The run was prepared for these. */
  readonly waiting: readonly WaitingContribution[]
}

async function remember(
  context: LeasedRun & RunPart<'job' | 'project' | 'repository', 'db'>,
  prepared: Prepared,
  { branchNumber, choice, waiting }: Decided,
): Promise<void> {
  const carried = await carryEdits(context, prepared.start)
  const { job } = context
  const pinned = prepared.sources.length === 0 ? null : JSON.stringify(prepared.sources)
  await writeAsRun(context, async (trx, run) => {
    await trx
      .updateTable('runs')
      .set({
        base_branch: prepared.base.branch,
        base_commit: prepared.base.commit,
        branch: prepared.branch,
        start_commit: prepared.start,
        expected_head: prepared.expectedHead,
        path_policy: context.project.path_policy,
        sources: pinned,
      })
      .where('id', '=', run.id)
      .execute()
    await assignContributions(trx, run.id, waiting)
    await saveEdits(trx, run.id, 0, carried)
    const change = {
      ...(branchNumber === job.branch_number ? {} : newBranch(prepared.branch, branchNumber)),
      ...choice,
      ...(pinned === job.sources ? {} : { sources: pinned }),
    }
    if (Object.keys(change).length > 0) await updateJob(trx, job.id, change)
  })
}

/** The columns of a job that continues on a new branch. */
export function newBranch(branch: string, branchNumber: number): Partial<JobRow> {
  const nothingYet = { outcome: null, base_commit: null, head_commit: null, checks: null }
  return { ...noPull, ...nothingYet, branch, branch_number: branchNumber }
}
