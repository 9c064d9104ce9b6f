// Carries the edits that a run did not publish, because it failed or asked a question, over to the next run of the job:
// for every file that has not changed since that run started.

import type { Edit, Oid } from '../../git/types.ts'
import { Failure } from '../../lib/failure.ts'
import type { RunRow } from '../../postgres/schema.ts'
import { mayLackEdits } from '../edits/unpublished.ts'
import { loadEdits } from '../edits/stored-edits.ts'
import type { RunContext, RunPart } from './context.ts'

type Before = Pick<RunRow, 'error_code' | 'finish' | 'commit_id'>

/** Returns the unpublished edits of the last run that began to work, if they still apply to `start`. */
export async function carryEdits(
  context: RunPart<'job' | 'repository' | 'run' | 'signal', 'db'>,
  start: Oid,
): Promise<readonly Edit[]> {
  const before = await context.deps.db
    .selectFrom('runs')
    .select(['id', 'start_commit', 'error_code', 'finish', 'commit_id'])
    .where('job_id', '=', context.job.id)
    .where('number', '<', context.run.number)
    .where('start_commit', 'is not', null)
    .orderBy('number', 'desc')
    .executeTakeFirst()
  if (!before?.start_commit || (await isPublished(context, before, start))) return []
  const edits = lastByPath(await loadEdits(context.deps.db, before.id))
  if (before.start_commit === start || edits.length === 0) return edits
  // The project may have another repository since then.
  if (!(await context.repository.contains(before.start_commit, context.signal))) return []
  const [was, is] = await Promise.all([context.repository.tree(before.start_commit), context.repository.tree(start)])
  const untouched = edits.filter((edit) => was.entry(edit.path)?.oid === is.entry(edit.path)?.oid)
  return keepFitting(context, start, untouched)
}

/** Whether the edits are on the branch, whose head is `start`, or were on the branch before it. */
async function isPublished(
  { repository, signal }: Pick<RunContext, 'repository' | 'signal'>,
  before: Before,
  start: Oid,
): Promise<boolean> {
  if (!mayLackEdits(before)) return true
  const { commit_id: commit } = before
  if (commit === null || !(await repository.contains(commit, signal))) return false
  return await repository.isAncestor(commit, start, signal)
}

/** A new file may clash with one that was added since (by case, or with a folder of that name). */
async function keepFitting(
  { repository }: Pick<RunContext, 'repository'>,
  start: Oid,
  edits: readonly Edit[],
): Promise<readonly Edit[]> {
  const fits = async (some: readonly Edit[]) => {
    try {
      await repository.commit({ parent: start, edits: some, message: 'Draft', date: new Date(0) })
      return true
    } catch (error) {
      if (error instanceof Failure && error.code === 'path_refused') return false
      throw error
    }
  }
  if (await fits(edits)) return edits
  const fitting = edits.filter((edit) => edit.content === null)
  for (const edit of edits) if (edit.content !== null && (await fits([...fitting, edit]))) fitting.push(edit)
  return fitting
}

function lastByPath(edits: readonly Edit[]): readonly Edit[] {
  return [...new Map(edits.map((edit) => [edit.path, edit])).values()]
}
