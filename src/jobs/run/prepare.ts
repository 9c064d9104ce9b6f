// Updates the mirror and chooses the commit to build on: the head of the job's branch, else of the base branch.
// A follow-up to a pull request that was merged or closed starts a new branch. Decided once, then remembered.

import { pullSettingsOf } from '../../forge/publication.ts'
import type { Oid, RemoteRefs } from '../../git/types.ts'
import type { JobRow } from '../../postgres/schema.ts'
import { saveEdits } from '../edits/stored-edits.ts'
import type { JobEvent } from '../events/events.ts'
import { branchName } from '../job.ts'
import { applyChoice } from '../options/branch.ts'
import { noPull, pullKeyOf } from '../pulls/pull.ts'
import { type LeasedRun, writeAsRun } from '../queue/lease.ts'
import { budgetOf, type RunPart, setPhase } from './context.ts'
import { findBase, updateJob } from '../store.ts'
import { carryEdits } from './carry.ts'

export type Prepared = {
  readonly base: { readonly branch: string; readonly commit: Oid }
  readonly branch: string
  /** The parent of the run's commit. */
  readonly start: Oid
  /** Whether the job wants its pull request to be a draft; null: as in the project. */
  readonly draft: boolean | null
  /** The head that the push expects; null when the branch must not exist yet. */
  readonly expectedHead: Oid | null
  /** The tags of the remote. */
  readonly tags: RemoteRefs['tags']
}

export async function prepare(
  context: LeasedRun &
    RunPart<'job' | 'modelId' | 'project' | 'repository', 'budget' | 'db' | 'forge' | 'requireAccess'>,
): Promise<Prepared> {
  const { run, repository, signal } = context
  await setPhase(context, 'preparing', describeStart(context))
  if (run.start_commit !== null && run.base_branch !== null && run.base_commit !== null && run.branch !== null) {
    const wanted = { branch: run.base_branch, branches: [run.branch] }
    const { tags } = await repository.fetch(wanted, signal)
    // The branches may have moved on, and a machine that fetches them for the first time gets their newest commits.
    await Promise.all([run.start_commit, run.base_commit].map((commit) => repository.contains(commit, signal)))
    const base = { branch: run.base_branch, commit: run.base_commit }
    const { draft } = context.job
    return { base, branch: run.branch, start: run.start_commit, draft, expectedHead: run.expected_head, tags }
  }
  // Before the model is asked: a run that cannot publish costs nothing.
  const { branch, branchNumber, refs, choice } = await whileAllowed(
    () => context.deps.requireAccess(context.project.id, signal),
    (during) => fetchStart({ ...context, signal: during }),
    signal,
  )
  const expectedHead = refs.heads.get(branch) ?? null
  const start = expectedHead ?? refs.base.commit
  const { draft = context.job.draft } = choice
  const prepared: Prepared = { base: refs.base, branch, start, draft, expectedHead, tags: refs.tags }
  await remember(context, prepared, branchNumber, choice)
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

async function fetchStart(context: RunPart<'job' | 'project' | 'repository' | 'run' | 'signal', 'db' | 'forge'>) {
  const { job, project } = context
  const branchNumber = await chooseBranchNumber(context)
  const isKept = branchNumber === job.branch_number
  // The prefix may have changed since the branch got its name.
  const branch = isKept ? job.branch : branchName(pullSettingsOf(project).branchPrefix, job.id, branchNumber)
  return { branch, branchNumber, ...(await fetchBase(context, branch, branchNumber)) }
}

/** Fetches the branch and its base: a branch that exists keeps its base, and a new one gets the one that was chosen. */
async function fetchBase(
  { deps, job, project, repository, signal }: RunPart<'job' | 'project' | 'repository' | 'signal', 'db'>,
  branch: string,
  branchNumber: number,
) {
  const fetch = (base: string | null) => repository.fetch({ branch: base, branches: [branch] }, signal)
  const kept = branchNumber === job.branch_number ? await findBase(deps.db, job) : undefined
  if (kept !== undefined) return { refs: await fetch(kept), choice: applyChoice(job, false) }
  const usual = job.base_branch ?? project.branch
  const refs = await fetch(job.next_base_branch ?? usual)
  if (!refs.heads.has(branch)) return { refs, choice: applyChoice(job, true) }
  // A run pushed the branch and ended before it recorded that.
  return { refs: job.next_base_branch === null ? refs : await fetch(usual), choice: applyChoice(job, false) }
}

function describeStart(context: RunPart<'modelId' | 'project' | 'run', 'budget'>): JobEvent {
  const { turns, tokens, seconds, costUsd } = budgetOf(context)
  const budget = { turns, tokens, seconds, costUsd: costUsd === Infinity ? null : costUsd }
  return { type: 'run_started', number: context.run.number, model: context.modelId, budget }
}

async function chooseBranchNumber({ deps, job, signal }: RunPart<'job' | 'signal', 'forge'>): Promise<number> {
  const key = pullKeyOf(job)
  if (key === undefined) return job.branch_number
  const pull = await deps.forge.get(job.project_id, key, signal)
  return pull?.state === 'open' ? job.branch_number : job.branch_number + 1
}

async function remember(
  context: LeasedRun & RunPart<'job' | 'project' | 'repository', 'db'>,
  prepared: Prepared,
  branchNumber: number,
  choice: Partial<JobRow>,
): Promise<void> {
  const carried = await carryEdits(context, prepared.start)
  const { job } = context
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
      })
      .where('id', '=', run.id)
      .execute()
    await saveEdits(trx, run.id, 0, carried)
    const change = {
      ...(branchNumber === job.branch_number ? {} : newBranch(prepared.branch, branchNumber)),
      ...choice,
    }
    if (Object.keys(change).length > 0) await updateJob(trx, job.id, change)
  })
}

function newBranch(branch: string, branchNumber: number): Partial<JobRow> {
  const nothingYet = { outcome: null, base_commit: null, head_commit: null, checks: null }
  return { ...noPull, ...nothingYet, branch, branch_number: branchNumber }
}
