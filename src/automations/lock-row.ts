// Locks an automation: before its position, its commits and its runs, and after its project, so that nobody waits in a circle.

import type { AutomationRow } from '../postgres/schema/automations.ts'
import type { Trx } from '../postgres/types.ts'

/** Undefined: it was deleted meanwhile. */
export async function lockRow(trx: Trx, id: string): Promise<AutomationRow | undefined> {
  return await trx.selectFrom('automations').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
}
