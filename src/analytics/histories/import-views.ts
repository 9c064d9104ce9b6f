// Connects the import of an export with its history: the page views of another tool belong to a row that can be deleted with them.

import type { Db } from '../../postgres/types.ts'
import { type Import, type NewImport, openImport } from '../import/import-records.ts'
import { isTool } from '../import/tools.ts'
import type { RawPageView } from '../page-view.ts'
import { findHistoryOfImport, noHistory, openHistory } from './records.ts'

/** As `openImport`; also opens the history of an export. Throws `not_found` and `invalid_input`. */
export function openImportOf(db: Db, projectId: string, given: NewImport): Promise<Import> {
  return db.transaction().execute(async (trx) => {
    const { name, format: source, fingerprint } = given
    if (isTool(source)) await openHistory(trx, { projectId, source, name, fingerprint })
    return openImport(trx, projectId, given)
  })
}

/** Undefined: it is the import of a log. Throws `not_found` when the history was deleted meanwhile. */
export async function findHistoryOf(db: Db, { id, format }: Import): Promise<RawPageView['history']> {
  if (!isTool(format)) return undefined
  const history = await findHistoryOfImport(db, id)
  if (history === undefined) throw noHistory()
  return { id: history, tool: format }
}
