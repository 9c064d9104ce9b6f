// Reads, merges and closes Docent's own pull requests, which are stored in the database and merged by git plumbing. The
// branches belong to the repository; a person may push to them, or merge them there, at any time.

import type { Git, Repository } from '../../git/types.ts'
import { onceMore } from '../../lib/once-more.ts'
import { Failure } from '../../lib/failure.ts'
import type { Db } from '../../postgres/types.ts'
import type { ProjectRow, PullRow } from '../../postgres/schema.ts'
import { publicationOf } from '../publication.ts'
import { type Ending, endInTransaction, ignoreEnded, notOpen, type PullJobs } from './end.ts'
import { type PullPage, type PullResponse, toPullResponse } from './response.ts'

export type PullsContext = {
  readonly db: Db
  readonly git: Git
  readonly jobs: PullJobs
  /** Without a trailing slash. */
  readonly publicUrl: string
}

/** `merged`: only those that were merged from the first time on, and before the second one. */
export type WantedPulls = {
  readonly state?: PullResponse['state'] | undefined
  readonly jobId?: string | undefined
  readonly merged?: { readonly from?: Date | undefined; readonly to?: Date | undefined } | undefined
}

/** Lists the newest pull requests first, at most 1,000. */
export async function listPulls(
  context: Pick<PullsContext, 'db' | 'publicUrl'>,
  projectId: string,
  { state, jobId, merged }: WantedPulls,
): Promise<readonly PullResponse[]> {
  let query = context.db.selectFrom('pulls').selectAll().where('project_id', '=', projectId)
  if (state) query = query.where('state', '=', state)
  if (jobId !== undefined) query = query.where('job_id', '=', jobId)
  if (merged) query = query.where('state', '=', 'merged')
  if (merged?.from) query = query.where('updated_at', '>=', merged.from)
  if (merged?.to) query = query.where('updated_at', '<', merged.to)
  const rows = await query.orderBy('number', 'desc').limit(1_000).execute()
  return rows.map((row) => toPullResponse(row, context.publicUrl))
}

/** Throws `not_found`. */
export async function getPull(context: PullsContext, projectId: string, number: number): Promise<PullResponse> {
  return toPullResponse(await findPull(context.db, projectId, number), context.publicUrl)
}

export async function hasPull({ db }: PullsContext, projectId: string, number: number): Promise<boolean> {
  return (await lookUpPull(db, projectId, number)) !== undefined
}

/** Returns the two commits of the change, which are in the mirror. Throws `not_found`, and the errors of reading the repository. */
export async function pullRange(context: PullsContext, projectId: string, number: number) {
  const pull = await findPull(context.db, projectId, number)
  return { repository: await readable(context, pull), from: pull.base_commit, to: pull.head_commit }
}

/** Returns the content of a pull request's page. Throws `not_found` for an unknown token. */
export async function getPullPage(context: PullsContext, token: string): Promise<PullPage> {
  const row = await context.db.selectFrom('pulls').selectAll().where('token', '=', token).executeTakeFirst()
  if (!row) throw new Failure('not_found', 'There is no such pull request.')
  const project = await projectOf(context.db, row.project_id)
  const files = await onceMore(async () => (await readable(context, row)).diffFiles(row.base_commit, row.head_commit))
  const { note, body, facts } = row
  const text = body.startsWith(note) ? body.slice(note.length).trimStart() : body
  const pull = toPullResponse(row, context.publicUrl)
  return { pull, projectId: project.id, project: project.name, note, text, facts, files }
}

/** Throws `pull_not_open` when the pull request has already ended. */
export async function closePull(context: PullsContext, projectId: string, number: number): Promise<PullResponse> {
  const pull = await findPull(context.db, projectId, number)
  return end(context, pull, { projectId, number, state: 'closed', mergeCommit: null })
}

/** `head`: the only commit that may be at the head of the branch. Undefined: any commit is merged. */
export type WantedMerge = { readonly projectId: string; readonly number: number; readonly head?: string }

/**
 * Merges the current branch into the base: by fast-forward when possible, otherwise with a merge commit. Safe to call
 * again after a crash. Throws `pull_not_open`, `merge_conflict` with the files, `forge_refused`.
 */
export async function mergePull(
  context: PullsContext,
  { projectId, number, head }: WantedMerge,
  signal: AbortSignal,
): Promise<PullResponse> {
  for (let attempt = 1; attempt <= mergeAttempts; attempt += 1) {
    const pull = await findPull(context.db, projectId, number)
    if (pull.state !== 'open') throw notOpen(pull)
    await refuseFork(context.db, projectId)
    const merged = await mergeBranch(context, pull, { only: head, signal })
    const ending = { projectId, number, state: 'merged', ...merged, proposedHead: pull.head_commit } as const
    const row = await tryEnd(context, pull.job_id, ending)
    if (row) return toPullResponse(row, context.publicUrl)
    // Either a run has recorded the same merge, or a run has proposed more commits meanwhile, which are merged too.
    const now = await findPull(context.db, projectId, number)
    if (now.state === 'merged') return toPullResponse(now, context.publicUrl)
  }
  throw new Failure('merge_conflict', 'The branch moves faster than it can be merged; try again.')
}

/**
 * Returns the pull request after checking its branch, `merged` when it was merged outside of the service; undefined
 * when it does not exist.
 */
export async function refreshPull(
  context: PullsContext,
  { projectId, number }: { readonly projectId: string; readonly number: number },
  signal: AbortSignal,
): Promise<PullRow | undefined> {
  const pull = await lookUpPull(context.db, projectId, number)
  if (pull?.state !== 'open') return pull
  const repository = await repositoryOf(context, pull.project_id)
  const state = await checkBranch(repository, pull, signal)
  if (state === 'open') return pull
  await end(context, pull, { projectId, number, state, mergeCommit: null }).catch(ignoreEnded)
  return findPull(context.db, projectId, number)
}

/** The deadline for checking the branch. */
const checkMs = 120_000

/**
 * Returns `merged` when the base contains the head: a person merged it outside of the service. Returns `closed` when the
 * base is gone, or the branch is gone and its head is unknown.
 */
async function checkBranch(repository: Repository, pull: PullRow, signal: AbortSignal): Promise<PullRow['state']> {
  try {
    const limited = AbortSignal.any([signal, AbortSignal.timeout(checkMs)])
    const refs = await repository.fetch({ branch: pull.base, branches: [pull.branch] }, limited)
    if (!(await repository.contains(pull.head_commit, limited))) return refs.heads.has(pull.branch) ? 'open' : 'closed'
    return (await repository.isAncestor(pull.head_commit, refs.base.commit, limited)) ? 'merged' : 'open'
  } catch (error) {
    if (error instanceof Failure && error.code === 'base_not_found') return 'closed'
    throw error
  }
}

/** Opens the repository with the commits of the pull request in its mirror. */
async function readable(context: PullsContext, pull: PullRow): Promise<Repository> {
  const repository = await repositoryOf(context, pull.project_id)
  const wanted = { branch: pull.base, branches: [pull.branch] }
  await repository.ensure([pull.base_commit, pull.head_commit], wanted)
  return repository
}

/** The base is in a repository to which the credential may not push. */
async function refuseFork(db: Db, projectId: string): Promise<void> {
  const { fork } = await projectOf(db, projectId)
  if (fork === null) return
  throw new Failure('forge_right_missing', 'The project works in a fork. Merge the branch in the repository itself.')
}

/** How often a merge is tried: a person may push to the base between the fetch and the push. */
const mergeAttempts = 3

type Merging = { readonly only: string | undefined; readonly signal: AbortSignal }
type Merged = { readonly mergeCommit: string; readonly headCommit: string }

/** Merges the branch as it is now, including commits that a person pushed to it. */
async function mergeBranch({ db, git }: PullsContext, pull: PullRow, { only, signal }: Merging): Promise<Merged> {
  const project = await projectOf(db, pull.project_id)
  const repository = git.repository(project.id, project.repository)
  for (let attempt = 1; attempt <= mergeAttempts; attempt += 1) {
    const refs = await repository.fetch({ branch: pull.base, branches: [pull.branch] }, signal)
    const head = refs.heads.get(pull.branch) ?? pull.head_commit
    if (only !== undefined && head !== only) {
      throw new Failure('forge_refused', `The head of the branch ${pull.branch} is another commit now.`)
    }
    if (!(await repository.contains(head, signal))) {
      throw new Failure('merge_conflict', `The branch ${pull.branch} and its commits are gone from the repository.`)
    }
    if (await repository.isAncestor(head, refs.base.commit, signal))
      return { mergeCommit: refs.base.commit, headCommit: head }
    const merged = await repository.merge(
      { into: refs.base.commit, from: head, ...mergeOf(project, git, pull), date: new Date() },
      signal,
    )
    if (merged.kind === 'conflict') {
      const paths = merged.paths.slice(0, 20).join(', ')
      throw new Failure('merge_conflict', `The branch conflicts with ${pull.base} in: ${paths}.`)
    }
    const push = { branch: pull.base, commit: merged.commit, expected: refs.base.commit }
    if ((await repository.push(push, signal)).kind === 'pushed') return { mergeCommit: merged.commit, headCommit: head }
  }
  throw new Failure('merge_conflict', `${pull.base} moves faster than it can be merged; try again.`)
}

function mergeOf(project: ProjectRow, { identity }: Pick<Git, 'identity'>, { base, number, title }: PullRow) {
  const commit = { title: `Merge pull request #${number}: ${title}` }
  const { author, message } = publicationOf({ project, service: identity, branch: base, commit })
  return { author, message }
}

/** Throws `pull_not_open`. */
async function end(context: PullsContext, { job_id: jobId }: PullRow, ending: Ending): Promise<PullResponse> {
  const row = await tryEnd(context, jobId, ending)
  if (row) return toPullResponse(row, context.publicUrl)
  throw notOpen(await findPull(context.db, ending.projectId, ending.number))
}

/** Returns undefined when the pull request is not open any more, or has another head than the given one. */
async function tryEnd({ db, jobs }: PullsContext, jobId: string, ending: Ending): Promise<PullRow | undefined> {
  return db.transaction().execute(async (trx) => {
    await jobs.lock(trx, jobId)
    return endInTransaction(trx, jobs, ending)
  })
}

async function findPull(db: Db, projectId: string, number: number): Promise<PullRow> {
  const row = await lookUpPull(db, projectId, number)
  if (!row) throw new Failure('not_found', 'There is no such pull request in this project.')
  return row
}

function lookUpPull(db: Db, projectId: string, number: number): Promise<PullRow | undefined> {
  return db
    .selectFrom('pulls')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('number', '=', number)
    .executeTakeFirst()
}

export async function repositoryOf(context: PullsContext, projectId: string): Promise<Repository> {
  const project = await projectOf(context.db, projectId)
  return context.git.repository(project.id, project.repository, project.fork)
}

export function projectOf(db: Db, id: string): Promise<ProjectRow> {
  return db.selectFrom('projects').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
}
