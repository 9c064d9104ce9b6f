// Unique visitors in each day, week or month of a range, the empty ones too. Weeks are those of ISO 8601 and begin on
// Monday. An interval is named by its first day and holds the days of it that are in the range.

import type { ClickHouse } from '../../clickhouse/open.ts'
import { addDays, addMonths, startOfMonth, startOfWeek } from '../zone.ts'
import type { Interval, Plan } from './plan.ts'
import { type Export, readPage } from './rows.ts'
import { dayNumber, viewed } from './sql.ts'
import { type Counts, isVisit, toCounts, uniqueVisitors } from './visitors.ts'

export type IntervalCounts = { readonly date: string } & Counts
export type TimeseriesView = {
  readonly interval: Interval
  readonly totals: Counts
  readonly timeseries: readonly IntervalCounts[]
}

/** Longest range: 120 months of days. */
const maxIntervals = 5_000

/** `date` is the first day of the interval; the store leaves the empty ones out. */
export const timeseries: Export<IntervalCounts> = {
  name: 'timeseries',
  columns: ['date', 'human', 'ai', 'total'],
  order: 'date ASC',
  sql: (plan) => `SELECT isTotal, toString(first) AS date, human, ai, total FROM (
      SELECT grouping(first) AS isTotal, ${firstDay(plan)} AS first, ${uniqueVisitors(plan)}
      FROM page_views WHERE ${viewed(plan)} AND ${isVisit(plan)} GROUP BY GROUPING SETS ((first), ())
    )`,
}

type Step = {
  /** First day of the interval that a day is in; as SQL of the calendar alone, the zone is in the day already. */
  readonly inStore: (day: string) => string
  readonly first: (day: string) => string
  readonly next: (first: string) => string
}

const steps: Readonly<Record<Interval, Step>> = {
  day: { inStore: (day) => day, first: (day) => day, next: (first) => addDays(first, 1) },
  week: { inStore: (day) => `toStartOfWeek(${day}, 1)`, first: startOfWeek, next: (first) => addDays(first, 7) },
  month: { inStore: (day) => `toStartOfMonth(${day})`, first: startOfMonth, next: (first) => addMonths(first, 1) },
}

function firstDay(plan: Plan): string {
  return steps[plan.interval].inStore(`toDate(toUInt16(${dayNumber(plan)}))`)
}

export async function readTimeseries(store: ClickHouse, plan: Plan, signal?: AbortSignal): Promise<TimeseriesView> {
  const all = { ...plan, offset: 0, limit: maxIntervals }
  const { rows, totals } = await readPage(store, timeseries, all, signal)
  const known = new Map(rows.map((row) => [row.date, row]))
  const dates = firstDays(plan)
  return {
    interval: plan.interval,
    totals: toCounts(totals),
    timeseries: dates.map((date) => ({ date, ...toCounts(known.get(date)) })),
  }
}

function firstDays({ dateFrom, dateTo, interval }: Plan): readonly string[] {
  if (dateFrom >= dateTo) return []
  const { first, next } = steps[interval]
  const days: string[] = []
  for (let day = first(dateFrom); day < dateTo; day = next(day)) days.push(day)
  return days
}
