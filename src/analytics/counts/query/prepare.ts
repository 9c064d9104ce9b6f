// Prepares a query: the plan, and the version of the data that its rows are at least as new as. With the version, a
// caller that already has the response is served without reading any rows.

import type { ClickHouse } from '../../../clickhouse/open.ts'
import type { AnalyticsContext } from '../../context.ts'
import type { Known } from '../uniques/memory.ts'
import { knownWindows } from '../uniques/windows.ts'
import { generationOf, type Plan, type Planning, planQuery } from './plan.ts'
import { type PerWindow, perWindowOf } from './per-window.ts'
import { versionOf } from './version.ts'

export type PreparedQuery = {
  readonly store: ClickHouse
  readonly plan: Plan
  /** Version of the project's page views, read before any row: rows are never older. */
  readonly version: string
  readonly known: Known
  /** Null: no visitor of the range counts twice. */
  readonly perWindow: PerWindow | null
}

type QueryOfProject = Omit<Planning, 'now'> & Pick<Known, 'segments'>

/** Throws `unavailable`, and the reason of an aborted `signal`. */
export async function prepareQuery(
  context: Pick<AnalyticsContext, 'openStore' | 'clock' | 'log'>,
  asked: QueryOfProject,
  signal: AbortSignal,
): Promise<PreparedQuery> {
  const store = await context.openStore()
  const { projectId, settings, segments = new Set() } = asked
  const plan = planQuery({ ...asked, now: context.clock.now() })
  const windows = await knownWindows(store, projectId, signal)
  const failed = (error: unknown) =>
    context.log?.warn({ err: error, projectId }, 'visitors of a window are counted from rows')
  const known = { settings, generation: generationOf(settings), windows, failed, segments }
  const perWindow = perWindowOf(plan, settings, windows)
  return { store, plan, version: versionOf(windows), known, perWindow }
}
