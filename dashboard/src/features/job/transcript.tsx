// The messages and the work of the agent, as one conversation over all runs. Only the lines in sight are in the document,
// and the page stays at its end while somebody reads there.

import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { Live } from '../../api/events/use-events.ts'
import { statusOf } from '../../api/job/status.ts'
import type { Job } from '../../api/jobs.ts'
import { Button } from '../../ui/button.tsx'
import { Empty, Refused, Skeleton } from '../../ui/notice.tsx'
import { toggled } from '../../ui/toggled.ts'
import { type Item, progressOf, toItems } from './items.ts'
import { TranscriptLine } from './line.tsx'
import { Prose } from '../../prose/prose.tsx'
import { useStayAtEnd } from './use-stay-at-end.ts'

const estimates: Readonly<Record<Item['kind'], number>> = {
  message: 88,
  run: 40,
  turn: 60,
  warning: 76,
  failure: 76,
  note: 40,
  pull: 76,
}
/** A button to the end helps where there is far to go. */
const longTranscript = 40

export function Transcript({ job, live }: { readonly job: Job; readonly live: Live }) {
  const { events, text, error, retry } = live
  const items = useMemo(() => toItems(events ?? []), [events])
  useStayAtEnd(`${events?.at(-1)?.id ?? 0}:${text.length}`)
  if (error) return <Refused error={error} retry={retry} />
  if (events === undefined) return <Skeleton className="h-80" />
  if (items.length === 0 && job.status !== 'active') return <Empty title="The transcript of this job is empty" />
  return (
    <>
      {items.length > longTranscript && (
        <Button size="small" className="mb-2" onClick={() => window.scrollTo({ top: document.body.scrollHeight })}>
          Go to the end
        </Button>
      )}
      <Lines items={items} />
      {/* A screen reader announces only what comes into a region that was there before. */}
      <div aria-live="polite">
        {text !== '' && (
          <div className="py-1.5">
            <Prose text={text} />
          </div>
        )}
      </div>
      <p role="status">
        {job.status === 'active' ? (
          <span className="flex items-center gap-2 py-2 text-sm text-muted">
            <span aria-hidden className="size-2 animate-pulse rounded-full bg-accent" />
            {job.phase === 'queued' ? 'Waiting for a worker' : (progressOf(events) ?? `${statusOf(job).words}…`)}
          </span>
        ) : (
          <span className="sr-only">The job ended: {statusOf(job).words}</span>
        )}
      </p>
    </>
  )
}

function Lines({ items }: { readonly items: readonly Item[] }) {
  const list = useRef<HTMLOListElement>(null)
  const [top, setTop] = useState(0)
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(new Set())
  // eslint-disable-next-line react-hooks/exhaustive-deps -- what is above may change with every render
  useLayoutEffect(() => setTop(list.current?.offsetTop ?? 0))
  const virtual = useWindowVirtualizer({
    count: items.length,
    estimateSize: (index) => estimates[items[index]?.kind ?? 'turn'],
    getItemKey: (index) => items[index]?.id ?? index,
    scrollMargin: top,
    overscan: 8,
  })
  const fold = (key: string) => setUnfolded((before) => toggled(before, key))
  return (
    <ol ref={list} aria-label="Transcript" className="relative" style={{ height: virtual.getTotalSize() }}>
      {virtual.getVirtualItems().map(({ index, key, start }) => {
        const item = items[index]
        if (item === undefined) return null
        return (
          <li
            key={String(key)}
            ref={virtual.measureElement}
            data-index={index}
            aria-setsize={items.length}
            aria-posinset={index + 1}
            className="absolute inset-x-0 top-0"
            style={{ transform: `translateY(${start - top}px)` }}
          >
            <TranscriptLine item={item} unfolded={unfolded} onFold={fold} />
          </li>
        )
      })}
    </ol>
  )
}
