// Returns the diff of a job: its branch against the base, or the unpublished edits so far.

import { onceMore } from '../lib/once-more.ts'
import { createOverlay } from '../git/write/overlay.ts'
import type { FileDiff, Git, Repository } from '../git/types.ts'
import type { Db } from '../postgres/types.ts'
import type { JobsContext } from './context.ts'
import { mayLackEdits } from './edits/unpublished.ts'
import { loadEdits } from './edits/stored-edits.ts'
import { findBase, getJob } from './store.ts'

/** How long the reader of a diff waits for the history of the repository. */
const historyMs = 120_000

export type DiffContext = JobsContext & { readonly git: Git }

/** A change as the two commits that it is between, both in the mirror. */
export type ChangeRange = { readonly repository: Repository; readonly from: string; readonly to: string }

/** Undefined: nothing is changed. Throws `not_found`, and the errors of reading the repository. */
export type FindRange = () => Promise<ChangeRange | undefined>

/** Returns a unified diff, empty without changes. Throws like `find`. */
export function diffOf(find: FindRange): Promise<string> {
  return onceMore(async () => {
    const range = await find()
    return range ? range.repository.diff(range.from, range.to) : ''
  })
}

/** Returns the same change by file. Throws like `find`. */
export function diffFilesOf(find: FindRange): Promise<readonly FileDiff[]> {
  return onceMore(async () => {
    const range = await find()
    return range ? range.repository.diffFiles(range.from, range.to) : []
  })
}

/** Returns undefined when there is no change, or no run has prepared yet. Throws `not_found`. */
export async function rangeOfJob(
  context: DiffContext,
  projectId: string,
  jobId: string,
): Promise<ChangeRange | undefined> {
  const job = await getJob(context.db, projectId, jobId)
  const project = await context.db
    .selectFrom('projects')
    .selectAll()
    .where('id', '=', projectId)
    .executeTakeFirstOrThrow()
  const repository = context.git.repository(project.id, project.repository, project.fork)
  const draft = await draftOf(context.db, repository, jobId)
  if (draft) return { repository, ...draft }
  if (job.base_commit === null || job.head_commit === null) return undefined
  const base = (await findBase(context.db, job)) ?? job.base_branch ?? project.branch
  const wanted = { branch: base, branches: [job.branch] }
  await repository.ensure([job.base_commit, job.head_commit], wanted)
  return { repository, from: job.base_commit, to: job.head_commit }
}

/** Commits the unpublished edits of the last run to a draft, on top of the branch that the run started from. */
async function draftOf(
  db: Db,
  repository: Repository,
  jobId: string,
): Promise<Omit<ChangeRange, 'repository'> | undefined> {
  const run = await db
    .selectFrom('runs')
    .selectAll()
    .where('job_id', '=', jobId)
    .where('start_commit', 'is not', null)
    .orderBy('number', 'desc')
    .executeTakeFirst()
  if (!run?.start_commit || !run.base_commit || (run.state === 'ended' && !mayLackEdits(run))) return undefined
  const wanted = { branch: run.base_branch, branches: run.branch === null ? [] : [run.branch] }
  await repository.ensure([run.start_commit, run.base_commit], wanted)
  const edits = (await createOverlay(repository, run.start_commit, await loadEdits(db, run.id))).edits()
  const to = await repository.commit({ parent: run.start_commit, edits, message: 'Draft', date: run.created_at })
  return {
    from:
      (await repository.mergeBase(run.base_commit, run.start_commit, AbortSignal.timeout(historyMs))) ??
      run.base_commit,
    to,
  }
}
