// The edits of a run as they are stored, turn by turn: the workspace is the tree of the run's start and these.

import type { Edit } from '../../git/types.ts'
import type { Db, Trx } from '../../postgres/types.ts'

/** An edit with the turn that made it; 0 for one taken over from the run before. */
export type StoredEdit = Edit & { readonly turn: number }

/** In the order in which they were made; a path may come more than once. */
export async function loadEdits(db: Db, runId: string): Promise<readonly StoredEdit[]> {
  const rows = await db
    .selectFrom('edits')
    .select(['turn', 'path', 'content', 'mode'])
    .where('run_id', '=', runId)
    .orderBy('turn')
    .orderBy('path')
    .execute()
  return rows
}

/** A statement takes 65,535 parameters at most. */
const rowsPerStatement = 1_000

/** The edits of one turn, at most one a path. */
export async function saveEdits(trx: Trx, runId: string, turn: number, edits: readonly Edit[]): Promise<void> {
  const rows = edits.map(({ path, content, mode }) => ({ run_id: runId, turn, path, content, mode }))
  for (let at = 0; at < rows.length; at += rowsPerStatement) {
    await trx
      .insertInto('edits')
      .values(rows.slice(at, at + rowsPerStatement))
      .execute()
  }
}
