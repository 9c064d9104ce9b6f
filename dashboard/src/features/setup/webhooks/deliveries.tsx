// The deliveries to a webhook, the responses of the receiver, and a button that sends one again.

import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { deliveriesQuery, type Delivery, redeliver, type Webhook } from '../../../api/project/webhooks.ts'
import { Badge, type Tone } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { Refused, Skeleton } from '../../../ui/notice.tsx'
import { say } from '../../../ui/overlay/toast.tsx'
import { formatExact, RelativeTime } from '../../../ui/relative-time.tsx'
import { type Column, Table } from '../../../ui/table.tsx'

type Props = { readonly projectId: string; readonly webhook: Webhook }

const statuses: Readonly<Record<Delivery['status'], { readonly words: string; readonly tone: Tone }>> = {
  waiting: { words: 'Waiting', tone: 'accent' },
  delivered: { words: 'Delivered', tone: 'good' },
  failed: { words: 'Failed', tone: 'bad' },
}

export function Deliveries({ projectId, webhook }: Props) {
  const pages = useInfiniteQuery(deliveriesQuery(projectId, webhook.id))
  if (pages.isPending) return <Skeleton className="h-24" />
  if (pages.isError) return <Refused error={pages.error} retry={() => void pages.refetch()} />
  const deliveries = pages.data.pages.flatMap((page) => page.deliveries)
  if (deliveries.length === 0) return <p className="text-muted">Nothing was sent in the last 30 days.</p>
  return (
    <div className="flex flex-col items-start gap-3">
      <div className="w-full">
        <Table
          name="Deliveries"
          columns={columnsFor({ projectId, webhook })}
          rows={deliveries}
          keyOf={({ id }) => id}
        />
      </div>
      {pages.hasNextPage && (
        <Button size="small" busy={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>
          Older deliveries
        </Button>
      )}
    </div>
  )
}

function columnsFor(props: Props): readonly Column<Delivery>[] {
  return [
    {
      head: 'Event',
      cell: ({ type, createdAt }) => (
        <>
          <span className="font-mono text-sm">{type}</span> <RelativeTime at={createdAt} />
        </>
      ),
    },
    {
      head: 'Status',
      cell: ({ status }) => <Badge tone={statuses[status].tone}>{statuses[status].words}</Badge>,
    },
    { head: 'Response', cell: (delivery) => <Response delivery={delivery} /> },
    { head: 'Attempts', cell: ({ attempts }) => attempts, align: 'right' },
    { head: '', cell: (delivery) => <Again {...props} delivery={delivery} />, align: 'right' },
  ]
}

function Response({ delivery }: { readonly delivery: Delivery }) {
  const { responseCode, milliseconds, excerpt, error, nextAttemptAt, attempts } = delivery
  return (
    <span className="flex flex-col gap-1">
      <span>
        {responseCode ?? (attempts === 0 ? '' : 'No response')}
        {milliseconds !== null && <span className="text-muted"> in {milliseconds} ms</span>}
      </span>
      {error !== null && <bdi className="text-sm text-muted">{error}</bdi>}
      {excerpt !== null && <bdi className="font-mono text-xs break-all text-muted">{excerpt}</bdi>}
      {nextAttemptAt !== null && attempts > 0 && (
        <span className="text-sm text-muted">Next attempt {formatExact(nextAttemptAt)}</span>
      )}
    </span>
  )
}

function Again({ projectId, webhook, delivery: { id, type } }: Props & { readonly delivery: Delivery }) {
  const again = useMutation({
    mutationFn: () => redeliver(projectId, webhook.id, id),
    onSuccess: () => say('It is sent again'),
  })
  return (
    <>
      <Button
        size="small"
        disabled={!webhook.enabled}
        busy={again.isPending}
        aria-label={`Send again: ${type}`}
        onClick={() => again.mutate()}
      >
        Send again
      </Button>
      {again.isError && <Refused error={again.error} />}
    </>
  )
}
