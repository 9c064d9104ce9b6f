// The events of a job as they happen: first those that are kept, then new ones, by the stream where this tab has it, else
// by asking. Whichever way they come, they are in order and complete: each continues after the last one.

import { queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { prefix } from '../../base.ts'
import { ask } from '../client.ts'
import type { Job, JobEvent } from '../jobs.ts'
import { addPiece, noText, type TextPiece } from './live-text.ts'
import { Problem } from '../problem.ts'
import { queries } from '../queries.ts'
import { useStreamTurn } from './use-stream-turn.ts'

export type Live = {
  /** Kept events, in order; undefined until the first ones have come. */
  readonly events: readonly JobEvent[] | undefined
  /** The text of the turn that is being generated. */
  readonly text: string
  readonly error: Error | null
  readonly retry: () => void
}

const types: readonly JobEvent['type'][] = [
  'message',
  'run_started',
  'phase',
  'turn',
  'results',
  'run_retried',
  'warning',
  'run_ended',
  'job_ended',
  'archived',
]
const pageSize = 1_000
/** Milliseconds between questions where there is no stream. */
const pause = 2_000

const keyOf = (projectId: string, jobId: string) => ['job', projectId, jobId, 'events'] as const

const eventsQuery = (projectId: string, jobId: string) =>
  queryOptions({
    queryKey: keyOf(projectId, jobId),
    queryFn: ({ signal }) => readOn(projectId, jobId, signal),
    structuralSharing: false,
  })

/** Returns the known events and those after them. */
async function readOn(projectId: string, jobId: string, signal: AbortSignal): Promise<readonly JobEvent[]> {
  const known = queries.getQueryData<readonly JobEvent[]>(keyOf(projectId, jobId)) ?? []
  try {
    return await readAfter(known, { projectId, id: jobId }, signal)
  } catch (error) {
    // A database that was restored from a backup may have fewer events than this page.
    if (error instanceof Problem && error.status === 400) return readAfter([], { projectId, id: jobId }, signal)
    throw error
  }
}

async function readAfter(
  known: readonly JobEvent[],
  path: { readonly projectId: string; readonly id: string },
  signal: AbortSignal,
): Promise<readonly JobEvent[]> {
  const events = [...known]
  for (;;) {
    const query = { limit: pageSize, lastEventId: String(events.at(-1)?.id ?? 0) }
    const params = { path, query }
    const page = await ask((api) => api.GET('/v2/agent/{projectId}/job/{id}/events.json', { params, signal }))
    events.push(...page.events)
    if (page.nextCursor === null) return events
  }
}

export function useEvents(projectId: string, job: Job): Live {
  const isActive = job.status === 'active'
  const hasTurn = useStreamTurn(isActive)
  const [isOpen, setOpen] = useState(false)
  const [live, setLive] = useState(noText)
  const kept = useQuery({
    ...eventsQuery(projectId, job.id),
    refetchInterval: isActive && !isOpen ? pause : false,
  })
  const { refetch } = kept
  // An end that no stream announced, a new message, an archived job.
  const seen = useRef(job.updatedAt)
  useEffect(() => {
    if (seen.current === job.updatedAt) return
    seen.current = job.updatedAt
    void refetch()
    // A run may have pushed.
    if (!isActive) void queries.invalidateQueries({ queryKey: ['pull', projectId] })
  }, [job.updatedAt, isActive, projectId, refetch])
  const isReady = kept.isSuccess
  useEffect(() => {
    if (!isActive || !hasTurn || !isReady) return undefined
    return openStream(projectId, job.id, {
      opened: setOpen,
      text: (piece) => setLive((before) => addPiece(before, piece)),
      turnEnded: () => setLive(noText),
    })
  }, [projectId, job.id, isActive, hasTurn, isReady])
  const retry = () => void refetch()
  return { events: kept.data, text: isActive ? live.text : '', error: kept.data ? null : kept.error, retry }
}

type Listener = {
  readonly opened: (isOpen: boolean) => void
  readonly text: (piece: TextPiece) => void
  readonly turnEnded: () => void
}

/** Returns a function that closes it. A stream that the service refuses stays closed: asking says why. */
function openStream(projectId: string, jobId: string, { opened, text, turnEnded }: Listener): () => void {
  const key = keyOf(projectId, jobId)
  const last = queries.getQueryData<readonly JobEvent[]>(key)?.at(-1)?.id ?? 0
  const source = new EventSource(`${prefix}v2/agent/${projectId}/job/${jobId}/events?lastEventId=${last}`)
  const close = () => {
    source.close()
    opened(false)
  }
  source.addEventListener('open', () => opened(true))
  source.addEventListener('text', ({ data }) => text(JSON.parse(String(data)) as TextPiece))
  for (const type of types) {
    source.addEventListener(type, ({ data }) => {
      const event = JSON.parse(String(data)) as JobEvent
      add(key, event)
      if (type === 'turn') turnEnded()
      if (type === 'phase' || type === 'turn' || type === 'job_ended') refreshJob(projectId, jobId)
      if (type === 'job_ended') close()
    })
  }
  // A browser does not show the status of a refusal. The session may have ended.
  source.addEventListener('error', () => {
    opened(false)
    if (source.readyState === EventSource.CLOSED) void queries.invalidateQueries({ queryKey: ['session'] })
  })
  return close
}

/** Events whose numbers were skipped, because a question was under way meanwhile, are asked for. */
function add(key: readonly string[], event: JobEvent): void {
  const known = queries.getQueryData<readonly JobEvent[]>(key) ?? []
  const expected = (known.at(-1)?.id ?? 0) + 1
  if (event.id === expected) queries.setQueryData<readonly JobEvent[]>(key, [...known, event])
  else if (event.id > expected) void queries.invalidateQueries({ queryKey: key })
}

function refreshJob(projectId: string, jobId: string): void {
  void queries.invalidateQueries({ queryKey: ['job', projectId, jobId], exact: true })
}
