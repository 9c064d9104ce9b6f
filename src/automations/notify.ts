// Notifies of what a person should know about an automation: that it is paused, and that three runs in a row have failed. Each is
// called in the transaction that makes it true.

import { addNotification } from '../notifications/add.ts'
import type { AutomationRow, AutomationRunRow } from '../postgres/schema/automations.ts'
import type { Trx } from '../postgres/types.ts'
import { toAutomation } from './automation.ts'
import { toRuns } from './runs/list.ts'
import { readStates } from './runs/states.ts'

/** By itself, or by a person. */
export async function notifyOfPause(trx: Trx, row: AutomationRow): Promise<void> {
  await addNotification(trx, { projectId: row.project_id, type: 'automation.paused' }, () =>
    Promise.resolve({ automation: toAutomation(row), run: null }),
  )
}

const inARow = 3
/** More than can be cancelled between them. */
const mostRead = 20

/**
 * After a run of the automation has failed, and its end was stored: three in a row notify once, until another one succeeds. Runs
 * that started nothing say nothing, nor do those that a person cancelled. The caller holds the lock of the automation.
 */
export async function notifyOfFailure(trx: Trx, automation: AutomationRow): Promise<void> {
  const ends = await lastEnds(trx, automation.id)
  const [before] = ends.slice(inARow)
  if (ends.length < inARow || ends.slice(0, inARow).some(({ failed }) => !failed) || before?.failed) return
  await addNotification(trx, { projectId: automation.project_id, type: 'automation.failed' }, async () => {
    const [run = null] = await toRuns(
      { db: trx, publicUrl: '' },
      ends.slice(0, 1).map(({ row }) => row),
    )
    return { automation: toAutomation(automation), run }
  })
}

type End = { readonly row: AutomationRunRow; readonly failed: boolean }

/** The newest first. */
async function lastEnds(trx: Trx, automationId: string): Promise<readonly End[]> {
  const rows = await trx
    .selectFrom('automation_runs')
    .selectAll()
    .where('automation_id', '=', automationId)
    .where('settled_at', 'is not', null)
    .where((e) => e.or([e('ended_as', 'is', null), e('ended_as', '=', 'failed')]))
    .orderBy('ordinal', 'desc')
    .limit(mostRead)
    .execute()
  const states = await readStates(
    trx,
    rows.map(({ id }) => id),
  )
  return rows.flatMap((row) => {
    const state = states.get(row.id)
    if (state?.kind !== 'failed') return { row, failed: row.ended_as === 'failed' }
    return state.code === 'cancelled' ? [] : { row, failed: true }
  })
}
