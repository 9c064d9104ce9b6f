// Server-sent events as bytes (WHATWG HTML, section 9.2): framing, and an answer that is sent as its reader takes it.
// Knows nothing of jobs.

import type { Clock } from '../../lib/clock.ts'

export type Frame = { readonly id?: number; readonly event: string; readonly data: unknown }

/** Browsers come back after these milliseconds. */
const retryMs = 2_000
/** Sent at once, so that whoever asked sees that the stream is open. */
export const greeting = `retry: ${retryMs}\n\n`
/** A comment: nothing for the reader, something for whatever stands between and cuts what is silent. */
export const heartbeat = ':\n\n'

/** JSON has no line break of its own, so the data is one line whatever it holds. `event`: a name of ours. */
export function frame({ id, event, data }: Frame): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
}

/** A reader that takes nothing for so long is given up: it can come back. */
const stalledMs = 60_000

export type Sending = {
  readonly clock: Clock
  /** Aborted when the reader is to be let go. */
  readonly stop: AbortSignal
  /** Cuts the connection; for a reader that does not take what is sent. */
  readonly cut: () => void
  /** The last thing that happens, exactly once: the reader went away, or all is sent. */
  readonly ended: (error?: unknown) => void
}

/** Asks for a chunk when the one before is taken. An error ends the stream: whoever reads comes back and goes on. */
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
