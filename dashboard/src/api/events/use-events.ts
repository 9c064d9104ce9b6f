// Loads the stored events of a job, then adds new ones as they happen. The tab that holds the stream receives them from
// it; other tabs poll. Either way, events stay in order and no event is missing, because both sources resume after the last
// known event id.

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
  /** Stored events, in order; undefined until the first response arrives. */
  readonly events: readonly JobEvent[] | undefined
  /** The text of the turn that is being generated. */
  readonly text: string
  readonly error: Error | null
  readonly retry: () => void
}

/** A record, so that the type checker notices a missing type. */
const eventTypes = Object.keys({
  message: true,
  run_started: true,
  phase: true,
  progress: true,
  turn: true,
  results: true,
  context: true,
  run_retried: true,
  warning: true,
  run_ended: true,
  job_ended: true,
  archived: true,
} satisfies Record<JobEvent['type'], true>) as readonly JobEvent['type'][]
const pageSize = 1_000
/** Poll interval while there is no stream. */
const pollIntervalMs = 2_000

const keyOf = (projectId: string, jobId: string) => ['job', projectId, jobId, 'events'] as const

const eventsQuery = (projectId: string, jobId: string) =>
  queryOptions({
    queryKey: keyOf(projectId, jobId),
    queryFn: ({ signal }) => readNewer(projectId, jobId, signal),
    structuralSharing: false,
  })

/** Returns the cached events plus all newer ones. */
async function readNewer(projectId: string, jobId: string, signal: AbortSignal): Promise<readonly JobEvent[]> {
  const known = queries.getQueryData<readonly JobEvent[]>(keyOf(projectId, jobId)) ?? []
  try {
    return await readAfter(known, { projectId, id: jobId }, signal)
  } catch (error) {
    // The API returns 400 if our last id does not exist, for example after a restore from a backup. Start again from the
    // beginning.
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
  const holdsStream = useStreamTurn(isActive)
  const [isStreamOpen, setStreamOpen] = useState(false)
  const [live, setLive] = useState(noText)
  const stored = useQuery({
    ...eventsQuery(projectId, job.id),
    refetchInterval: isActive && !isStreamOpen ? pollIntervalMs : false,
  })
  const { refetch } = stored
  // Refetch when the job changes without a streamed event: it ended, got a message or was archived.
  const lastUpdatedAt = useRef(job.updatedAt)
  useEffect(() => {
    if (lastUpdatedAt.current === job.updatedAt) return
    lastUpdatedAt.current = job.updatedAt
    void refetch()
    // A run may have pushed.
    if (!isActive) void queries.invalidateQueries({ queryKey: ['pull', projectId] })
  }, [job.updatedAt, isActive, projectId, refetch])
  const isReady = stored.isSuccess
  useEffect(() => {
    if (!isActive || !holdsStream || !isReady) return undefined
    return openStream(projectId, job.id, {
      opened: setStreamOpen,
      text: (piece) => setLive((before) => addPiece(before, piece)),
      turnEnded: () => setLive(noText),
    })
  }, [projectId, job.id, isActive, holdsStream, isReady])
  const retry = () => void refetch()
  return { events: stored.data, text: isActive ? live.text : '', error: stored.data ? null : stored.error, retry }
}

type Listener = {
  readonly opened: (isStreamOpen: boolean) => void
  readonly text: (piece: TextPiece) => void
  readonly turnEnded: () => void
}

/**
 * Opens the event stream and returns a function that closes it. If the service refuses the stream, it is not reopened; the
 * next poll shows the reason.
 */
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
  for (const type of eventTypes) {
    source.addEventListener(type, ({ data }) => {
      const event = JSON.parse(String(data)) as JobEvent
      addEvent(key, event)
      if (type === 'turn') turnEnded()
      if (type === 'phase' || type === 'turn' || type === 'job_ended') refreshJob(projectId, jobId)
      if (type === 'job_ended') close()
    })
  }
  // `EventSource` hides the HTTP status. The refusal may be a 401, so check the session again.
  source.addEventListener('error', () => {
    opened(false)
    if (source.readyState === EventSource.CLOSED) void queries.invalidateQueries({ queryKey: ['session'] })
  })
  return close
}

/**
 * Appends the event. Refetches if ids are missing, which happens when a request was in flight. Ignores events that we
 * already have.
 */
function addEvent(key: readonly string[], event: JobEvent): void {
  const known = queries.getQueryData<readonly JobEvent[]>(key) ?? []
  const expected = (known.at(-1)?.id ?? 0) + 1
  if (event.id === expected) queries.setQueryData<readonly JobEvent[]>(key, [...known, event])
  else if (event.id > expected) void queries.invalidateQueries({ queryKey: key })
}

function refreshJob(projectId: string, jobId: string): void {
  void queries.invalidateQueries({ queryKey: ['job', projectId, jobId], exact: true })
}
