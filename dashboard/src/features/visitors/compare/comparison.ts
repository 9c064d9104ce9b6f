// The period that a series is compared with, and which of its intervals is behind which of the series. It has the same
// intervals, so it moves by whole weeks or months where these are shown. Pure.

import { addDays, addMonths, daysBefore, daysIn, type Interval, type Range, rangeBefore } from '../range.ts'

export const comparisons = ['earlier', 'year'] as const
export type Compare = (typeof comparisons)[number]

/** In the project's zone. `firstPageView` null: there is no page view. */
export type Known = { readonly firstDay: string; readonly firstPageView: string | null }

export type Comparison = {
  readonly range: Range
  /** The first day of the interval that is behind the one that begins with `date`. */
  readonly dateOf: (date: string) => string
}

const daysOfYear = 364

/** `range` has at least one day. */
export function comparisonOf(range: Range, interval: Interval, compare: Compare): Comparison {
  if (interval === 'month') return byMonths(range, compare === 'year' ? 12 : monthsIn(range))
  const days = daysIn(range)
  if (interval === 'week') return byDays(range, compare === 'year' ? daysOfYear : Math.ceil(days / 7) * 7)
  if (compare === 'year') return byDays(range, daysBetween(addMonths(range.dateFrom, -12), range.dateFrom))
  // The last days of a long month have no day of a shorter one behind them.
  const before = daysBefore(range)
  const { dateOf } = byDays(range, daysBetween(before.dateFrom, range.dateFrom))
  return { range: before, dateOf }
}

function byDays({ dateFrom, dateTo }: Range, days: number): Comparison {
  return {
    range: { dateFrom: addDays(dateFrom, -days), dateTo: addDays(dateTo, -days) },
    dateOf: (date) => addDays(date, -days),
  }
}

function byMonths({ dateFrom, dateTo }: Range, months: number): Comparison {
  const last = addDays(dateTo, -1)
  return {
    range: { dateFrom: addMonths(dateFrom, -months), dateTo: addDays(addMonths(last, -months), 1) },
    dateOf: (date) => addMonths(date, -months),
  }
}

function monthsIn({ dateFrom, dateTo }: Range): number {
  const [from, to] = [dateFrom, addDays(dateTo, -1)].map((day) => new Date(day))
  if (!from || !to) return 1
  return (to.getUTCFullYear() - from.getUTCFullYear()) * 12 + to.getUTCMonth() - from.getUTCMonth() + 1
}

function daysBetween(from: string, to: string): number {
  return daysIn({ dateFrom: from, dateTo: to })
}

type Dated = { readonly date: string }

/** By the first day of each interval of the series: the one behind it, if all its days in the period have page views or could. */
export function behind<Point extends Dated>(
  points: readonly Dated[],
  { range, dateOf }: Comparison,
  { earlier, firstDay }: { readonly earlier: readonly Point[]; readonly firstDay: string },
): ReadonlyMap<string, Point> {
  const byDate = new Map(earlier.map((point) => [point.date, point]))
  return new Map(
    points.flatMap(({ date }) => {
      const found = byDate.get(dateOf(date))
      const begins = found && found.date < range.dateFrom ? range.dateFrom : found?.date
      return found && begins !== undefined && begins >= firstDay ? [[date, found] as const] : []
    }),
  )
}

/** The first day that the statistics know: the first one kept, or that of the first page view. */
export function firstKnown({ firstDay, firstPageView }: Known): string {
  return firstPageView !== null && firstPageView > firstDay ? firstPageView : firstDay
}

/** The days that the totals are compared with, or undefined if page views of some of them are not known. */
export function totalsBefore(
  range: Range,
  interval: Interval,
  { compare, about }: { readonly compare: Compare | undefined; readonly about: Known & { readonly today: string } },
): Range | undefined {
  if (compare === undefined) return rangeBefore(range, about)
  if (range.dateFrom === range.dateTo) return undefined
  const { range: before } = comparisonOf(range, interval, compare)
  return before.dateFrom < firstKnown(about) ? undefined : before
}
