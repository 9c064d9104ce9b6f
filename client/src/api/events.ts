// Follows the events of a job: reads the stream, and connects again after the last event when a connection ends early.
// The ids of events count 1, 2, 3 within a job, so nothing is lost and nothing is yielded twice.

import { backoffMs } from '../pauses.ts'
import { type Connection, get, type JobPath, pathOf, patient } from './connection.ts'
import { DocentError, toError } from './error.ts'
import { createParser, type ServerSentEvent } from './event-stream.ts'
import { createLimit } from './send.ts'
import type { components } from './types.gen.ts'

export type JobEvent = components['schemas']['Event']
export type TextPiece = components['schemas']['TextPiece']

export type EventsOptions = {
  /** The id of the last event that you have. Default: 0, so all events so far come first. */
  readonly after?: number
  readonly signal?: AbortSignal
  /** Called with pieces of the model's text while it is generated. They are not kept: a reconnection may miss some. */
  readonly onText?: (piece: TextPiece) => void
}

/** The service sends a comment every 15 seconds, so a connection that is silent for longer is dead. */
const silentMs = 40_000
/** Streams in a row that ended without an event or a comment. Their pauses add up to more than a minute. */
const mostFruitless = 10

/**
 * Ends when the job is no longer active. Throws a `DocentError` when the service refuses or cannot be reached, and the
 * reason of `signal` when that is aborted.
 */
export async function* followEvents(
  connection: Connection,
  job: JobPath,
  { after = 0, signal = new AbortController().signal, onText }: EventsOptions = {},
): AsyncGenerator<JobEvent, void> {
  let last = after
  for (let fruitless = 0; fruitless < mostFruitless;) {
    const opened = await open(connection, job, last, signal)
    if (opened === undefined) return
    fruitless += 1
    let isEnded = false
    for await (const sent of readStream(opened, connection)) {
      // Comments prove that the service sends.
      if (sent !== 'comment' && sent.event === 'text') onText?.(parse(sent) as TextPiece)
      const event = sent === 'comment' || sent.event === 'text' ? undefined : toEvent(sent)
      if (event !== undefined && event.id > last) {
        last = event.id
        isEnded = event.type === 'job_ended' || event.type === 'archived'
        yield event
      }
      fruitless = 0
    }
    // The run of a later message may have begun: only the service knows whether this was the last event, and says it at once.
    if (!isEnded) await connection.clock.sleep(backoffMs(fruitless + 1), signal, 'held')
    signal.throwIfAborted()
  }
  throw new DocentError('The stream of events ends again and again without an event. Does a proxy cut or keep it?', {
    code: 'unreachable',
  })
}

type Opened = { readonly body: ReadableStream<Uint8Array>; readonly connected: AbortController }

/** Returns undefined if no more events will come. */
async function open(
  connection: Connection,
  job: JobPath,
  last: number,
  signal: AbortSignal,
): Promise<Opened | undefined> {
  const connected = new AbortController()
  const response = await get(patient(connection), `${pathOf(job)}/events`, {
    headers: { Accept: 'text/event-stream', 'Last-Event-ID': String(last) },
    signal: AbortSignal.any([signal, connected.signal]),
  })
  if (response.status === 204) return undefined
  if (response.ok && isEventStream(response) && response.body) return { body: response.body, connected }
  throw await toError(response, connection.clock.now())
}

function isEventStream({ headers }: Response): boolean {
  return /^text\/event-stream\b/.test(headers.get('Content-Type') ?? '')
}

/** Ends when the connection does, however it ends; the caller checks its own signal. Closes the connection. */
async function* readStream({ body, connected }: Opened, { clock }: Connection) {
  const reader = body.getReader()
  const parser = createParser()
  try {
    for (let chunks = 0; ; chunks += 1) {
      const limit = createLimit(clock, silentMs)
      limit.signal.addEventListener('abort', () => connected.abort(limit.signal.reason))
      const chunk = await reader
        .read()
        .catch(() => undefined)
        .finally(limit.end)
      if (chunk === undefined || chunk.done) return
      const events = readChunk(parser, chunk.value)
      yield* events
      // The first chunk may be the greeting alone.
      if (events.length === 0 && chunks > 0) yield 'comment' as const
    }
  } finally {
    connected.abort()
  }
}

function readChunk(parser: ReturnType<typeof createParser>, bytes: Uint8Array): readonly ServerSentEvent[] {
  try {
    return parser(bytes)
  } catch (cause) {
    throw invalid(cause)
  }
}

function toEvent(sent: ServerSentEvent): JobEvent {
  const event = parse(sent) as Partial<JobEvent> | null
  if (typeof event?.id !== 'number' || typeof event.type !== 'string') throw invalid(undefined)
  return event as JobEvent
}

function parse({ data }: ServerSentEvent): unknown {
  try {
    return JSON.parse(data)
  } catch (cause) {
    throw invalid(cause)
  }
}

function invalid(cause: unknown): DocentError {
  return new DocentError('The stream has something that is no event of a job.', { code: 'invalid_response', cause })
}
