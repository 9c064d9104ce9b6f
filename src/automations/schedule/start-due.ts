// Starts the runs that are due by their schedules. Several processes may do this at once: each slot is checked again under the
// lock of its automation, and its row has a unique key.
//
//   planned ──► due ──► started once, also for the slots that passed meanwhile ──► planned again, from now on
//      ▲                    │
//      └── another zone of the project: planned again, nothing starts

import { sql } from 'kysely'
import type { AddJobContext } from '../../jobs/create.ts'
import type { Clock, ReadUpkeepTime } from '../../lib/clock.ts'
import type { Log } from '../../lib/observability/log.ts'
import type { Db, Trx } from '../../postgres/types.ts'
import { isFollowing, triggerOf } from '../automation.ts'
import { lockForAutomations } from '../automations.ts'
import { lockRow } from '../lock-row.ts'
import { startRun } from '../runs/start.ts'
import { planNext } from './plan.ts'

export type ScheduleOptions = AddJobContext & {
  readonly db: Db
  readonly clock: Clock
  /** While it returns undefined, nothing starts. */
  readonly upkeepTime: ReadUpkeepTime
  readonly log: Pick<Log, 'error' | 'info' | 'warn'>
  readonly signal: AbortSignal
}

/** How long a run may be due before a look finds it. */
export const lookingMs = 15_000
/** Automations that are found together. */
const batch = 200

/** Looks for what is due until the signal is aborted. Logs a failed look and continues. */
export async function keepStartingDue(options: ScheduleOptions): Promise<void> {
  const { clock, log, signal } = options
  let wasHeld = false
  while (!signal.aborted) {
    const isHeld = await startDue(options).catch((error: unknown) => {
      log.error({ err: error }, 'automations could not be started')
      return wasHeld
    })
    if (isHeld && !wasHeld) log.warn({}, 'scheduled automations wait until the clock is trusted')
    if (wasHeld && !isHeld) log.info({}, 'scheduled automations start again')
    wasHeld = isHeld
    await clock.sleep(lookingMs, signal)
  }
}

/** Starts everything that is due, and returns whether something waits for the clock. Throws only errors of the database. */
export async function startDue({ db, clock, upkeepTime, ...options }: ScheduleOptions): Promise<boolean> {
  const seen = new Set<string>()
  for (;;) {
    const due = (await findDue(db, clock.now())).filter(({ id }) => !seen.has(id))
    if (due.length === 0) return false
    // The guard writes when it is asked, so it is asked only if something is due.
    const now = await upkeepTime()
    if (!now) return true
    for (const one of due) {
      if (options.signal.aborted) return false
      seen.add(one.id)
      await db
        .transaction()
        .execute((trx) => startSlot(trx, { ...options, clock }, { ...one, now }))
        .catch((error: unknown) =>
          options.log.error({ err: error, automationId: one.id }, 'an automation could not be started'),
        )
    }
  }
}

type Due = { readonly id: string; readonly projectId: string }

async function findDue(db: Db, now: Date): Promise<readonly Due[]> {
  const { rows } = await sql<Due>`/* automations.due */ select a.id, project_id as "projectId"
    from automations a join projects p on p.id = a.project_id
    where next_run_at is not null and (next_run_at <= ${now} or slot_zone <> p.time_zone)
    order by next_run_at limit ${batch}`.execute(db)
  return rows
}

async function startSlot(
  trx: Trx,
  context: AddJobContext,
  { id, projectId, now }: Due & { readonly now: Date },
): Promise<void> {
  const project = await lockForAutomations(trx, projectId)
  const automation = await lockRow(trx, id)
  const slot = automation?.next_slot
  if (!automation?.next_run_at || !slot) return
  const isMoved = automation.slot_zone !== null && automation.slot_zone !== project.time_zone
  if (!isMoved && automation.next_run_at > now) return
  // A clock that was ahead has started it before.
  const isNew = !isMoved && !(await isStarted(trx, id, slot))
  if (isNew && isFollowing(triggerOf(automation))) await takeNow(trx, id, now)
  else if (isNew) await startRun(trx, context, { automation, project, by: { trigger: 'schedule', slot }, now })
  await trx
    .updateTable('automations')
    .set(planNext(automation, project.time_zone, now))
    .where('id', '=', id)
    .execute()
}

/** The commits that have been collected are taken, if there are any. */
async function takeNow(trx: Trx, automationId: string, now: Date): Promise<void> {
  await sql`/* automations.take_now */ update automation_positions set take_after = coalesce(take_after, ${now})
    where automation_id = ${automationId} and exists (select from automation_commits c
      where c.automation_id = ${automationId} and state = 'waiting' and left_at is null)`.execute(trx)
}

async function isStarted(trx: Trx, automationId: string, slot: Date): Promise<boolean> {
  const query = trx.selectFrom('automation_runs').select('id').where('automation_id', '=', automationId)
  return (await query.where('slot', '=', slot).executeTakeFirst()) !== undefined
}
