// The columns of the table that the line and the marks of the chart have: the counts of the other period, and the merged
// pull requests.

import type { Timeseries } from '../../../api/visitors.ts'
import type { Column } from '../../../ui/table.tsx'
import { formatCount } from '../format.ts'
import { MergedList } from '../merged/list.tsx'
import type { MergedMark } from '../merged/marks.ts'
import type { Compared } from './use-comparison.ts'

type Point = Timeseries[number]

const counts = [
  { key: 'human', head: 'Humans then' },
  { key: 'ai', head: 'AI then' },
  { key: 'total', head: 'All then' },
] as const

export function comparedColumns(
  compared: Compared | undefined,
  label: (date: string) => string,
): readonly Column<Point>[] {
  if (!compared) return []
  const found = ({ date }: Point) => compared.behind?.get(date)
  const cell = (point: Point, text: (other: Point) => string) => {
    const other = found(point)
    return other ? text(other) : '–'
  }
  return [
    { head: 'Compared with', cell: (point) => cell(point, ({ date }) => label(date)) },
    ...counts.map(({ key, head }) => {
      const align = 'right' as const
      return { head, align, cell: (point: Point) => cell(point, (other) => formatCount(other[key])) }
    }),
  ]
}

export function mergedColumns(marks: readonly MergedMark[], projectId: string): readonly Column<Point>[] {
  if (marks.length === 0) return []
  const of = ({ date }: Point) => marks.filter((mark) => mark.date === date)
  return [{ head: 'Merged', cell: (point) => <MergedList marks={of(point)} projectId={projectId} /> }]
}
