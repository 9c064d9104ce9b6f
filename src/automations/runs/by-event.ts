// A run that an event starts. An event with an id has one run: a delivery that comes again gets the same one.
//
//   known id ────────────────────────────► the run of the first delivery
//   paused, or ended ────────────────────► refused
//   more than 30 events within an hour ──► the automation pauses itself, and the event is refused
//   otherwise ───────────────────────────► a run

import type { JobsContext } from '../../jobs/context.ts'
import { Failure } from '../../lib/failure.ts'
import type { AutomationRow, AutomationRunRow } from '../../postgres/schema/automations.ts'
import type { Trx } from '../../postgres/types.ts'
import type { Once } from '../../requests/idempotency.ts'
import { consume, type RateLimit } from '../../requests/rate-limits.ts'
import { triggerOf } from '../automation.ts'
import { lockAutomation, lockForAutomations } from '../automations.ts'
import type { BoundedPayload } from '../events/payload.ts'
import { refuseStopped } from './by-person.ts'
import { toRuns } from './list.ts'
import type { AutomationRun } from './run.ts'
import { startRun } from './start.ts'
import { pauseIfTooOften } from './too-often.ts'

export type ReceivedEvent = {
  readonly automation: Pick<AutomationRow, 'id' | 'project_id'>
  /** null: the sender gave no id. */
  readonly eventId: string | null
  /** The name of the key; null: it was signed. */
  readonly name: string | null
  readonly data: BoundedPayload
}

/** Counts against the limit of new jobs. Throws `automation_paused`, `rate_limited` and `not_found`. */
export async function takeEvent(
  context: JobsContext,
  { automation: { id, project_id: projectId }, ...by }: ReceivedEvent,
  limit: RateLimit,
): Promise<Once<AutomationRun>> {
  const taken = await context.db.transaction().execute(async (trx) => {
    const project = await lockForAutomations(trx, projectId)
    const automation = await lockAutomation(trx, projectId, id)
    if (triggerOf(automation).type !== 'event')
      throw new Failure('not_found', 'The automation has another trigger now.')
    const first = await findRun(trx, id, by.eventId)
    if (first) return { row: first, replayed: true }
    const now = context.clock.now()
    refuseStopped(automation, now)
    // Committed: the refusal is thrown afterwards.
    const paused = await pauseIfTooOften(trx, automation, 'events', now)
    if (paused !== undefined) return { paused }
    const row = await startRun(trx, context, { automation, project, by: { trigger: 'event', ...by }, now })
    if (row.job_id !== null) await consume(trx, limit, projectId)
    return { row, replayed: false }
  })
  if ('paused' in taken) throw new Failure('automation_paused', `The automation paused itself: ${taken.paused}`)
  const [run] = await toRuns(context, [taken.row])
  if (!run) throw new Failure('internal', 'The run is not there.')
  return { value: run, replayed: taken.replayed }
}

async function findRun(trx: Trx, automationId: string, eventId: string | null): Promise<AutomationRunRow | undefined> {
  if (eventId === null) return undefined
  const query = trx.selectFrom('automation_runs').selectAll().where('automation_id', '=', automationId)
  return await query.where('event_id', '=', eventId).executeTakeFirst()
}
