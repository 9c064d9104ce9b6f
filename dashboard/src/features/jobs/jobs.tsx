// The jobs of a project: filtered by state, up to date by itself, and only the rows in sight are in the document.

import { useInfiniteQuery, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link, useParams, useSearch } from '@tanstack/react-router'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { jobsQuery, type ListedJob, newestJobsQuery, type Status } from '../../api/jobs.ts'
import { may, sessionQuery } from '../../api/people/session.ts'
import { buttonStyle } from '../../ui/button.tsx'
import { Empty, Refused, Skeleton } from '../../ui/notice.tsx'
import { PageHead } from '../../ui/page.tsx'
import { Filters } from './filters.tsx'
import { JobRow } from './job-row.tsx'
import { mergeJobs } from './merge.ts'

const from = '/shell/projects/$projectId/jobs'

export function Jobs() {
  const { projectId } = useParams({ from })
  const { status } = useSearch({ from })
  const { data: session } = useSuspenseQuery(sessionQuery)
  const create = may(session, 'editor') && (
    <Link to="/projects/$projectId/jobs/new" params={{ projectId }} className={buttonStyle({ kind: 'primary' })}>
      New job
    </Link>
  )
  return (
    <>
      <PageHead title="Jobs" actions={create} />
      <Filters projectId={projectId} status={status} />
      <Listed key={`${projectId} ${status ?? ''}`} projectId={projectId} status={status} create={create} />
    </>
  )
}

type ListedProps = {
  readonly projectId: string
  readonly status: Status | undefined
  readonly create: ReactNode
}

function Listed({ projectId, status, create }: ListedProps) {
  const newest = useQuery(newestJobsQuery(projectId, status))
  const pages = useInfiniteQuery({ ...jobsQuery(projectId, status), enabled: newest.data?.nextCursor != null })
  const { refetch, hasNextPage, isFetching, fetchNextPage } = pages
  const rows = useMemo(() => {
    const isComplete = newest.data?.nextCursor === null
    const read = pages.data?.pages.flatMap((page) => page.jobs)
    if (newest.data === undefined) return undefined
    return read === undefined ? newest.data.jobs : mergeJobs(read, newest.data.jobs, isComplete)
  }, [newest.data, pages.data])
  const hasGap = newest.isSuccess && rows === undefined
  useEffect(() => {
    if (hasGap) void refetch()
  }, [hasGap, refetch])
  if (newest.data === undefined && newest.isError)
    return <Refused error={newest.error} retry={() => void newest.refetch()} />
  if (rows === undefined) return <Skeleton className="h-96" />
  if (rows.length === 0) return <NoJobs status={status} create={create} />
  return <Rows rows={rows} more={hasNextPage && !isFetching} onEnd={() => void fetchNextPage()} />
}

function NoJobs({ status, create }: Omit<ListedProps, 'projectId'>) {
  if (status !== undefined) return <Empty title={`No ${status} jobs`}>Jobs appear here as their state changes.</Empty>
  return (
    <Empty title="No jobs yet" action={create}>
      A job is an instruction to the agent. It edits the documentation and opens a pull request, which you review.
    </Empty>
  )
}

type RowsProps = { readonly rows: readonly ListedJob[]; readonly more: boolean; readonly onEnd: () => void }

const rowHeight = 64
/** The next page is read before its first row is in sight. */
const ahead = 20

function Rows({ rows, more, onEnd }: RowsProps) {
  const list = useRef<HTMLUListElement>(null)
  const [top, setTop] = useState(0)
  useLayoutEffect(() => setTop(list.current?.offsetTop ?? 0), [])
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => rowHeight,
    getItemKey: (index) => rows[index]?.id ?? index,
    scrollMargin: top,
    overscan: 8,
  })
  const items = virtual.getVirtualItems()
  const last = items.at(-1)?.index ?? 0
  useEffect(() => {
    if (more && last >= rows.length - ahead) onEnd()
  }, [more, last, rows.length, onEnd])
  return (
    <ul
      ref={list}
      aria-label="Jobs"
      className="relative box-content overflow-hidden rounded-lg border border-line"
      style={{ height: virtual.getTotalSize() }}
    >
      {items.map(({ index, key, start }) => {
        const job = rows[index]
        if (job === undefined) return null
        return (
          <li
            key={String(key)}
            aria-setsize={more ? -1 : rows.length}
            aria-posinset={index + 1}
            className="absolute inset-x-0 top-0 last:[&>a]:border-b-transparent"
            style={{ height: rowHeight, transform: `translateY(${start - top}px)` }}
          >
            <JobRow job={job} />
          </li>
        )
      })}
    </ul>
  )
}
