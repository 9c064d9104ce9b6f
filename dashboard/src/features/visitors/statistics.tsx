// The statistics of a project, for anyone who may read them: the range, the series and the lists. Everything that one sees is
// in the address bar.

import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { type About, aboutQuery, type Reader } from '../../api/visitors.ts'
import { Refused, Skeleton } from '../../ui/notice.tsx'
import { PageHead, Part } from '../../ui/page.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { lists } from './address.ts'
import { Breakdown } from './breakdown.tsx'
import { FilterBar } from './filters/bar.tsx'
import { filtersOf } from './filters/filters.ts'
import { Agents, BrokenPages, Crawlers, Downloads, Pages, Referrers } from './lists.tsx'
import { Now } from './now/now.tsx'
import { includesToday, rangeOf } from './range.ts'
import { RangePicker } from './range-picker.tsx'
import { Series, SeriesSkeleton } from './series/series.tsx'
import { useView } from './use-view.ts'

type Props = {
  readonly reader: Reader
  readonly title: (about: About | undefined) => string
  readonly actions?: ReactNode
  /** While nothing was ever recorded. */
  readonly empty: ReactNode
  /** When the service refuses the reader. */
  readonly refused: (error: unknown) => ReactNode
}

const within = { day: ' within each day', week: ' within each week', month: ' within each month', never: '' } as const
const labels = {
  pages: 'Pages',
  agents: 'AI agents',
  crawlers: 'Crawlers',
  referrers: 'Referrers',
  breakdown: 'Breakdown',
  downloads: 'Downloads',
  broken: 'Broken pages',
} as const
const contents = {
  pages: Pages,
  agents: Agents,
  crawlers: Crawlers,
  referrers: Referrers,
  breakdown: Breakdown,
  downloads: Downloads,
  broken: BrokenPages,
} as const

export function Statistics({ reader, title, actions, empty, refused }: Props) {
  const about = useQuery(aboutQuery(reader))
  const [view, change] = useView()
  const facts = about.data
  const range = facts && rangeOf(view, facts)
  return (
    <>
      <PageHead
        title={title(facts)}
        about={
          facts ? (
            `Unique visitors, counted exactly${within[facts.visitorWindow]}. Days are those of ${facts.timeZone}.`
          ) : (
            <Skeleton className="h-11 w-80 max-w-full sm:h-6" />
          )
        }
        actions={
          <>
            {facts && range ? (
              facts.pageViews > 0 && <RangePicker view={view} change={change} range={range} days={facts} />
            ) : (
              <Skeleton className="h-20 w-44 sm:h-9" />
            )}
            {actions}
          </>
        }
      />
      {about.isError &&
        !facts &&
        (refused(about.error) ?? <Refused error={about.error} retry={() => void about.refetch()} />)}
      {about.isPending && <CountedSkeleton />}
      {facts && facts.pageViews === 0 && empty}
      {facts && range && facts.pageViews > 0 && <Counted {...{ reader, facts, range, view, change }} />}
    </>
  )
}

/** As high as who reads now, the filters and the series will be. */
function CountedSkeleton() {
  return (
    <>
      <Skeleton className="mb-3 h-17 w-80 max-w-full sm:h-5" />
      <Skeleton className="mb-4 h-7 w-24" />
      <SeriesSkeleton />
    </>
  )
}

type CountedProps = {
  readonly reader: Reader
  readonly facts: About
  readonly range: ReturnType<typeof rangeOf>
  readonly view: ReturnType<typeof useView>[0]
  readonly change: ReturnType<typeof useView>[1]
}

function Counted({ reader, facts, range, view, change }: CountedProps) {
  const filters = filtersOf(view, reader)
  const asked = { reader, range, filters, grows: includesToday(range, facts) }
  return (
    <>
      <Now asked={asked} />
      <FilterBar asked={asked} change={change} />
      <Part of={`${range.dateFrom} ${range.dateTo}`}>
        <Series asked={asked} about={facts} view={view} change={change} />
      </Part>
      <div className="mt-8">
        <Tabs
          value={view.list ?? 'pages'}
          onChange={(list) => change({ list, search: undefined, sort: undefined })}
          tabs={lists.map((value) => {
            const Content = contents[value]
            return { value, label: labels[value], content: <Content asked={asked} view={view} change={change} /> }
          })}
        />
      </div>
    </>
  )
}
