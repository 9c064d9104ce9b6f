// Unique visitors per day, week or month of a range, empty intervals included. Weeks start on Monday (ISO 8601). An
// interval is named after its first day and contains those of its days that are in the range.

import type { Counted } from '../../uniques/counted.ts'
import { addIntervals, addUniques, createSums } from '../../uniques/counters.ts'
import { addDays, addMonths, dayNumberOf, startOfMonth, startOfWeek } from '../../../zone.ts'
import type { PerWindow } from '../per-window.ts'
import type { Interval, Plan } from '../plan.ts'
import type { Export, Stored, AllRows } from '../rows.ts'
import { dayNumber, isVisit, viewed } from '../sql.ts'
import { byKey, type Counts, plus } from '../sums.ts'
import { uniqueVisitors } from './visitors.ts'

export type IntervalCounts = { readonly date: string } & Counts
export type TimeseriesResponse = {
  readonly interval: Interval
  readonly totals: Counts
  readonly perWindow: PerWindow | null
  readonly timeseries: readonly IntervalCounts[]
}

/** `date` is the first day of the interval. The store leaves out empty intervals. */
export const timeseries: Export<IntervalCounts> = {
  name: 'timeseries',
  isOfPages: true,
  columns: ['date', 'human', 'ai', 'total'],
  totals: ['human', 'ai', 'total'],
  order: ['date'],
  sql: (plan) => `SELECT isTotal, toString(first) AS date, human, ai, total FROM (
      SELECT grouping(first) AS isTotal, ${firstDay(plan)} AS first, ${uniqueVisitors(plan)}
      FROM page_views WHERE ${viewed(plan)} AND ${isVisit(plan)} GROUP BY GROUPING SETS ((first), ())
    )`,
  emptyRows: (plan) => firstDays(plan).map((date) => ({ date, human: 0, ai: 0, total: 0 })),
  counters: { dimensions: ['site'], add: addIntervalsOf },
}

function addIntervalsOf(
  { counters }: Counted,
  plan: Plan,
  rows: readonly Stored<IntervalCounts>[],
): AllRows<IntervalCounts> {
  const dates = firstDays(plan)
  // The first interval may begin before the range, and the last one may end after it.
  const [from, to] = [dayNumberOf(plan.dateFrom), dayNumberOf(plan.dateTo)]
  const edges = [from, ...dates.slice(1).map(dayNumberOf), to]
  const [sums, all] = [createSums(dates.length), createSums(1)]
  for (const { site } of counters) {
    if (!site) continue
    addIntervals(sums, site, edges)
    addUniques(all, site, from, to)
  }
  const { totals, stored } = byKey(rows, ({ date }) => date)
  return {
    totals: plus(all, 0, totals),
    rows: dates.map((date, at) => ({ date, ...plus(sums, at, stored.get(date)) })),
  }
}

type Step = {
  /** The first day of the interval that contains a day, in SQL. The day is already in the zone of the plan. */
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

function firstDays({ dateFrom, dateTo, interval }: Plan): readonly string[] {
  if (dateFrom >= dateTo) return []
  const { first, next } = steps[interval]
  const days: string[] = []
  for (let day = first(dateFrom); day < dateTo; day = next(day)) days.push(day)
  return days
}
