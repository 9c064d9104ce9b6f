// Keeps automations with the sources that they follow: a source that is renamed stays the same, one that is deleted is missed aloud, and
// one that is added again under the name is followed from then on.

import { sql } from 'kysely'
import type { AutomationRow } from '../../postgres/schema/automations.ts'
import type { Db, Trx } from '../../postgres/types.ts'
import { isFollowing, triggerOf } from '../automation.ts'
import { lockRow } from '../lock-row.ts'
import { findPlace } from './places.ts'
import { placeAutomation } from './store.ts'

/** Throws only errors of the database. */
export async function healPositions(db: Db): Promise<void> {
  for (const { id, name } of await findRenamed(db)) {
    await withRow(db, id, (trx, row) => rename(trx, row, name))
  }
  for (const { id } of await findLost(db)) await withRow(db, id, placeAgain)
}

type Found = { readonly id: string; readonly name: string }

async function findRenamed(db: Db): Promise<readonly Found[]> {
  const { rows } = await sql<Found>`/* automations.renamed */ select a.id, s.name from automation_positions p
    join automations a on a.id = p.automation_id join sources s on s.id = p.repository_id
    where (a.trigger::jsonb) ->> 'source' is distinct from s.name`.execute(db)
  return rows
}

/** The source is deleted, and so is the row that says when to poll it. */
async function findLost(db: Db): Promise<readonly Pick<Found, 'id'>[]> {
  const { rows } = await sql<Pick<Found, 'id'>>`/* automations.lost */ select automation_id as id
    from automation_positions p
    where not exists (select from followed_repositories f where f.repository_id = p.repository_id)`.execute(db)
  return rows
}

async function withRow(db: Db, id: string, work: (trx: Trx, row: AutomationRow) => Promise<void>): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const row = await lockRow(trx, id)
    if (row) await work(trx, row)
  })
}

async function rename(trx: Trx, row: AutomationRow, name: string): Promise<void> {
  const trigger = triggerOf(row)
  if (trigger.type !== 'code' || trigger.source === null) return
  const old = trigger.source
  const sources = row.sources === null ? null : (JSON.parse(row.sources) as readonly string[])
  const renamed = sources?.map((one) => (one === old ? name : one)) ?? null
  await trx
    .updateTable('automations')
    .set({
      trigger: JSON.stringify({ ...trigger, source: name }),
      sources: renamed === null ? null : JSON.stringify(renamed),
    })
    .where('id', '=', row.id)
    .execute()
}

async function placeAgain(trx: Trx, row: AutomationRow): Promise<void> {
  const trigger = triggerOf(row)
  if (!isFollowing(trigger)) return
  const isThere = (await findPlace(trx, row.project_id, trigger)) !== undefined
  if (isThere) await placeAutomation(trx, { automation: row, before: undefined, since: undefined })
  const name = trigger.type === 'code' ? (trigger.source ?? '') : ''
  const note = isThere
    ? 'It began again: its source was deleted, and added again.'
    : `Nothing starts: the project has no source \`${name}\` any more. Choose another one.`
  await trx.updateTable('automation_positions').set({ note }).where('automation_id', '=', row.id).execute()
}
