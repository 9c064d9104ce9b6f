// Which jobs the list shows: links, so that every choice has an address.

import { Link } from '@tanstack/react-router'
import type { Status } from '../../api/jobs.ts'
import { cn } from '../../ui/cn.ts'

const filters: readonly { readonly status: Status | undefined; readonly label: string }[] = [
  { status: undefined, label: 'All' },
  { status: 'active', label: 'Active' },
  { status: 'completed', label: 'Completed' },
  { status: 'failed', label: 'Failed' },
  { status: 'archived', label: 'Archived' },
]

type Props = { readonly projectId: string; readonly status: Status | undefined }

export function Filters({ projectId, status: chosen }: Props) {
  return (
    <nav aria-label="Filter" className="mb-3 flex flex-wrap gap-1">
      {filters.map(({ status, label }) => (
        <Link
          key={label}
          to="/projects/$projectId/jobs"
          params={{ projectId }}
          search={status === undefined ? {} : { status }}
          activeOptions={{ exact: true }}
          replace
          aria-current={status === chosen ? 'page' : undefined}
          className={cn(
            'rounded-md px-2 py-1 text-sm sm:px-2.5 text-muted hover:bg-sunken hover:text-text',
            status === chosen && 'bg-accent-soft text-accent hover:bg-accent-soft hover:text-accent',
          )}
        >
          {label}
        </Link>
      ))}
    </nav>
  )
}
