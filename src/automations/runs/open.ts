// The runs of an automation that have not ended, as far as anybody has looked. Each look stores what follows from an end.

import type { AutomationRow, AutomationRunRow } from '../../postgres/schema/automations.ts'
import type { Trx } from '../../postgres/types.ts'
import { notifyOfFailure } from '../notify.ts'
import { settleCommits } from '../positions/settle-commits.ts'
import { hasEnded, readStates } from './states.ts'

/**
 * Runs that wait, and the one whose job is active; settles those that have ended. The caller holds the lock of the automation.
 */
export async function findOpen(trx: Trx, automation: AutomationRow, now: Date): Promise<readonly AutomationRunRow[]> {
  const rows = await trx
    .selectFrom('automation_runs')
    .selectAll()
    .where('automation_id', '=', automation.id)
    .where('settled_at', 'is', null)
    .orderBy('ordinal')
    .execute()
  const states = await readStates(
    trx,
    rows.map(({ id }) => id),
  )
  const open: AutomationRunRow[] = []
  for (const run of rows) {
    if (run.ended_as !== null) {
      // A process of an earlier release, which knows no such column, has ended it.
      await markSettled(trx, run, now)
      continue
    }
    const state = states.get(run.id)
    if (run.job_id === null || state === undefined || !hasEnded(state)) {
      open.push(run)
      continue
    }
    await markSettled(trx, run, now, state.kind === 'needs_input')
    await settleCommits(trx, { automation, run, ended: state, now })
    if (state.kind === 'failed') await notifyOfFailure(trx, automation)
  }
  return open
}

async function markSettled(trx: Trx, { id }: AutomationRunRow, now: Date, hasQuestion = false): Promise<void> {
  const set = { settled_at: now, has_question: hasQuestion }
  await trx.updateTable('automation_runs').set(set).where('id', '=', id).execute()
}
