// The lists beside the pages: AI agents, crawlers, referrers and broken pages.

import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { agentsQuery, brokenPagesQuery, crawlersQuery, referrersQuery } from '../../api/visitors.ts'
import { Empty, Refused, Skeleton } from '../../ui/notice.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import type { Range } from './range.ts'

type Props = { readonly projectId: string; readonly range: Range }
const numbers = new Intl.NumberFormat('en')

type ListProps<Data, Row> = {
  readonly name: string
  readonly empty: string
  readonly query: UseQueryResult<Data>
  readonly rowsOf: (data: Data) => readonly Row[]
  readonly keyOf: (row: Row) => string
  readonly columns: readonly Column<Row>[]
}

function List<Data, Row>({ name, empty, query, rowsOf, ...table }: ListProps<Data, Row>): ReactNode {
  if (query.isPending) return <Skeleton className="h-60" />
  if (query.isError) return <Refused error={query.error} retry={() => void query.refetch()} />
  const rows = rowsOf(query.data)
  return rows.length === 0 ? <Empty title={empty} /> : <Table name={name} rows={rows} {...table} />
}

export function Agents({ projectId, range }: Props) {
  return (
    <List
      name="AI agents"
      empty="No AI agent came in this range"
      query={useQuery(agentsQuery(projectId, range))}
      rowsOf={({ agents }) => agents}
      keyOf={({ agent, operator }) => `${operator}/${agent}`}
      columns={[
        {
          head: 'Agent',
          cell: ({ agent, operator }) => (
            <>
              {agent}
              <div className="text-sm text-muted">{operator}</div>
            </>
          ),
        },
        { head: 'Most read', cell: ({ topPath }) => <span className="break-all">{topPath}</span> },
        { head: 'Verified', align: 'right', cell: ({ verified }) => numbers.format(verified) },
        { head: 'Visitors', align: 'right', cell: ({ visitors }) => numbers.format(visitors) },
        { head: 'Views', align: 'right', cell: ({ views }) => numbers.format(views) },
      ]}
    />
  )
}

export function Crawlers({ projectId, range }: Props) {
  return (
    <List
      name="Crawlers"
      empty="No crawler came in this range"
      query={useQuery(crawlersQuery(projectId, range))}
      rowsOf={({ crawlers }) => crawlers}
      keyOf={({ agent, operator, category }) => `${operator}/${agent}/${category}`}
      columns={[
        { head: 'Crawler', cell: ({ agent }) => agent },
        { head: 'Operator', cell: ({ operator }) => operator },
        { head: 'Category', cell: ({ category }) => category },
        { head: 'Views', align: 'right', cell: ({ views }) => numbers.format(views) },
      ]}
    />
  )
}

export function Referrers({ projectId, range }: Props) {
  return (
    <List
      name="Referrers"
      empty="Nobody came from another site in this range"
      query={useQuery(referrersQuery(projectId, range))}
      rowsOf={({ referrers }) => referrers}
      keyOf={({ referrer }) => referrer}
      columns={[
        { head: 'Site', cell: ({ referrer }) => <span className="break-all">{referrer}</span> },
        { head: 'Human visitors', align: 'right', cell: ({ visitors }) => numbers.format(visitors) },
      ]}
    />
  )
}

export function BrokenPages({ projectId, range }: Props) {
  return (
    <List
      name="Broken pages"
      empty="No visitor met a missing page in this range"
      query={useQuery(brokenPagesQuery(projectId, range))}
      rowsOf={({ brokenPages }) => brokenPages}
      keyOf={({ path }) => path}
      columns={[
        { head: 'Page', cell: ({ path }) => <span className="break-all">{path}</span> },
        { head: 'Humans', align: 'right', cell: ({ human }) => numbers.format(human) },
        { head: 'AI', align: 'right', cell: ({ ai }) => numbers.format(ai) },
        { head: 'Others', align: 'right', cell: ({ neither }) => numbers.format(neither) },
        { head: 'All', align: 'right', cell: ({ total }) => numbers.format(total) },
      ]}
    />
  )
}
