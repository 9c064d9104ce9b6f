// Today by the hour: a chart, or the same as a table.

import { useQuery } from '@tanstack/react-query'
import { type Asked, realtimeQuery, type Realtime } from '../../../api/visitors.ts'
import { StackedChart } from '../../../chart/stacked.tsx'
import { Button } from '../../../ui/button.tsx'
import { Refused, Skeleton } from '../../../ui/notice.tsx'
import type { View } from '../address.ts'
import { formatDay, formatHour } from '../format.ts'
import { Legend, SeriesTable } from '../series/series-parts.tsx'
import type { ChangeView } from '../use-view.ts'

type Props = { readonly asked: Asked; readonly view: View; readonly change: ChangeView }

export function Hours({ asked, view, change }: Props) {
  const { data, error, isError, refetch } = useQuery(realtimeQuery(asked))
  if (isError && !data) return <Refused error={error} retry={() => void refetch()} />
  if (!data) return <Skeleton className="h-[19rem]" />
  const points = hoursSoFar(data.today, Date.now())
  const names = new Set(points.map(({ date }) => date.slice(11, 16)))
  const name = (start: string) => formatHour(start, names.size < points.length)
  const isTable = view.table === true
  return (
    <div className="rounded-lg border border-line p-3 sm:p-4">
      <div className="mb-2 flex flex-wrap items-center gap-2">
        <Legend />
        <Button
          size="small"
          className="ml-auto"
          aria-pressed={isTable}
          onClick={() => change({ table: isTable ? undefined : true })}
        >
          Table
        </Button>
      </div>
      {isTable ? (
        <SeriesTable points={points} head="Hour" label={name} />
      ) : (
        <StackedChart
          name="Visitors by hour"
          points={points}
          tick={(start) => start.slice(11, 16)}
          label={(start) => `${formatDay(start.slice(0, 10))}, ${name(start)}`}
          isOpen
        />
      )}
    </div>
  )
}

/** The hours that have begun, and any with visitors: the clock of the browser may be behind. */
function hoursSoFar({ hours }: Realtime['today'], now: number) {
  const last = hours.findLastIndex(({ start, views }) => Date.parse(start) <= now || views.total > 0)
  return hours.slice(0, Math.max(1, last + 1)).map(({ start, visitors }) => ({ date: start, ...visitors }))
}
