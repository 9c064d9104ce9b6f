// Serves the events of a job: as a stream until the job ends, or as a page of stored events.

import { invalidInput } from '../../../lib/failure.ts'
import type { z } from '@hono/zod-openapi'
import type { EventResponse } from '../../../jobs/events/events.ts'
import type { FeedItem } from '../../../jobs/events/feed.ts'
import { pageEvents } from '../../../jobs/events/list.ts'
import { getJob } from '../../../jobs/store.ts'
import { stillKnown } from '../../request/auth.ts'
import { type App, type AppContext, type AppDeps, bindingsOf } from '../../context.ts'
import { listEventsRoute, streamEventsRoute } from './contract.ts'
import { eventsQuery } from './schemas.ts'
import { frame, greeting, heartbeat, toBody } from '../../response/event-stream.ts'
import { preferredType } from '../../request/negotiation.ts'
import { createStreamLimit, type StreamLimit } from '../../response/stream-limit.ts'
import { invalidFinding } from '../../request/validation.ts'

const streamHeaders = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-store',
  // Without it, nginx buffers the stream.
  'X-Accel-Buffering': 'no',
}

export function addEventRoutes(app: App, deps: AppDeps): void {
  const limit = createStreamLimit()
  app.openapi(streamEventsRoute, async (c) => {
    const { projectId, id: jobId } = c.req.valid('param')
    c.header('Vary', 'Accept')
    // Not in the document: this path served the page before the page had its own, and older callers still request it.
    if (preferredType(c.req.header('Accept'), ['text/event-stream', 'application/json']) === 'application/json') {
      return respondPage(c, deps, { projectId, jobId, ...readPageQuery(c) })
    }
    const job = await getJob(deps.jobs.db, projectId, jobId)
    const after = lastEventId(c, c.req.valid('query').lastEventId, job.last_event)
    if (job.status !== 'active' && after === job.last_event) return c.body(null, 204)
    if (c.req.method === 'HEAD') return c.body(null, 200, streamHeaders)
    return c.body(openStream(c, deps, { jobId, after, limit }), 200, streamHeaders)
  })
  app.openapi(listEventsRoute, (c) => {
    const { projectId, id: jobId } = c.req.valid('param')
    return respondPage(c, deps, { projectId, jobId, ...c.req.valid('query') })
  })
}

type PageRequest = z.infer<typeof eventsQuery> & { readonly projectId: string; readonly jobId: string }

async function respondPage(c: AppContext, { jobs }: AppDeps, { projectId, jobId, ...query }: PageRequest) {
  const { last_event: last } = await getJob(jobs.db, projectId, jobId)
  const after = lastEventId(c, query.lastEventId, last)
  return c.json(await pageEvents(jobs, { jobId, after, limit: query.limit, cursor: query.cursor }), 200)
}

function readPageQuery(c: AppContext): z.infer<typeof eventsQuery> {
  const parsed = eventsQuery.safeParse(c.req.query())
  if (parsed.success) return parsed.data
  throw invalidFinding('query', parsed.error)
}

type Opening = { readonly jobId: string; readonly after: number; readonly limit: StreamLimit }

function openStream(c: AppContext, deps: AppDeps, { jobId, after, limit }: Opening): ReadableStream<Uint8Array> {
  const free = limit.take(c.get('projectId'))
  const gone = new AbortController()
  const requestId = c.get('requestId')
  const following = { jobId, after, publicUrl: deps.publicUrl }
  const chunks = toChunks(deps.events.follow(following, gone.signal), stillKnown(c))
  return toBody(chunks, {
    clock: deps.jobs.clock,
    stop: deps.events.closed,
    cut: () => bindingsOf(c).incoming?.socket.destroy(),
    ended: (error) => {
      free()
      gone.abort()
      if (error !== undefined) deps.log.warn({ err: error, requestId, jobId }, 'a stream of events was ended')
    },
  })
}

/** Checks the key with every heartbeat, and ends if it was revoked or has expired. */
async function* toChunks(
  items: AsyncGenerator<FeedItem, void>,
  isKnown: () => Promise<boolean>,
): AsyncGenerator<string, void> {
  yield greeting
  for await (const item of items) {
    if (item.kind === 'heartbeat' && !(await isKnown())) return
    yield toChunk(item)
  }
}

function toChunk(item: FeedItem): string {
  if (item.kind === 'heartbeat') return heartbeat
  if (item.kind === 'text') return frame({ event: 'text', data: item.text })
  const event: EventResponse = item.event
  return frame({ id: event.id, event: event.type, data: event })
}

/** The header, which browsers send when they reconnect, wins over the parameter in their first address. */
function lastEventId(c: AppContext, parameter: string | undefined, last: number): number {
  const header = c.req.header('Last-Event-ID')
  const [text, pointer] = header ? [header, '#/header/Last-Event-ID'] : [parameter, '#/query/lastEventId']
  if (text === undefined || text === '') return 0
  if (!/^\d{1,9}$/.test(text)) throw invalidInput(pointer, 'must be the id of an event')
  if (Number(text) <= last) return Number(text)
  // A database that was restored from a backup may have fewer events than its readers.
  throw invalidInput(pointer, 'is beyond the newest event of this job; begin again without it')
}
