// Asks a store for unique visitors as the API does, and compares the answers with a plain count of the page views.

import assert from 'node:assert/strict'
import type { PageView } from '../../src/analytics/page-view.ts'
import { generationOf, planQuery, type Query, type QuerySettings } from '../../src/analytics/counts/query/plan.ts'
import { type Export, readPage } from '../../src/analytics/counts/query/rows.ts'
import { timeseries } from '../../src/analytics/counts/query/exports/timeseries.ts'
import { visitors } from '../../src/analytics/counts/query/exports/visitors.ts'
import { findCounted } from '../../src/analytics/counts/uniques/counted.ts'
import { knownWindows } from '../../src/analytics/counts/uniques/windows.ts'
import type { ClickHouse } from '../../src/clickhouse/open.ts'
import { createOracle } from './counting-oracle.ts'

export type Asking = {
  readonly store: ClickHouse
  readonly projectId: string
  readonly settings: QuerySettings
  readonly now: Date
}

/** `views` are those in the store. Returns the number of windows whose counters answered. */
export async function assertExact(
  { store, projectId, settings, now }: Asking,
  views: readonly PageView[],
  query: Partial<Query>,
): Promise<number> {
  const whole: Query = { limit: 50, offset: 0, interval: 'day', ...query }
  const plan = planQuery({ projectId, settings, query: whole, now })
  const windows = await knownWindows(store, projectId)
  const known = { settings, generation: generationOf(settings), windows, failed: assert.ifError }
  const oracle = createOracle(views, settings, now.getTime(), whole)
  const words = `${settings.timeZone} ${JSON.stringify(query)}`
  const read = (exported: unknown) => readPage({ store, plan, known }, exported as Export)
  assert.deepEqual(await read(visitors), oracle.visitors(), words)
  const { totals, rows } = oracle.timeseries()
  assert.deepEqual(await read(timeseries), { totals, rows, hasMore: false }, words)
  return plan.from < plan.to
    ? ((await findCounted({ store, plan, known, dimensions: ['site', 'page'] }))?.counters.length ?? 0)
    : 0
}
