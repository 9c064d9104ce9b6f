// One question from its beginning to its end: planned, with the version of the data that its answer will at least
// have, and then, if it is still wanted, answered. What HTTP and the command line call.

import type { AnalyticsContext } from '../context.ts'
import { streamCsv } from './csv.ts'
import { type Plan, planQuery, type Query, type QuerySettings } from './plan.ts'
import { type Export, readPage, type RowPage } from './rows.ts'
import { readTimeseries, type TimeseriesView } from './timeseries.ts'
import { readVersion } from './version.ts'

export type Question = {
  readonly plan: Plan
  /** Of the page views, read before any row: it is never newer than the answer. */
  readonly version: string
  readonly page: <Row>(exported: Export<Row>, signal: AbortSignal) => Promise<RowPage<Row>>
  readonly timeseries: (signal: AbortSignal) => Promise<TimeseriesView>
  /** All rows, whatever page was asked for. */
  readonly csv: <Row extends object>(exported: Export<Row>, signal: AbortSignal) => AsyncGenerator<string, void>
}

export type Asking = { readonly projectId: string; readonly settings: QuerySettings; readonly query: Query }

/** Throws `unavailable`; what answers it throws `question_too_large` too, and the reason of an aborted signal. */
export async function ask(
  context: Pick<AnalyticsContext, 'openStore' | 'clock'>,
  asking: Asking,
  signal: AbortSignal,
): Promise<Question> {
  const store = await context.openStore()
  const plan = planQuery({ ...asking, now: context.clock.now() })
  return {
    plan,
    version: await readVersion(store, asking.projectId, signal),
    page: (exported, signal) => readPage(store, exported, plan, signal),
    timeseries: (signal) => readTimeseries(store, plan, signal),
    csv: (exported, signal) => streamCsv(store, exported, plan, signal),
  }
}
