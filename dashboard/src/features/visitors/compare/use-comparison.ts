// The series of the period that the address compares with, by the intervals of the series that is shown.

import { useQuery } from '@tanstack/react-query'
import { type About, type Asked, type Timeseries, timeseriesQuery } from '../../../api/visitors.ts'
import type { Interval, Range } from '../range.ts'
import { behind, type Compare, comparisonOf, firstKnown } from './comparison.ts'

export type Compared = {
  readonly compare: Compare
  readonly range: Range
  /** By the date of a point. Undefined while it is on its way. */
  readonly behind: ReadonlyMap<string, Timeseries[number]> | undefined
  /** The first day with page views. Undefined: the whole period has them. */
  readonly since: string | undefined
  readonly error: Error | null
}

type Wanted = { readonly compare: Compare | undefined; readonly interval: Interval; readonly about: About }

/** Undefined: the series is not compared. */
export function useComparison(
  { reader, range, filters }: Asked,
  points: Timeseries,
  { compare, interval, about }: Wanted,
): Compared | undefined {
  const isAsked = compare !== undefined && range.dateFrom < range.dateTo
  const comparison = isAsked ? comparisonOf(range, interval, compare) : undefined
  const firstDay = firstKnown(about)
  const isKnown = comparison !== undefined && comparison.range.dateTo > firstDay
  const asked = { reader, filters, range: comparison?.range ?? range, grows: false }
  const found = useQuery({ ...timeseriesQuery(asked, interval), enabled: isKnown })
  if (!comparison || !compare) return undefined
  const earlier = isKnown ? (found.isPlaceholderData ? undefined : found.data?.timeseries) : []
  return {
    compare,
    range: comparison.range,
    behind: earlier && behind(points, comparison, { earlier, firstDay }),
    since: comparison.range.dateFrom < firstDay ? firstDay : undefined,
    error: found.error,
  }
}
