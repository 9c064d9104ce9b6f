// The jobs of a project: filtered by state, up to date by itself, and only the rows in sight are in the document.

import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef } from 'react'
import { type Job, jobsQuery, type Status } from '../../api/jobs.ts'
import { buttonStyle } from '../../ui/button.tsx'
import { Empty, Refused, Skeleton } from '../../ui/notice.tsx'
import { PageHead } from '../../ui/page.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Select } from '../../ui/select.tsx'
import { JobStatus } from './status.tsx'

const filters = [
  { value: 'all', label: 'All jobs' },
  { value: 'active', label: 'Active' },
  { value: 'completed', label: 'Completed' },
  { value: 'failed', label: 'Failed' },
  { value: 'archived', label: 'Archived' },
] as const

export function Jobs() {
  const { projectId } = useParams({ from: '/shell/projects/$projectId/jobs' })
  const { status } = useSearch({ from: '/shell/projects/$projectId/jobs' })
  const navigate = useNavigate()
  const jobs = useInfiniteQuery(jobsQuery(projectId, status))
  const rows = jobs.data?.pages.flatMap((page) => page.jobs) ?? []
  const filter = (value: Status | 'all') =>
    navigate({ to: '.', search: value === 'all' ? {} : { status: value }, replace: true })
  return (
    <>
      <PageHead
        title="Jobs"
        actions={
          <>
            <Select
              name="Filter"
              value={status ?? 'all'}
              options={filters}
              onChange={(value) => void filter(value)}
              className="w-40"
            />
            <Link
              to="/projects/$projectId/jobs/new"
              params={{ projectId }}
              className={buttonStyle({ kind: 'primary' })}
            >
              New job
            </Link>
          </>
        }
      />
      {jobs.isPending && <Skeleton className="h-80" />}
      {jobs.isError && <Refused error={jobs.error} retry={() => void jobs.refetch()} />}
      {jobs.isSuccess && rows.length === 0 && (
        <Empty title={status === undefined ? 'There is no job yet' : `There is no ${status} job`}>
          A job is an instruction to the agent. It edits the documentation and opens a pull request.
        </Empty>
      )}
      {rows.length > 0 && (
        <List rows={rows} projectId={projectId} more={jobs.hasNextPage} onEnd={() => void jobs.fetchNextPage()} />
      )}
    </>
  )
}

type ListProps = {
  readonly rows: readonly Job[]
  readonly projectId: string
  readonly more: boolean
  readonly onEnd: () => void
}

const rowHeight = 64

function List({ rows, projectId, more, onEnd }: ListProps) {
  const box = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    overscan: 8,
  })
  const items = virtual.getVirtualItems()
  const last = items.at(-1)?.index ?? 0
  useEffect(() => {
    if (more && last >= rows.length - 10) onEnd()
  }, [more, last, rows.length, onEnd])
  return (
    <div
      ref={box}
      className="h-[70dvh] overflow-y-auto rounded-lg border border-line"
      tabIndex={0}
      role="region"
      aria-label="Jobs"
    >
      <ul className="relative" style={{ height: virtual.getTotalSize() }}>
        {items.map(({ index, start }) => {
          const job = rows[index]
          if (job === undefined) return null
          return (
            <li
              key={job.id}
              className="absolute inset-x-0"
              style={{ height: rowHeight, transform: `translateY(${start}px)` }}
            >
              <Link
                to="/projects/$projectId/jobs/$jobId"
                params={{ projectId, jobId: job.id }}
                className="flex h-full items-center gap-3 border-b border-line px-3 hover:bg-sunken"
              >
                <span className="w-28 shrink-0">
                  <JobStatus job={job} />
                </span>
                <span className="min-w-0 flex-1">
                  <span className="block truncate">{job.source.ref ?? job.id}</span>
                  <span className="block truncate text-sm text-muted">{job.error?.message ?? job.model}</span>
                </span>
                <span className="shrink-0 text-sm text-muted">
                  <RelativeTime at={job.createdAt} />
                </span>
              </Link>
            </li>
          )
        })}
      </ul>
    </div>
  )
}
