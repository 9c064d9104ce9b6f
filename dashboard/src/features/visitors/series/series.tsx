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
} from '../../../api/visitors.ts'
import { StackedChart } from '../../../chart/stacked.tsx'
import { Button } from '../../../ui/button.tsx'
import { Download } from '../../../ui/download.tsx'
import { Refused, Skeleton } from '../../../ui/notice.tsx'
import { Select } from '../../../ui/form/select.tsx'
import type { View } from '../address.ts'
import { CompareChoice, ComparedDays } from '../compare/choice.tsx'
import { comparedColumns, mergedColumns } from '../compare/columns.tsx'
import { totalsBefore } from '../compare/comparison.ts'
import { useComparison } from '../compare/use-comparison.ts'
import { earlierColumns, EarlierLegend, EarlierNote, withEarlier } from './earlier.tsx'
import { Facts } from '../facts.tsx'
import { isFiltered } from '../filters/filters.ts'
import { formatDay, formatInterval, formatRange, formatTick } from '../format.ts'
import { among } from '../merged/marks.ts'
import { MergedList } from '../merged/list.tsx'
import { useMergedMarks } from '../merged/use-marks.ts'
import { Hours } from '../now/hours.tsx'
import { daysBefore, intervalOf, intervalsOf, isKept, isToday } from '../range.ts'
import { Legend, SeriesTable } from './series-parts.tsx'
import { Tiles } from '../totals.tsx'
import type { ChangeView } from '../use-view.ts'

const labels = { day: 'By day', week: 'By week', month: 'By month' } as const

type Props = { readonly asked: Asked; readonly about: About; readonly view: View; readonly change: ChangeView }

export function Series({ asked, about, view, change }: Props) {
  const { range } = asked
  const interval = intervalOf(range, view.interval)
  const before = totalsBefore(range, interval, { compare: view.compare, about })
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
      <p className="text-sm text-muted">
        {said(asked, { about, compare: view.compare }, before, earlier.data?.perWindow)}
      </p>
      {isToday(range, about) ? (
        <Hours {...{ asked, view, change }} />
      ) : (
        <Chart {...{ asked, about, interval, timeseries, view, change }} />
      )}
      <Facts about={about} />
    </section>
  )
}

type ChartProps = Props & { readonly interval: Interval; readonly timeseries: Timeseries }

function Chart({ asked, about, interval, timeseries, view, change }: ChartProps) {
  const { range, reader } = asked
  const isTable = view.table === true
  const label = (date: string) => formatInterval(date, interval)
  const compared = useComparison(asked, timeseries, { compare: view.compare, interval, about })
  const marks = useMergedMarks(asked, timeseries, about.timeZone)
  const { data: days = [] } = useQuery({ ...earlierDaysQuery(asked), enabled: !isFiltered(asked.filters) })
  const points = withEarlier(timeseries, days, interval)
  const more = [
    ...comparedColumns(compared, label),
    ...mergedColumns(marks, reader.projectId),
    ...earlierColumns(points),
  ]
  return (
    <div className="rounded-lg border border-line p-3 sm:p-4">
      <div className="mb-2 flex flex-wrap items-center gap-2">
        <Legend>
          <EarlierLegend days={days} interval={interval} />
        </Legend>
        <div className="ml-auto flex flex-wrap gap-2">
          <CompareChoice compare={view.compare} change={change} />
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
        <SeriesTable points={points} head="Date" label={label} more={more} />
      ) : (
        <StackedChart
          name={`Visitors ${labels[interval].toLowerCase()}`}
          points={points}
          tick={(date) => formatTick(date, interval)}
          label={label}
          isOpen={asked.grows}
          behind={compared?.behind}
          marks={marks}
          renderMarks={(chosen) => <MergedList marks={among(marks, chosen)} projectId={reader.projectId} />}
        />
      )}
      <EarlierNote days={days} interval={interval} />
      {compared && <ComparedDays compared={compared} />}
    </div>
  )
}

function said(
  { range, grows }: Asked,
  { about, compare }: { readonly about: About; readonly compare: View['compare'] },
  before: Asked['range'] | undefined,
  perWindow?: PerWindow,
): string {
  const open = grows ? ', today so far' : ''
  const own = `${formatRange(range)}${open}.`
  if (before === undefined && compare !== undefined)
    return `${own} The totals are not compared: some of the days have no page views.`
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
