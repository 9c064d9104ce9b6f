// The totals and the series of a range: a chart, or the same as a table.

import { useQuery } from '@tanstack/react-query'
import {
  type About,
  type Asked,
  type PerWindow,
  readCsv,
  type Timeseries,
  timeseriesQuery,
  totalsQuery,
} from '../../api/visitors.ts'
import { StackedChart } from '../../chart/stacked.tsx'
import { Button } from '../../ui/button.tsx'
import { Download } from '../../ui/download.tsx'
import { Refused, Skeleton } from '../../ui/notice.tsx'
import { Select } from '../../ui/form/select.tsx'
import { Table } from '../../ui/table.tsx'
import type { View } from './address.ts'
import { Facts } from './facts.tsx'
import { formatCount, formatInterval, formatRange, formatTick } from './format.ts'
import { intervalOf, intervalsOf, rangeBefore } from './range.ts'
import { Totals } from './totals.tsx'
import type { ChangeView } from './use-view.ts'

const labels = { day: 'By day', week: 'By week', month: 'By month' } as const

type Props = { readonly asked: Asked; readonly about: About; readonly view: View; readonly change: ChangeView }

export function Series({ asked, about, view, change }: Props) {
  const { range, reader } = asked
  const interval = intervalOf(range, view.interval)
  const before = rangeBefore(range, about)
  const now = useQuery(timeseriesQuery(asked, interval))
  const earlier = useQuery({ ...totalsQuery({ reader, range: before ?? range }), enabled: before !== undefined })
  if (now.isPending) return <SeriesSkeleton />
  if (now.isError) return <Refused error={now.error} retry={() => void now.refetch()} />
  const { timeseries, perWindow, probablyAutomated } = now.data
  const isTable = view.table === true
  return (
    <section aria-label="Visitors over time" aria-busy={now.isPlaceholderData} className="flex flex-col gap-3">
      <Totals now={now.data} earlier={before && earlier.data?.totals} />
      {perWindow && <p className="text-sm">Visitors are {perWindow.note}.</p>}
      {probablyAutomated && probablyAutomated.pageViews > 0 && <p className="text-sm">{probablyAutomated.note}</p>}
      <p className="text-sm text-muted">{compared(asked, before, earlier.data?.perWindow)}</p>
      <div className="rounded-lg border border-line p-3 sm:p-4">
        <div className="mb-2 flex flex-wrap items-center gap-2">
          <Legend />
          <div className="ml-auto flex flex-wrap gap-2">
            <Select
              name="Interval"
              value={interval}
              options={intervalsOf(range).map((value) => ({ value, label: labels[value] }))}
              onChange={(wanted) => change({ interval: wanted })}
              size="small"
              className="w-28"
            />
            <Button size="small" aria-pressed={isTable} onClick={() => change({ table: isTable ? undefined : true })}>
              Table
            </Button>
            <Download
              format="CSV"
              of="the series"
              file={`visitors-by-${interval}-${range.dateFrom}-to-${range.dateTo}.csv`}
              read={() => readCsv(reader, 'timeseries', { ...range, interval })}
            />
          </div>
        </div>
        {isTable ? (
          <div className="max-h-[26rem] overflow-y-auto">
            <SeriesTable points={timeseries} label={(date) => formatInterval(date, interval)} />
          </div>
        ) : (
          <StackedChart
            name={`Visitors ${labels[interval].toLowerCase()}`}
            points={timeseries}
            tick={(date) => formatTick(date, interval)}
            label={(date) => formatInterval(date, interval)}
            isOpen={asked.grows}
          />
        )}
      </div>
      <Facts about={about} />
    </section>
  )
}

function compared({ range, grows }: Asked, before: Asked['range'] | undefined, perWindow?: PerWindow): string {
  const open = grows ? ', today so far' : ''
  const own = `${formatRange(range)}${open}.`
  if (before === undefined) return `${own} Not compared: the days before are no longer kept.`
  return `${own} Compared with ${formatRange(before)}${perWindow ? `, ${perWindow.note}` : ''}.`
}

function Legend() {
  return (
    <div className="flex gap-x-4 text-sm">
      <span className="flex items-center gap-1.5">
        <span aria-hidden className="size-2.5 rounded-sm bg-human" /> Humans
      </span>
      <span className="flex items-center gap-1.5">
        <span aria-hidden className="size-2.5 rounded-sm bg-ai" /> AI
      </span>
    </div>
  )
}

type TableProps = { readonly points: Timeseries; readonly label: (date: string) => string }

function SeriesTable({ points, label }: TableProps) {
  return (
    <Table
      name="Visitors over time"
      keepsColumns
      rows={points}
      keyOf={({ date }) => date}
      columns={[
        { head: 'Date', cell: ({ date }) => label(date) },
        { head: 'Humans', align: 'right', cell: ({ human }) => formatCount(human) },
        { head: 'AI', align: 'right', cell: ({ ai }) => formatCount(ai) },
        { head: 'All', align: 'right', cell: ({ total }) => formatCount(total) },
      ]}
    />
  )
}

/** As high as the series will be. */
export function SeriesSkeleton() {
  return (
    <div className="flex flex-col gap-3" aria-busy>
      <Skeleton className="h-[9.4rem] sm:h-[6.3rem]" />
      <Skeleton className="h-5 w-80 max-w-full" />
      <Skeleton className="h-[19rem]" />
      <Skeleton className="h-5 w-40" />
    </div>
  )
}
