// Follows the events of a job over the API. Reconnects with the id of the last event when a connection drops, and yields
// `poll` when streaming is not possible.

import type { EventResponse } from '../../jobs/events/events.ts'
import type { LiveText } from '../../jobs/events/live-text.ts'
import type { Clock } from '../../lib/clock.ts'
import { Failure } from '../../lib/failure.ts'
import type { Api, Streamed } from '../api/api.ts'

export type Update =
  | { readonly kind: 'event'; readonly event: EventResponse }
  | { readonly kind: 'text'; readonly text: LiveText }
  /** The service does not stream: it is an older release, a proxy buffers responses, or too many streams are open. */
  | { readonly kind: 'poll' }

export type Source = { readonly api: Api; readonly path: string; readonly clock: Clock }

/** A connection without data for this long is closed. The server sends a comment every 15 s. */
const silentMs = 40_000
const basePauseMs = 250
const maxPauseMs = 5_000
/** Ten refused connections take about half a minute: enough for a restart of the service. */
const maxFailures = 10

/**
 * `after`: the id of the last event that the caller knows. Ends after the last event of the job, after `poll`, or when
 * `stop` is aborted. Throws the last failure when the service cannot be reached any more.
 */
export async function* followEvents(source: Source, after: number, stop: AbortSignal): AsyncGenerator<Update, void> {
  let last = after
  let hasEnded = false
  let failures = 0
  while (!stop.aborted) {
    const attempt = await open(source, last, stop)
    if (stop.aborted || attempt === 'no more events') return
    if (attempt === 'poll') {
      yield { kind: 'poll' }
      return
    }
    let hasReceived = false
    if (!(attempt instanceof Failure)) {
      for await (const raw of parseEvents(attempt.chunks(silentMs, stop))) {
        hasReceived = true
        const update = toUpdate(raw)
        if (update?.kind === 'event') {
          last = update.event.id
          hasEnded = update.event.type === 'job_ended' || update.event.type === 'archived'
        }
        if (update) yield update
      }
    }
    if (hasEnded) return
    failures = hasReceived ? 0 : failures + 1
    if (failures >= maxFailures) {
      if (attempt instanceof Failure) throw attempt
      yield { kind: 'poll' }
      return
    }
    await source.clock.sleep(Math.min(basePauseMs * 2 ** failures, maxPauseMs), stop)
  }
}

type Attempt = Streamed | Failure | 'no more events' | 'poll'

async function open({ api, path }: Source, last: number, stop: AbortSignal): Promise<Attempt> {
  try {
    const headers = { Accept: 'text/event-stream', 'Last-Event-ID': String(last) }
    const streamed = await api.stream(`${path}/events`, headers, stop)
    if (streamed.status === 204) return 'no more events'
    if (streamed.status >= 500) return new Failure('unavailable', `The service responded with ${streamed.status}.`)
    return streamed.status === 200 ? streamed : 'poll'
  } catch (error) {
    if (error instanceof Failure) return error
    return new Failure('unavailable', 'The connection to the service was lost.', { cause: error })
  }
}

export type ServerSentEvent = { readonly event: string; readonly data: string }

/** Parses the events of a stream (WHATWG HTML, section 9.2.6). An incomplete event at the end is dropped. */
async function* parseEvents(chunks: AsyncIterable<string>): AsyncGenerator<ServerSentEvent, void> {
  let rest = ''
  let event = ''
  let data: string[] = []
  for await (const chunk of chunks) {
    rest += chunk
    // A carriage return at the very end may be half of a line break.
    const lines = rest.split(/\r\n|\n|\r(?!$)/)
    rest = lines.pop() ?? ''
    for (const line of lines) {
      const [, field = '', value = ''] = /^([^:]*)(?:: ?([\s\S]*))?$/.exec(line) ?? []
      if (field === 'event') event = value
      if (field === 'data') data.push(value)
      if (line !== '') continue
      if (data.length > 0) yield { event, data: data.join('\n') }
      event = ''
      data = []
    }
  }
}

/** Returns undefined for an event without a name, which the service never sends. */
function toUpdate({ event, data }: ServerSentEvent): Update | undefined {
  if (event === 'text') return { kind: 'text', text: JSON.parse(data) as LiveText }
  return event === '' ? undefined : { kind: 'event', event: JSON.parse(data) as EventResponse }
}
