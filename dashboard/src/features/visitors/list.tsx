// A list of the statistics with what all of them have: a search, the CSV of what one sees, pages, and what it says while
// it is empty.

import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { type Asked, readCsv, type Rows, type Sort } from '../../api/visitors.ts'
import { Button } from '../../ui/button.tsx'
import { cn } from '../../ui/cn.ts'
import { Download } from '../../ui/download.tsx'
import { inputStyle } from '../../ui/form/field.tsx'
import { Empty, Refused, Skeleton } from '../../ui/notice.tsx'
import type { View } from './address.ts'
import { EmptyByFilters } from './filters/empty-by-filters.tsx'
import { formatCount } from './format.ts'
import type { ChangeView } from './use-view.ts'

export const pageSize = 50
const searchDelayMs = 250

export type ListProps = { readonly asked: Asked; readonly view: View; readonly change: ChangeView }

type Props<Row> = ListProps & {
  /** `pages`: in sentences. */
  readonly things: string
  readonly about?: ReactNode
  /** The name of the export. */
  readonly list: string
  readonly sort?: string
  /** Other parameters of the export. */
  readonly chosen?: Readonly<Record<string, string>>
  readonly size?: number
  readonly query: UseQueryResult<Rows<Row>>
  readonly empty: string
  readonly children: (rows: readonly Row[]) => ReactNode
}

const sorts = [
  { head: 'Humans', sort: 'human' },
  { head: 'AI', sort: 'ai' },
  { head: 'All', sort: 'total' },
] as const

/** The columns of people, AI agents and all, each of which sorts the list. */
export function countColumns(sort: Sort, change: ChangeView) {
  return sorts.map(({ head, sort: by }) => ({
    head,
    value: (row: Readonly<Record<Sort, number>>) => formatCount(row[by]),
    isSorted: sort === by,
    onSort: () => change({ sort: by === 'total' ? undefined : by }),
  }))
}

/** The search of a list, as the API takes it. */
export function pageOf({ search, page = 1 }: View, limit = pageSize) {
  return { limit, offset: (page - 1) * limit, ...(search === undefined ? {} : { search }) }
}

export function List<Row>(props: Props<Row>) {
  const { asked, view, change, things, about, list, sort, query } = props
  const { range } = asked
  const chosen = {
    ...(view.search === undefined ? {} : { search: view.search }),
    ...(sort === undefined ? {} : { sort }),
    ...props.chosen,
  }
  return (
    <>
      <div className="mb-3 flex flex-wrap items-center gap-2">
        <SearchBox
          key={list}
          things={things}
          text={view.search ?? ''}
          onChange={(search) => change({ search }, { replace: true })}
        />
        <div className="ml-auto flex flex-wrap justify-end gap-2">
          <Download
            format="CSV"
            of={`the ${things}`}
            file={`${list}-${range.dateFrom}-to-${range.dateTo}.csv`}
            read={() => readCsv(asked, list, chosen)}
          />
        </div>
      </div>
      {about !== undefined && (
        <p className="mb-3 max-w-prose text-sm text-muted">
          {about}
          {asked.reader.token !== undefined && ' This link does not show rows under 5.'}
        </p>
      )}
      <div aria-busy={query.isPlaceholderData} className="min-h-96">
        <Content {...props} />
      </div>
    </>
  )
}

function Content<Row>({ asked, view, change, things, query, empty, size = pageSize, children }: Props<Row>) {
  if (query.isPending) return <Skeleton className="h-96" />
  if (query.isError) return <Refused error={query.error} retry={() => void query.refetch()} />
  const { rows, hasMore } = query.data
  const { page = 1, search } = view
  if (rows.length === 0 && page > 1)
    return (
      <Empty
        title="There are no more rows"
        action={<Button onClick={() => change({ page: undefined })}>Go to the first page</Button>}
      />
    )
  if (rows.length === 0 && search !== undefined)
    return (
      <Empty
        title={`Nothing in the ${things} matches “${search}”`}
        action={<Button onClick={() => change({ search: undefined })}>Clear the search</Button>}
      />
    )
  if (rows.length === 0 && Object.keys(asked.filters).length > 0) return <EmptyByFilters title={empty} />
  if (rows.length === 0) return <Empty title={empty}>Choose a longer range to see more.</Empty>
  return (
    <>
      {children(rows)}
      {(page > 1 || hasMore) && (
        <nav aria-label={`Pages of the ${things}`} className="mt-3 flex items-center gap-2">
          <Button size="small" disabled={page === 1} onClick={() => change({ page: page - 1 })}>
            Previous
          </Button>
          <Button size="small" disabled={!hasMore} onClick={() => change({ page: page + 1 })}>
            Next
          </Button>
          <span className="text-sm text-muted tabular-nums">
            {formatCount((page - 1) * size + 1)}–{formatCount((page - 1) * size + rows.length)}
          </span>
        </nav>
      )}
    </>
  )
}

type SearchProps = {
  readonly things: string
  readonly text: string
  readonly onChange: (text: string | undefined) => void
}

/** Goes into the address when the typing pauses. Another address, such as one step back, goes into the field. */
function SearchBox({ things, text, onChange }: SearchProps) {
  const [typed, setTyped] = useState(text)
  const sent = useRef(text)
  const send = useRef(onChange)
  useEffect(() => {
    send.current = onChange
  })
  useEffect(() => {
    if (text === sent.current) return
    sent.current = text
    setTyped(text)
  }, [text])
  useEffect(() => {
    const timer = setTimeout(() => {
      if (typed.trim() === sent.current) return
      sent.current = typed.trim()
      send.current(sent.current === '' ? undefined : sent.current)
    }, searchDelayMs)
    return () => clearTimeout(timer)
  }, [typed])
  return (
    <input
      type="search"
      aria-label={`Search the ${things}`}
      placeholder={`Search the ${things}`}
      value={typed}
      maxLength={200}
      onChange={({ currentTarget: { value } }) => setTyped(value)}
      className={cn(inputStyle, 'h-8 min-w-0 flex-1 py-0 text-sm sm:w-64 sm:flex-none')}
    />
  )
}
