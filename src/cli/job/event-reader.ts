// Follows the events of a job over HTTP: reads server-sent events, reconnects with the id of the last event after a lost
// connection, and reports when the caller has to poll.

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
const firstPauseMs = 250
const longestPauseMs = 5_000
/** About half a minute without a response: a restart of the service takes that long. */
const mostFailures = 10

/** Ends with the last event of the job or when `stop` is aborted. Throws if the service no longer responds. */
export async function* followEvents(source: Source, after: number, stop: AbortSignal): AsyncGenerator<Update, void> {
  let last = after
  let isOver = false
  for (let failures = 0; !stop.aborted;) {
    const opened = await open(source, last, stop)
    if (stop.aborted || opened === 'over') return
    if (opened === 'poll') {
      yield { kind: 'poll' }
      return
    }
    let isHeard = false
    if (!(opened instanceof Failure)) {
      for await (const sent of parseEvents(opened.chunks(silentMs, stop))) {
        isHeard = true
        const update = toUpdate(sent)
        if (update?.kind === 'event') {
          last = update.event.id
          isOver = update.event.type === 'job_ended' || update.event.type === 'archived'
        }
        if (update) yield update
      }
    }
    if (isOver) return
    failures = isHeard ? 0 : failures + 1
    if (failures >= mostFailures) {
      if (opened instanceof Failure) throw opened
      yield { kind: 'poll' }
      return
    }
    await source.clock.sleep(Math.min(firstPauseMs * 2 ** failures, longestPauseMs), stop)
  }
}

type Opened = Streamed | Failure | 'over' | 'poll'

async function open({ api, path }: Source, last: number, stop: AbortSignal): Promise<Opened> {
  try {
    const headers = { Accept: 'text/event-stream', 'Last-Event-ID': String(last) }
    const streamed = await api.stream(`${path}/events`, headers, stop)
    if (streamed.status === 204) return 'over'
    if (streamed.status >= 500) return new Failure('unavailable', `The service responded with ${streamed.status}.`)
    return streamed.status === 200 ? streamed : 'poll'
  } catch (error) {
    if (error instanceof Failure) return error
    return new Failure('unavailable', 'The connection to the service was lost.', { cause: error })
  }
}

export type SentEvent = { readonly event: string; readonly data: string }

/** Parses the events of a stream (WHATWG HTML, section 9.2.6). An incomplete event at the end is dropped. */
export async function* parseEvents(chunks: AsyncIterable<string>): AsyncGenerator<SentEvent, void> {
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

/** Returns undefined for an event without a type, which only a later release would send. */
function toUpdate({ event, data }: SentEvent): Update | undefined {
  if (event === 'text') return { kind: 'text', text: JSON.parse(data) as LiveText }
  return event === '' ? undefined : { kind: 'event', event: JSON.parse(data) as EventResponse }
}
