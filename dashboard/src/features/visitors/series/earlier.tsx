// The daily sums of other tools behind the chart, for the days before the first one measured here. Sums of days cannot be added,
// so a chart of weeks or months says only that they are there.

import { type EarlierDay, type Interval, sourceNames, type Timeseries } from '../../../api/visitors.ts'
import type { Point } from '../../../chart/layout.ts'
import type { Column } from '../../../ui/table.tsx'
import { formatCount } from '../format.ts'

export function withEarlier(points: Timeseries, days: readonly EarlierDay[], interval: Interval): readonly Point[] {
  if (interval !== 'day' || days.length === 0) return points
  const byDate = new Map(days.map((day) => [day.date, day]))
  return points.map((point) => {
    const day = byDate.get(point.date)
    if (day === undefined || day.visitors === null) return point
    return { ...point, earlier: { visitors: day.visitors, source: sourceNames[day.source] } }
  })
}

type EarlierProps = { readonly days: readonly EarlierDay[]; readonly interval: Interval }

/** Beside the legend of the chart. */
export function EarlierLegend({ days, interval }: EarlierProps) {
  const names = namesOf(days)
  if (names === undefined || interval !== 'day') return null
  return (
    <span className="flex items-center gap-1.5 text-muted">
      <span aria-hidden className="size-2.5 rounded-sm bg-strong-line" /> {names}, not added to visitors
    </span>
  )
}

/** Below the chart of weeks or months. */
export function EarlierNote({ days, interval }: EarlierProps) {
  const names = namesOf(days)
  if (names === undefined || interval === 'day') return null
  return (
    <p className="mt-2 text-sm text-muted">
      {names} has daily sums of this range. People of several days cannot be added: choose at most 100 days, by day, to
      see them.
    </p>
  )
}

/** Undefined: no tool counted people. */
function namesOf(days: readonly EarlierDay[]): string | undefined {
  const counted = days.filter(({ visitors }) => visitors !== null)
  const names = [...new Set(counted.map(({ source }) => sourceNames[source]))]
  return names.length === 0 ? undefined : names.join(' and ')
}

/** Columns of the table, if a point has such sums. */
export function earlierColumns(points: readonly Point[]): readonly Column<Point>[] {
  if (points.every(({ earlier }) => earlier === undefined)) return []
  const cell = ({ earlier }: Point) => (earlier ? `${earlier.source}: ${formatCount(earlier.visitors)}` : '')
  return [{ head: 'Other tools, not added', align: 'right', cell }]
}
