// Brings the branch of an open pull request up to its base, on request: a merge of the base, made here and pushed
// without force, the same for every forge. What people pushed to the branch stays. A response that is lost is no harm:
// the next request finds the base in the branch, and only records that.
//
// A run that starts meanwhile is not disturbed: it finds a moved head, as after the push of a person.

import type { HostCommits } from '../../forge/host.ts'
import { notOpen } from '../../forge/own/end.ts'
import { projectOf, refreshPull } from '../../forge/own/pulls.ts'
import type { PullNow, PullResponse } from '../../forge/own/response.ts'
import type { Oid, RemoteRefs, Repository } from '../../git/types.ts'
import { Failure } from '../../lib/failure.ts'
import type { JobRow, ProjectRow } from '../../postgres/schema.ts'
import { getJob, lockJob, updateJob } from '../store.ts'
import type { Sent, Wanted } from '../../forge/publish-commit.ts'
import { mergeInto, sendMerge } from './base-merge.ts'
import { pullKeyOf } from './pull.ts'
import { findAnyPull, type PullNowContext, showNow } from './show.ts'

type Target = {
  readonly projectId: string
  readonly project: ProjectRow
  readonly repository: Repository
  readonly pull: PullResponse
  /** As the forge has it: a person may have changed it there. */
  readonly base: string
  /** The host makes and signs the commits itself. */
  readonly commits: HostCommits | undefined
}

/** How often it is tried: a person may push between the fetch and the push. */
const mostAttempts = 3

/**
 * Throws `not_found`, `pull_not_open`, `job_active` while a run may write to the branch, `branch_conflict` with the
 * files, and the failures of the repository and of the forge.
 */
export async function updatePull(
  context: PullNowContext,
  { projectId, number }: { readonly projectId: string; readonly number: number },
  signal: AbortSignal,
): Promise<PullNow> {
  const target = await findTarget(context, projectId, number, signal)
  const { repository, base, pull } = target
  for (let attempt = 1; attempt <= mostAttempts; attempt += 1) {
    const refs = await repository.fetch({ branch: base, branches: [pull.branch] }, signal)
    const { head, merged } = await mergeBase(context, target, refs, signal)
    await refuseActive(context, projectId, pull)
    const sent =
      merged === head
        ? ({ kind: 'pushed', commit: head } as const)
        : await send(target, { branch: pull.branch, commit: merged, expected: head }, signal)
    if (sent.kind === 'moved') continue
    await record(context, target, { headCommit: sent.commit, baseCommit: refs.base.commit })
    return showNow(context, projectId, await findAnyPull(context, projectId, number))
  }
  throw new Failure('branch_conflict', `The branch ${pull.branch} moves faster than it can be updated; try again.`)
}

async function findTarget(
  context: PullNowContext,
  projectId: string,
  number: number,
  signal: AbortSignal,
): Promise<Target> {
  const pull = await findAnyPull(context, projectId, number)
  if (pull.state !== 'open') throw notOpen(pull)
  await refuseActive(context, projectId, pull)
  const host = await context.hostOf(projectId, signal)
  const base = pull.forge === 'docent' ? pull.base : await baseOnHost(pull, host, signal)
  const project = await projectOf(context.db, projectId)
  const repository = context.git.repository(project.id, project.repository, project.fork)
  await host?.forks?.sync(signal)
  return { projectId, project, repository, pull, base, commits: host?.commits }
}

/** The service may not know yet what happened to it on the forge. */
async function baseOnHost(
  pull: PullResponse,
  host: Awaited<ReturnType<PullNowContext['hostOf']>>,
  signal: AbortSignal,
): Promise<string> {
  if (host?.kind !== pull.forge) {
    const words = `The project has no credential for the forge of pull request #${pull.number}.`
    throw new Failure('repository_unauthorized', `${words} Set one: docent project credential set.`)
  }
  const now = await host.get(pull.number, signal)
  if (now?.state !== 'open') throw notOpen({ number: pull.number, state: now?.state ?? 'gone' })
  return now.base
}

async function refuseActive({ db }: PullNowContext, projectId: string, { jobId, number }: PullResponse): Promise<void> {
  const job = await getJob(db, projectId, jobId)
  if (job.status !== 'active') return
  throw new Failure('job_active', `The job of pull request #${number} is active: it may push to the branch.`)
}

type Merged = { readonly head: Oid; readonly merged: Oid }

/** `merged` is `head` when the branch has all of the base. */
async function mergeBase(
  context: PullNowContext,
  { projectId, project, repository, pull, base }: Target,
  refs: RemoteRefs,
  signal: AbortSignal,
): Promise<Merged> {
  const { number, branch } = pull
  const head = refs.heads.get(branch)
  if (head === undefined) throw new Failure('branch_conflict', `The branch ${branch} is gone from the repository.`)
  const from = refs.base.commit
  if (await repository.isAncestor(from, head, signal)) return { head, merged: head }
  if (await repository.isAncestor(head, from, signal)) {
    if (pull.forge === 'docent') {
      await refreshPull(context, { projectId, number }, AbortSignal.timeout(mostRefreshMs))
    }
    throw notOpen({ number, state: `merged: ${base} has all of its commits` })
  }
  const service = context.git.identity
  const into = { project, repository, branch, service, date: context.clock.now() }
  const made = await mergeInto(into, { base: { branch: base, commit: from }, head }, signal)
  if (made.kind === 'clean') return { head, merged: made.commit }
  const paths = made.paths.slice(0, 20).join(', ')
  throw new Failure('branch_conflict', `${base} and the branch ${branch} changed the same places: ${paths}.`)
}

const mostRefreshMs = 60_000

function send({ pull, ...target }: Target, wanted: Wanted, signal: AbortSignal): Promise<Sent> {
  return sendMerge({ ...target, ref: `refs/docent/update-${pull.jobId}` }, wanted, signal)
}

type Recorded = { readonly headCommit: Oid; readonly baseCommit: Oid }

/** A run that has started meanwhile records what it finds itself. */
async function record({ db }: PullNowContext, { pull, projectId, base }: Target, { headCommit, baseCommit }: Recorded) {
  await db.transaction().execute(async (trx) => {
    const job = await lockJob(trx, pull.jobId)
    const set = { head_commit: headCommit, base_commit: baseCommit }
    if (pull.forge === 'docent') {
      await trx
        .updateTable('pulls')
        .set({ ...set, updated_at: new Date() })
        .where('project_id', '=', projectId)
        .where('number', '=', pull.number)
        .where('state', '=', 'open')
        .where('head_commit', '=', pull.headCommit)
        .execute()
    }
    const isNew = job.head_commit !== headCommit || job.pull_base !== base
    if (isShown(job, pull) && isNew) await updateJob(trx, job.id, { ...set, pull_base: base })
  })
}

/** A run that has ended meanwhile knows better. */
function isShown(job: JobRow, { forge, number, headCommit }: PullResponse): boolean {
  const key = pullKeyOf(job)
  const isSame = key?.forge === forge && key.number === number && (job.head_commit ?? '') === headCommit
  return isSame && job.status !== 'active' && job.pr_link !== null
}
