// Who changed what, the newest first.

import { useInfiniteQuery } from '@tanstack/react-query'
import { type AuditEntry, auditQuery } from '../../api/people.ts'
import { Button } from '../../ui/button.tsx'
import { Empty, Refused, Skeleton } from '../../ui/notice.tsx'
import { PageHead } from '../../ui/page.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Table } from '../../ui/table.tsx'

export function Audit() {
  const audit = useInfiniteQuery(auditQuery(undefined))
  const entries = audit.data?.pages.flatMap((page) => page.entries) ?? []
  return (
    <>
      <PageHead title="Audit log" about="Every change through the dashboard, the API and the command line." />
      {audit.isPending && <Skeleton className="h-60" />}
      {audit.isError && <Refused error={audit.error} retry={() => void audit.refetch()} />}
      {audit.isSuccess && entries.length === 0 && <Empty title="Nothing has changed yet" />}
      {entries.length > 0 && <Entries entries={entries} />}
      {audit.hasNextPage && (
        <Button className="mt-4" busy={audit.isFetchingNextPage} onClick={() => void audit.fetchNextPage()}>
          Show more
        </Button>
      )}
    </>
  )
}

function Entries({ entries }: { readonly entries: readonly AuditEntry[] }) {
  return (
    <Table
      name="Changes"
      rows={entries.map((entry, index) => ({ ...entry, index }))}
      keyOf={({ index }) => String(index)}
      columns={[
        { head: 'When', cell: ({ happenedAt }) => <RelativeTime at={happenedAt} /> },
        {
          head: 'Who',
          cell: ({ actor, address }) => (
            <>
              {actor.name}
              <div className="text-sm text-muted">{address ?? 'on the machine of the service'}</div>
            </>
          ),
        },
        {
          head: 'What',
          cell: ({ action, fields }) => (
            <>
              {inWords(action)}
              {fields.length > 0 && <div className="text-sm break-words text-muted">{fields.join(', ')}</div>}
            </>
          ),
        },
        { head: 'Subject', cell: ({ subject }) => <code className="font-mono text-sm">{subject}</code> },
      ]}
    />
  )
}

/** `createKey` becomes `Create key`. */
export function inWords(action: string): string {
  const words = action.replaceAll(/([A-Z])/g, ' $1').toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}
