// The events of a job: as a stream that goes on until the job ends, or as a page of what is kept.

import type { EventView } from '../../../jobs/events/events.ts'
import type { FeedItem } from '../../../jobs/events/feed.ts'
import { type EventsState, pageEvents, readEventsState } from '../../../jobs/events/list.ts'
import { stillKnown } from '../../request/auth.ts'
import { type App, type AppContext, type AppDeps, bindingsOf } from '../../context.ts'
import { listEventsRoute } from './contract.ts'
import { frame, greeting, heartbeat, toBody } from '../../response/event-stream.ts'
import { preferredType } from '../../request/negotiation.ts'
import { createStreamLimit, type StreamLimit } from '../../response/stream-limit.ts'
import { invalidInput } from '../../request/validation.ts'

const streamHeaders = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-store',
  // nginx would gather the stream otherwise.
  'X-Accel-Buffering': 'no',
}

export function addEventRoutes(app: App, deps: AppDeps): void {
  const limit = createStreamLimit()
  app.openapi(listEventsRoute, async (c) => {
    const { projectId, id: jobId } = c.req.valid('param')
    const query = c.req.valid('query')
    const state = await readEventsState(deps.jobs, projectId, jobId)
    const after = lastEventId(c, query.lastEventId, state)
    c.header('Vary', 'Accept')
    if (preferredType(c.req.header('Accept'), ['text/event-stream', 'application/json']) === 'application/json') {
      const { limit, cursor } = query
      return c.json(await pageEvents(deps.jobs, { jobId, after, limit, cursor }), 200)
    }
    if (!state.isActive && after === state.last) return c.body(null, 204)
    if (c.req.method === 'HEAD') return c.body(null, 200, streamHeaders)
    return c.body(openStream(c, deps, { jobId, after, limit }), 200, streamHeaders)
  })
}

type Opening = { readonly jobId: string; readonly after: number; readonly limit: StreamLimit }

function openStream(c: AppContext, deps: AppDeps, { jobId, after, limit }: Opening): ReadableStream<Uint8Array> {
  const free = limit.take(c.get('projectId'))
  const gone = new AbortController()
  const requestId = c.get('requestId')
  const following = { jobId, after, publicUrl: deps.publicUrl }
  const chunks = toChunks(deps.events.follow(following, gone.signal), stillKnown(c, deps.identify))
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

/** Ends where a key was revoked or ran out meanwhile: looked at with every heartbeat. */
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
  const event: EventView = item.event
  return frame({ id: event.id, event: event.type, data: event })
}

/** The header, which browsers send when they come back, before the parameter of the address that they began with. */
function lastEventId(c: AppContext, parameter: string | undefined, { last }: EventsState): number {
  const header = c.req.header('Last-Event-ID')
  const [text, pointer] = header ? [header, '#/header/Last-Event-ID'] : [parameter, '#/query/lastEventId']
  if (text === undefined || text === '') return 0
  if (!/^\d{1,9}$/.test(text)) throw invalidInput(pointer, 'must be the id of an event')
  if (Number(text) <= last) return Number(text)
  // A database that was restored from a backup knows less than its followers.
  throw invalidInput(pointer, 'is beyond the newest event of this job; begin again without it')
}
