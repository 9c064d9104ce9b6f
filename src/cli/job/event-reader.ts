// Follows the events of a job from the outside: reads server-sent events, comes back after a cut with the id of the
// last event, and says so when only polling is left.

import type { EventResponse } from '../../jobs/events/events.ts'
import type { LiveText } from '../../jobs/events/live-text.ts'
import type { Clock } from '../../lib/clock.ts'
import { Failure } from '../../lib/failure.ts'
import type { Api, Streamed } from '../api/api.ts'

export type Told =
  | { readonly kind: 'event'; readonly event: EventResponse }
  | { readonly kind: 'text'; readonly text: LiveText }
  /** Nothing streams here: a server of an older release, a proxy that gathers answers, too many streams. */
  | { readonly kind: 'poll' }

export type Source = { readonly api: Api; readonly path: string; readonly clock: Clock }

/** Without a word for so long, the connection is given up; the server sends a comment every 15 s. */
const silentMs = 40_000
const firstPauseMs = 250
const longestPauseMs = 5_000
/** About half a minute without a service, as a restart takes. */
const mostFailures = 10

/** Ends with the last event of the job, or when `stop` is aborted. Throws when nothing answers any more. */
export async function* followEvents(source: Source, after: number, stop: AbortSignal): AsyncGenerator<Told, void> {
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
        const told = toTold(sent)
        if (told?.kind === 'event') {
          last = told.event.id
          isOver = told.event.type === 'job_ended' || told.event.type === 'archived'
        }
        if (told) yield told
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

/** The events of a stream, as far as it came (WHATWG HTML, section 9.2.6). What is cut in the middle does not count. */
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

/** Undefined for what a later release sends. */
function toTold({ event, data }: SentEvent): Told | undefined {
  if (event === 'text') return { kind: 'text', text: JSON.parse(data) as LiveText }
  return event === '' ? undefined : { kind: 'event', event: JSON.parse(data) as EventResponse }
}
