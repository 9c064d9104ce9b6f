// Stores the edits of a run, turn by turn. The workspace is the tree that the run started from, plus these edits.

import type { Edit } from '../../git/types.ts'
import type { Db, Trx } from '../../postgres/types.ts'

/** Turn 0 marks an edit that was carried over from an earlier run. */
export type StoredEdit = Edit & { readonly turn: number }

/** Sorted by turn, then by path. A path can appear once per turn; its last edit counts. */
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

/** PostgreSQL allows 65,535 parameters in a statement; a row has five. */
const rowsPerStatement = 1_000

/** Call it once per turn, with at most one edit per path. */
export async function saveEdits(trx: Trx, runId: string, turn: number, edits: readonly Edit[]): Promise<void> {
  const rows = edits.map(({ path, content, mode }) => ({ run_id: runId, turn, path, content, mode }))
  for (let at = 0; at < rows.length; at += rowsPerStatement) {
    await trx
      .insertInto('edits')
      .values(rows.slice(at, at + rowsPerStatement))
      .execute()
  }
}
