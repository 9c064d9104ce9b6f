// What a failed run edited and never published is taken along by the next run of the job, file by file, where the
// file is still what that run started from.

import type { Edit, Oid } from '../../git/types.ts'
import { loadEdits } from '../edits.ts'
import type { RunContext } from '../run-context.ts'

/** The unpublished edits of the run before this one that still fit on `start`. */
export async function carryEdits(context: RunContext, start: Oid): Promise<readonly Edit[]> {
  const before = await context.deps.db
    .selectFrom('runs')
    .select(['id', 'start_commit'])
    .where('job_id', '=', context.job.id)
    .where('number', '=', context.run.number - 1)
    .where('error_code', 'is not', null)
    .where('start_commit', 'is not', null)
    .executeTakeFirst()
  if (!before?.start_commit) return []
  const edits = lastByPath(await loadEdits(context.deps.db, before.id))
  if (before.start_commit === start || edits.length === 0) return edits
  const [was, is] = await Promise.all([context.repository.tree(before.start_commit), context.repository.tree(start)])
  return edits.filter((edit) => was.entry(edit.path)?.oid === is.entry(edit.path)?.oid)
}

function lastByPath(edits: readonly Edit[]): readonly Edit[] {
  return [...new Map(edits.map((edit) => [edit.path, edit])).values()]
}
