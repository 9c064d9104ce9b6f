// The totals and the series of a range: a chart, or the same as a table.

import { useQuery } from '@tanstack/react-query'
import {
  type About,
  type Asked,
  earlierDaysQuery,
  type Interval,
  type PerWindow,
  readCsv,
  type Timeseries,
  timeseriesQuery,
  totalsQuery,
  viewTotalsQuery,
} from '../../api/visitors.ts'
import { StackedChart } from '../../chart/stacked.tsx'
import { Button } from '../../ui/button.tsx'
import { Download } from '../../ui/download.tsx'
import { Refused, Skeleton } from '../../ui/notice.tsx'
import { Select } from '../../ui/form/select.tsx'
import type { View } from './address.ts'
import { earlierColumns, EarlierLegend, EarlierNote, withEarlier } from './earlier.tsx'
import { Facts } from './facts.tsx'
import { formatDay, formatInterval, formatRange, formatTick } from './format.ts'
import { isFiltered } from './filters/filters.ts'
import { Hours } from './now/hours.tsx'
import { daysBefore, intervalOf, intervalsOf, isKept, isToday, rangeBefore } from './range.ts'
import { Legend, SeriesTable } from './series-parts.tsx'
import { Tiles } from './totals.tsx'
import type { ChangeView } from './use-view.ts'

const labels = { day: 'By day', week: 'By week', month: 'By month' } as const

type Props = { readonly asked: Asked; readonly about: About; readonly view: View; readonly change: ChangeView }

export function Series({ asked, about, view, change }: Props) {
  const { range } = asked
  const interval = intervalOf(range, view.interval)
  const before = rangeBefore(range, about)
  const now = useQuery(timeseriesQuery(asked, interval))
  const views = useQuery(viewTotalsQuery(asked))
  const enabled = before !== undefined
  const asEarlier = { ...asked, range: before ?? range, grows: false }
  const earlier = useQuery({ ...totalsQuery(asEarlier), enabled })
  const earlierViews = useQuery({ ...viewTotalsQuery(asEarlier), enabled })
  if (now.isPending) return <SeriesSkeleton />
  if (now.isError) return <Refused error={now.error} retry={() => void now.refetch()} />
  const { timeseries, totals, perWindow, probablyAutomated } = now.data
  const isOfOneRange = views.isPlaceholderData === now.isPlaceholderData
  return (
    <section
      aria-label="Visitors over time"
      aria-busy={now.isPlaceholderData || views.isPlaceholderData || views.isPending}
      className="flex flex-col gap-3"
    >
      <Tiles
        now={{ visitors: totals, views: isOfOneRange ? views.data : undefined }}
        perWindow={perWindow}
        earlier={before && { visitors: earlier.data?.totals, views: earlierViews.data }}
      />
      {perWindow && <p className="text-sm">Visitors are {perWindow.note}.</p>}
      {probablyAutomated && probablyAutomated.pageViews > 0 && <p className="text-sm">{probablyAutomated.note}</p>}
      <p className="text-sm text-muted">{compared(asked, about, before, earlier.data?.perWindow)}</p>
      {isToday(range, about) && !isFiltered(asked.filters) ? (
        <Hours {...{ reader: asked.reader, view, change }} />
      ) : (
        <Chart {...{ asked, interval, timeseries, view, change }} />
      )}
      <Facts about={about} />
    </section>
  )
}

type ChartProps = Pick<Props, 'asked' | 'view' | 'change'> & {
  readonly interval: Interval
  readonly timeseries: Timeseries
}

function Chart({ asked, interval, timeseries, view, change }: ChartProps) {
  const { range } = asked
  const isTable = view.table === true
  const { data: days = [] } = useQuery({ ...earlierDaysQuery(asked), enabled: !isFiltered(asked.filters) })
  const points = withEarlier(timeseries, days, interval)
  return (
    <div className="rounded-lg border border-line p-3 sm:p-4">
      <div className="mb-2 flex flex-wrap items-center gap-2">
        <Legend>
          <EarlierLegend days={days} interval={interval} />
        </Legend>
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
            read={() => readCsv(asked, 'timeseries', { interval })}
          />
        </div>
      </div>
      {isTable ? (
        <SeriesTable
          points={points}
          head="Date"
          label={(date) => formatInterval(date, interval)}
          more={earlierColumns(points)}
        />
      ) : (
        <StackedChart
          name={`Visitors ${labels[interval].toLowerCase()}`}
          points={points}
          tick={(date) => formatTick(date, interval)}
          label={(date) => formatInterval(date, interval)}
          isOpen={asked.grows}
        />
      )}
      <EarlierNote days={days} interval={interval} />
    </div>
  )
}

function compared(
  { range, grows }: Asked,
  about: About,
  before: Asked['range'] | undefined,
  perWindow?: PerWindow,
): string {
  const open = grows ? ', today so far' : ''
  const own = `${formatRange(range)}${open}.`
  if (before === undefined) return `${own} ${notCompared(range, about)}`
  return `${own} Compared with ${formatRange(before)}${perWindow ? `, ${perWindow.note}` : ''}.`
}

/** As high as the series will be. */
export function SeriesSkeleton() {
  return (
    <div className="flex flex-col gap-3" aria-busy>
      <Skeleton className="h-[19rem] sm:h-[7.6rem]" />
      <Skeleton className="h-5 w-80 max-w-full" />
      <Skeleton className="h-[19rem]" />
      <Skeleton className="h-5 w-40" />
    </div>
  )
}

function notCompared(range: Asked['range'], about: About): string {
  if (!isKept(daysBefore(range), about)) return 'Not compared: the days before are no longer kept.'
  return about.firstPageView === null ? '' : `Not compared: page views begin on ${formatDay(about.firstPageView)}.`
}
