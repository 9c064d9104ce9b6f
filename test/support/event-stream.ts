// A reader of server-sent events that follows the standard (WHATWG HTML, section 9.2.6) exactly. It shares no code with the
// service, so it misreads an event with invalid framing.

import type { EventResponse } from '../../src/jobs/events/events.ts'
import type { LiveText } from '../../src/jobs/events/live-text.ts'

export type Sent = { readonly lastEventId: string; readonly type: string; readonly data: string }

/** Parses all events of a text, as a browser would dispatch them. */
export function parseStream(text: string): readonly Sent[] {
  const reader = createReader()
  return reader.push(text.replace(/^\ufeff/, ''))
}

export function createReader() {
  const state = { rest: '', data: [] as string[], type: '', id: '', dispatchedId: '' }
  const comments: string[] = []
  const take = (line: string, events: Sent[]) => {
    if (line === '') {
      state.dispatchedId = state.id
      if (state.data.length > 0)
        events.push({
          lastEventId: state.dispatchedId,
          type: state.type === '' ? 'message' : state.type,
          data: state.data.join('\n'),
        })
      Object.assign(state, { data: [], type: '' })
      return
    }
    const colon = line.indexOf(':')
    if (colon === 0) {
      comments.push(line.slice(1))
      return
    }
    const field = colon < 0 ? line : line.slice(0, colon)
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '')
    if (field === 'event') state.type = value
    if (field === 'data') state.data.push(value)
    if (field === 'id' && !value.includes('\0')) state.id = value
  }
  return {
    comments,
    push: (text: string): readonly Sent[] => {
      const events: Sent[] = []
      state.rest += text
      for (;;) {
        const end = /\r\n|\n|\r(?!$)/.exec(state.rest)
        if (!end) return events
        take(state.rest.slice(0, end.index), events)
        state.rest = state.rest.slice(end.index + end[0].length)
      }
    },
  }
}

export type Stream = {
  readonly response: Response
  readonly events: EventResponse[]
  readonly texts: LiveText[]
  readonly comments: readonly string[]
  /** Resolves when `holds` returns true; rejects if the stream ends before. */
  until(holds: (stream: Stream) => boolean): Promise<void>
  /** Resolves when the service has ended the stream. */
  ended: Promise<void>
  /** Disconnects in the middle of the stream. */
  leave(): void
}

type Open = (init: RequestInit) => Promise<Response>

/** Opens the stream and reads it in the background. */
export async function follow(open: Open, after?: number): Promise<Stream> {
  const headers = { Accept: 'text/event-stream', ...(after === undefined ? {} : { 'Last-Event-ID': String(after) }) }
  const response = await open({ headers })
  const body = response.body?.getReader()
  const reader = createReader()
  const waiting = new Set<() => void>()
  const { promise, resolve } = Promise.withResolvers<void>()
  const stream: Stream & { isOver: boolean } = {
    response,
    events: [],
    texts: [],
    comments: reader.comments,
    isOver: false,
    ended: promise,
    leave: () => void body?.cancel().catch(() => undefined),
    until: async (holds) => {
      for (;;) {
        if (holds(stream)) return
        if (stream.isOver) throw new Error(`the stream ended: ${JSON.stringify(stream.events)}`)
        await new Promise<void>((resolve) => waiting.add(resolve))
      }
    },
  }
  const wake = () => {
    for (const one of waiting) one()
    waiting.clear()
  }
  void read(
    body,
    (text) => reader.push(text),
    (sent) => {
      for (const one of sent) keep(stream, one)
      wake()
    },
  ).finally(() => {
    stream.isOver = true
    wake()
    resolve()
  })
  return stream
}

async function read(
  body: ReadableStreamDefaultReader<Uint8Array> | undefined,
  parse: (text: string) => readonly Sent[],
  received: (sent: readonly Sent[]) => void,
): Promise<void> {
  const decoder = new TextDecoder()
  try {
    for (;;) {
      const next = await body?.read()
      if (!next || next.done) return
      received(parse(decoder.decode(next.value, { stream: true })))
    }
  } catch {
    // The test left, or the stream was cut off. The events before that count.
  }
}

function keep(stream: Stream, { lastEventId, type, data }: Sent): void {
  if (type === 'text') {
    stream.texts.push(JSON.parse(data) as LiveText)
    return
  }
  const event = JSON.parse(data) as EventResponse
  if (String(event.id) !== lastEventId || event.type !== type) throw new Error(`the frame of ${data} says otherwise`)
  stream.events.push(event)
}
