// A trigger that fires too often pauses its automation: something goes in a circle, or somebody floods it.

import { sql } from 'kysely'
import type { AutomationRow, AutomationRunRow } from '../../postgres/schema/automations.ts'
import type { Trx } from '../../postgres/types.ts'
import { notifyOfPause } from '../notify.ts'

const mostAnHour = 30
const hourMs = 3_600_000

/** `events` counts each event, `runs` only runs of commits that have a job. */
export type Frequent = 'events' | 'runs'

const counted: Readonly<Record<Frequent, readonly AutomationRunRow['trigger'][]>> = {
  events: ['event'],
  runs: ['docs', 'code'],
}

/**
 * Returns why it paused itself. Undefined: within the last hour, and since a person turned it on again, there were not too many. The
 * caller holds the lock of the automation.
 */
export async function pauseIfTooOften(
  trx: Trx,
  { id, resumed_at: resumedAt }: AutomationRow,
  what: Frequent,
  now: Date,
): Promise<string | undefined> {
  const since = new Date(Math.max(now.getTime() - hourMs, resumedAt?.getTime() ?? 0))
  const { rows } = await sql<{ count: number }>`/* automations.too_often */ select count(*)::int as count
    from automation_runs where automation_id = ${id} and created_at > ${since} and trigger in (${sql.join(counted[what])})
      and (${what === 'events'} or job_id is not null)`.execute(trx)
  if ((rows[0]?.count ?? 0) < mostAnHour) return undefined
  const because = `more than ${mostAnHour} ${what} within an hour, until ${now.toISOString()}.`
  const set = { enabled: false, paused_because: because, updated_at: now }
  const paused = trx.updateTable('automations').set(set).where('id', '=', id).returningAll()
  await notifyOfPause(trx, await paused.executeTakeFirstOrThrow())
  return because
}
