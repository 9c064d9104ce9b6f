// Server-sent events as bytes (WHATWG HTML, section 9.2): framing, and a body that is sent as fast as its reader reads.
// Knows nothing of jobs.

import type { Clock } from '../../lib/clock.ts'

export type Frame = { readonly id?: number; readonly event: string; readonly data: unknown }

/** Browsers reconnect after this time. */
const retryMs = 2_000
/** Sent at once, so that the client sees that the stream is open. */
export const greeting = `retry: ${retryMs}\n\n`
/** A comment. Readers ignore it; proxies that close silent connections do not. */
export const heartbeat = ':\n\n'

/** JSON has no line break of its own, so the data is one line whatever it holds. `event`: a name of ours. */
export function frame({ id, event, data }: Frame): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
}

/** A reader that reads nothing for this long is disconnected. It can resume. */
const stalledMs = 60_000

export type Sending = {
  readonly clock: Clock
  /** Aborted when all streams must end. */
  readonly stop: AbortSignal
  /** Cuts the connection of a reader that reads nothing. */
  readonly cut: () => void
  /** Called exactly once, at the end: the reader left, or everything is sent. */
  readonly ended: (error?: unknown) => void
}

/** Pulls a chunk when the previous one is read. An error ends the stream; the reader reconnects and resumes. */
export function toBody(chunks: AsyncGenerator<string, void>, sending: Sending): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let waiting = new AbortController()
  let isEnded = false
  const end = (error?: unknown) => {
    waiting.abort()
    sending.stop.removeEventListener('abort', cutWaiting)
    if (!isEnded) sending.ended(error)
    isEnded = true
  }
  const cutWaiting = () => {
    if (!waiting.signal.aborted) sending.cut()
  }
  waiting.abort()
  sending.stop.addEventListener('abort', cutWaiting)
  return new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      waiting.abort()
      try {
        const next = await chunks.next()
        if (isEnded) return
        if (next.done) {
          end()
          return controller.close()
        }
        controller.enqueue(encoder.encode(next.value))
        waiting = new AbortController()
        void cutLater(sending, waiting.signal)
      } catch (error) {
        end(error)
        controller.close()
      }
    },
    cancel: async () => {
      end()
      await chunks.return()
    },
  })
}

async function cutLater({ clock, cut }: Sending, taken: AbortSignal): Promise<void> {
  await clock.sleep(stalledMs, taken)
  if (!taken.aborted) cut()
}
