// What the agent does, as it does it: messages, turns with their tool calls folded, and the ends of runs.

import type { ReactNode } from 'react'
import type { Job, JobEvent } from '../../api/jobs.ts'
import { useEvents } from '../../api/stream.ts'
import { Badge } from '../../ui/badge.tsx'
import { Empty } from '../../ui/notice.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Turn } from './turn.tsx'

type Props = { readonly job: Job; readonly projectId: string }

export function Transcript({ job, projectId }: Props) {
  // A follow-up makes the job active again, and its stream begins anew.
  const live = useEvents(projectId, job.id, job.status === 'active' ? 'active' : 'ended')
  const results = new Map(
    live.events.flatMap((one) => (one.type === 'results' ? [[keyOf(one.runId, one.turn), one]] : [])),
  )
  if (live.events.length === 0 && live.state === 'ended') return <Empty title="The transcript of this job is empty" />
  return (
    <ol className="flex flex-col gap-3" aria-label="Transcript" aria-busy={live.state === 'connecting'}>
      {live.events.map((event) => {
        const content = render(event, results)
        return content === null ? null : <li key={event.id}>{content}</li>
      })}
      {live.text !== '' && (
        <li className="rounded-lg border border-line px-4 py-3 whitespace-pre-wrap" aria-live="polite">
          {live.text}
        </li>
      )}
    </ol>
  )
}

type Results = Extract<JobEvent, { readonly type: 'results' }>

function render(event: JobEvent, results: ReadonlyMap<string, Results>): ReactNode {
  switch (event.type) {
    case 'message':
      return (
        <div className="rounded-lg bg-accent-soft px-4 py-3">
          <p className="whitespace-pre-wrap">{event.prompt}</p>
          <p className="mt-1 text-sm text-muted">
            <RelativeTime at={event.createdAt} />
          </p>
        </div>
      )
    case 'turn':
      return <Turn turn={event} results={results.get(keyOf(event.runId, event.number))} />
    case 'run_started':
      return (
        <Line>
          Run {event.number} started with {event.model}
        </Line>
      )
    case 'run_retried':
      return (
        <Line>
          <Badge tone="warn">Retried</Badge> {event.message}
        </Line>
      )
    case 'run_ended':
      return event.error === null ? (
        <Line>The run ended</Line>
      ) : (
        <Line>
          <Badge tone="bad">Failed</Badge> {event.error.message}
        </Line>
      )
    default:
      return null
  }
}

function Line({ children }: { readonly children: ReactNode }) {
  return <p className="px-1 text-sm text-muted">{children}</p>
}

function keyOf(runId: string | null, turn: number): string {
  return `${runId}:${turn}`
}
