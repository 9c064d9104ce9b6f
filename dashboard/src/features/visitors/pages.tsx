// The pages of the site by visitors, a screen at a time.

import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { visitorsQuery } from '../../api/visitors.ts'
import { Button } from '../../ui/button.tsx'
import { Empty, Refused, Skeleton } from '../../ui/notice.tsx'
import { Table } from '../../ui/table.tsx'
import type { Range } from './range.ts'

const size = 50
const numbers = new Intl.NumberFormat('en')

export function Pages({ projectId, range }: { readonly projectId: string; readonly range: Range }) {
  const { page = 1 } = useSearch({ from: '/shell/projects/$projectId/visitors' })
  const navigate = useNavigate()
  const pages = useQuery(visitorsQuery(projectId, range, { limit: size, offset: (page - 1) * size }))
  const go = (to: number) =>
    navigate({ to: '.', search: ({ page: _, ...rest }) => (to === 1 ? rest : { ...rest, page: to }), replace: true })
  if (pages.isPending) return <Skeleton className="h-60" />
  if (pages.isError) return <Refused error={pages.error} retry={() => void pages.refetch()} />
  if (pages.data.visitors.length === 0) return <Empty title="No page was visited in this range" />
  return (
    <>
      <Table
        name="Pages"
        rows={pages.data.visitors}
        keyOf={({ path }) => path}
        columns={[
          { head: 'Page', cell: ({ path }) => <span className="break-all">{path}</span> },
          { head: 'Humans', align: 'right', cell: ({ human }) => numbers.format(human) },
          { head: 'AI', align: 'right', cell: ({ ai }) => numbers.format(ai) },
          { head: 'Visitors', align: 'right', cell: ({ total }) => numbers.format(total) },
        ]}
      />
      <div className="mt-3 flex items-center gap-2">
        <Button size="small" disabled={page === 1} onClick={() => void go(page - 1)}>
          Previous
        </Button>
        <span className="text-sm text-muted">Page {page}</span>
        <Button size="small" disabled={!pages.data.hasMore} onClick={() => void go(page + 1)}>
          Next
        </Button>
      </div>
    </>
  )
}
