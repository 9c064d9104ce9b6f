// The statistics of a project for a range of days. Everything that one sees is in the address bar.

import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { projectQuery } from '../../api/projects.ts'
import { timeseriesQuery, visitorsQuery } from '../../api/visitors.ts'
import { prefix } from '../../base.ts'
import { StackedChart } from '../../chart/stacked.tsx'
import { buttonStyle } from '../../ui/button.tsx'
import { Empty, Refused, Skeleton } from '../../ui/notice.tsx'
import { PageHead } from '../../ui/page.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { Agents, BrokenPages, Crawlers, Referrers } from './lists.tsx'
import { Pages } from './pages.tsx'
import { before, intervalOf, type Range, rangeOf } from './range.ts'
import { RangePicker } from './range-picker.tsx'
import { Totals } from './totals.tsx'

const from = '/shell/projects/$projectId/visitors'
const days = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', timeZone: 'UTC' })

export function VisitorsPage() {
  const { projectId } = useParams({ from })
  const search = useSearch({ from })
  const { data: project } = useSuspenseQuery(projectQuery(projectId))
  const range = rangeOf(search, project.timeZone, new Date())
  const csv = new URLSearchParams(range).toString()
  return (
    <>
      <PageHead
        title="Visitors"
        about={`Unique visitors, counted exactly. Days begin at midnight in ${project.timeZone}.`}
        actions={
          <>
            <RangePicker search={search} range={range} />
            <a
              className={buttonStyle({ kind: 'plain' })}
              href={`${prefix}v1/analytics/${projectId}/visitors.csv?${csv}`}
              download={`visitors-${range.dateFrom}.csv`}
            >
              CSV
            </a>
          </>
        }
      />
      <Series projectId={projectId} range={range} />
      <Details projectId={projectId} range={range} />
    </>
  )
}

type Props = { readonly projectId: string; readonly range: Range }

function Series({ projectId, range }: Props) {
  const interval = intervalOf(range)
  const now = useQuery(timeseriesQuery(projectId, range, interval))
  const earlier = useQuery(visitorsQuery(projectId, before(range), { limit: 1, offset: 0 }))
  if (now.isPending) return <Skeleton className="h-72" />
  if (now.isError) return <Refused error={now.error} retry={() => void now.refetch()} />
  if (now.data.totals.total === 0 && earlier.data?.totals.total === 0)
    return (
      <Empty title="There are no visitors in this range">
        Put the script into the pages of your site, or send page views from your server. Settings show how.
      </Empty>
    )
  return (
    <>
      <Totals now={now.data.totals} earlier={earlier.data?.totals} />
      <StackedChart points={now.data.timeseries} label={(date) => (date === '' ? '' : days.format(new Date(date)))} />
    </>
  )
}

function Details({ projectId, range }: Props) {
  const { list = 'pages' } = useSearch({ from })
  const navigate = useNavigate()
  return (
    <div className="mt-8">
      <Tabs
        value={list}
        onChange={(chosen) =>
          void navigate({ to: '.', search: ({ page: _, ...rest }) => ({ ...rest, list: chosen }), replace: true })
        }
        tabs={[
          { value: 'pages', label: 'Pages', content: <Pages projectId={projectId} range={range} /> },
          { value: 'agents', label: 'AI agents', content: <Agents projectId={projectId} range={range} /> },
          { value: 'crawlers', label: 'Crawlers', content: <Crawlers projectId={projectId} range={range} /> },
          { value: 'referrers', label: 'Referrers', content: <Referrers projectId={projectId} range={range} /> },
          { value: 'broken', label: 'Broken pages', content: <BrokenPages projectId={projectId} range={range} /> },
        ]}
      />
    </div>
  )
}
