// One project on the start page, with its visitors of the last seven days.

import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Project } from '../../api/projects.ts'
import { timeseriesQuery } from '../../api/visitors.ts'
import { lastDays } from './last-days.ts'
import { Sparkline } from './sparkline.tsx'

const days = 7
const numbers = new Intl.NumberFormat('en')

export function ProjectCard({ project }: { readonly project: Project }) {
  const { id, name, repository, timeZone } = project
  const range = lastDays(new Date(), timeZone, days)
  const series = useQuery(timeseriesQuery({ reader: { projectId: id }, range, filters: {}, grows: false }, 'day'))
  const { totals, perWindow, timeseries = [] } = series.data ?? {}
  return (
    <Link
      to="/projects/$projectId"
      params={{ projectId: id }}
      className="flex h-full flex-col gap-1 rounded-lg border border-line p-4 hover:bg-sunken"
    >
      <span className="truncate font-medium" title={name}>
        {name}
      </span>
      <span className="truncate text-sm text-muted" title={repository}>
        {repository.replace(/^https?:\/\//, '')}
      </span>
      <span className="mt-2 flex h-8 items-end justify-between gap-3 text-sm">
        {totals && (
          <>
            <span className="tabular-nums">
              {totals.total === 0 ? (
                <span className="text-muted">No visitors in 7 days</span>
              ) : (
                <>
                  <span className="font-medium">{numbers.format(totals.total)}</span>{' '}
                  <span className="text-muted">visitors in 7 days, {numbers.format(totals.ai)} AI</span>
                </>
              )}
            </span>
            {totals.total > 0 && <Sparkline values={timeseries.map(({ total }) => total)} />}
          </>
        )}
      </span>
      {perWindow && totals && totals.total > 0 && <span className="text-xs text-muted">{perWindow.note}</span>}
    </Link>
  )
}
