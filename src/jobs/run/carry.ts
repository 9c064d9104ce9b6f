// Carries the edits that a run did not publish, because it failed or asked a question, over to the next run of the job: as
// they are for every file that has not changed since that run started, and merged into the others where they still fit.

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
    .select(['id', 'start_commit', 'base_commit', 'error_code', 'finish', 'commit_id'])
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
  const isUntouched = ({ path }: Edit) => was.entry(path)?.oid === is.entry(path)?.oid
  const merged = await mergeEdits(
    context,
    { from: before.start_commit, onto: start, base: before.base_commit },
    edits.filter((edit) => !isUntouched(edit)),
  )
  return keepFitting(context, start, [...edits.filter(isUntouched), ...merged])
}

type Move = { readonly from: Oid; readonly onto: Oid; readonly base: Oid | null }

/**
 * Applies edits of files that changed since. A file in conflict is left as it is now, unless it is as it was where the branch
 * began: then only the branch had changed it, which is in the edit.
 */
async function mergeEdits(
  { repository, signal }: Pick<RunContext, 'repository' | 'signal'>,
  { from, onto, base }: Move,
  edits: readonly Edit[],
): Promise<readonly Edit[]> {
  if (edits.length === 0) return []
  const apply = async (some: readonly Edit[]) => {
    const draft = await repository.commit({ parent: from, edits: some, message: 'Draft', date: new Date(0) })
    return draft === from ? ({ kind: 'clean', commit: onto } as const) : await repository.transplant(draft, onto)
  }
  const all = await apply(edits)
  const conflicts = new Set(all.kind === 'conflict' ? all.paths : [])
  const merged = conflicts.size === 0 ? all : await apply(edits.filter(({ path }) => !conflicts.has(path)))
  const began = base === null ? null : await repository.mergeBase(base, from, signal)
  const [is, was] = [await repository.tree(onto), began === null ? undefined : await repository.tree(began)]
  const whole = edits.filter(({ path }) => conflicts.has(path) && was && was.entry(path)?.oid === is.entry(path)?.oid)
  return [...whole, ...(merged.kind === 'clean' ? await editsBetween({ repository }, onto, merged.commit) : [])]
}

/** The change from one commit to another, as edits. */
async function editsBetween(
  { repository }: Pick<RunContext, 'repository'>,
  from: Oid,
  to: Oid,
): Promise<readonly Edit[]> {
  const tree = await repository.tree(to)
  const paths = (await repository.changedFiles(from, to)).flatMap(({ path, previousPath }) => [
    path,
    ...(previousPath === null ? [] : [previousPath]),
  ])
  return await Promise.all(
    paths.map(async (path) => {
      const mode = tree.entry(path)?.mode === '100755' ? '100755' : '100644'
      return { path, content: (await tree.read(path)) ?? null, mode } as const
    }),
  )
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
