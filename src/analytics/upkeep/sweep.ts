// The upkeep of page views by age: destroys salts after their windows, finishes abandoned imports, deletes page views
// after the retention of their project or with the project, clears user agents and signals earlier, and what strict
// privacy does not keep. Runs in any number of processes: every step may run twice.

import type { ClickHouse } from '../../clickhouse/open.ts'
import type { Clock, ReadUpkeepTime } from '../../lib/clock.ts'
import type { Log } from '../../lib/observability/log.ts'
import type { Db } from '../../postgres/types.ts'
import { deleteAutomatedDays } from '../automated-days.ts'
import { dayOf } from '../zone.ts'
import { clearForStrict, clearSignals, deletePageViews, deleteProjectViews } from '../delete.ts'
import { finishIdleImports } from '../import/import-records.ts'
import { keptSince, signalsKeptSince } from '../retention.ts'
import { cleanSalts, destroyDueSalts } from '../collect/salts.ts'

export type AnalyticsSweepOptions = {
  readonly db: Db
  /** Returns undefined if no page view was ever stored. A sweep never creates the store. */
  readonly openStoreIfThere: () => Promise<ClickHouse | undefined>
  readonly clock: Clock
  /** Decides the age of salts, imports and page views. */
  readonly upkeepTime: ReadUpkeepTime
  readonly log: Log
  readonly signal: AbortSignal
}

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const idleImportMs = 7 * 24 * hourMs

/** Sweeps until the signal is aborted. Failures are logged and tried again. */
export async function keepSweepingAnalytics(options: AnalyticsSweepOptions): Promise<void> {
  const sweepSalts = createSaltSweep()
  await Promise.all([
    repeat(options, minuteMs, sweepSalts),
    repeat(options, minuteMs, sweepDeletedProjects),
    repeat(options, hourMs, sweepImports),
    repeat(options, hourMs, sweepRetention),
    repeat(options, hourMs, sweepStrict),
  ])
}

type Sweep = (options: AnalyticsSweepOptions) => Promise<void>

async function repeat(options: AnalyticsSweepOptions, everyMs: number, work: Sweep): Promise<void> {
  while (!options.signal.aborted) {
    await work(options).catch((error: unknown) => options.log.error({ err: error }, 'the sweep of page views failed'))
    await options.clock.sleep(everyMs, options.signal)
  }
}

/** Deleting a project or import cascades to its salts without a notification, so the table is vacuumed hourly anyway. */
export function createSaltSweep(): Sweep {
  const state = { cleanedAt: -Infinity }
  return async ({ db, clock, upkeepTime, log }) => {
    const time = await upkeepTime()
    const destroyed = time ? await destroyDueSalts(db, time) : 0
    if (destroyed > 0) {
      state.cleanedAt = -Infinity
      log.info({ destroyed }, 'salts were destroyed')
    }
    const now = clock.now().getTime()
    if (Math.abs(now - state.cleanedAt) < hourMs) return
    await cleanSalts(db)
    state.cleanedAt = now
  }
}

export async function sweepImports({ db, upkeepTime, log }: AnalyticsSweepOptions): Promise<void> {
  const now = await upkeepTime()
  if (!now) return
  const finished = await finishIdleImports(db, new Date(now.getTime() - idleImportMs))
  if (finished > 0) log.info({ finished }, 'imports that nobody went on with were finished')
}

/** Page views in flight when a project was deleted arrive within this time. */
const stragglingMs = hourMs

export async function sweepDeletedProjects({
  db,
  openStoreIfThere,
  upkeepTime,
  log,
}: AnalyticsSweepOptions): Promise<void> {
  const rows = await db.selectFrom('deleted_projects').select(['project_id', 'deleted_at']).execute()
  if (rows.length === 0) return
  const store = await openStoreIfThere()
  const now = await upkeepTime()
  for (const row of rows) {
    const deleted = store ? await deleteProjectViews(store, row.project_id) : 0
    if (deleted > 0) log.info({ projectId: row.project_id, deleted }, 'page views of a deleted project were deleted')
    if (!now || now.getTime() < row.deleted_at.getTime() + stragglingMs) continue
    await db.deleteFrom('deleted_projects').where('project_id', '=', row.project_id).execute()
  }
}

export async function sweepRetention({ db, openStoreIfThere, upkeepTime, log }: AnalyticsSweepOptions): Promise<void> {
  const store = await openStoreIfThere()
  const now = (await upkeepTime())?.getTime()
  if (!store || now === undefined) return
  const columns = ['id', 'time_zone', 'retention_months', 'signal_retention_days'] as const
  const projects = await db.selectFrom('projects').select(columns).execute()
  for (const { id: projectId, time_zone: timeZone, ...row } of projects) {
    const since = keptSince({ timeZone, retentionMonths: row.retention_months }, now)
    await deleteAutomatedDays(db, { projectId, until: dayOf(timeZone, since) })
    const deleted = await deletePageViews(store, { projectId, before: since })
    const withSignals = signalsKeptSince({ timeZone, signalRetentionDays: row.signal_retention_days }, now)
    const cleared = await clearSignals(store, { projectId, before: withSignals })
    if (deleted + cleared > 0) log.info({ projectId, deleted, cleared }, 'the retention of page views was over')
  }
}

/** Page views of before the setting, and those that a process took in with an older setting. Their age does not matter. */
export async function sweepStrict({ db, openStoreIfThere, log }: AnalyticsSweepOptions): Promise<void> {
  const projects = await db.selectFrom('projects').select('id').where('privacy', '=', 'strict').execute()
  const store = projects.length === 0 ? undefined : await openStoreIfThere()
  if (!store) return
  for (const { id: projectId } of projects) {
    const cleared = await clearForStrict(store, projectId)
    if (cleared > 0) log.info({ projectId, cleared }, 'page views were cleared for strict privacy')
  }
}
