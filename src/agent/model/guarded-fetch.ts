// The `fetch` that every provider's library uses. A redirect is an error: it would carry the conversation to another
// host. A response that falls silent ends, and neither an event without an end nor a huge error page fills the memory.

import { Failure } from '../../lib/failure.ts'

export type FetchLimits = {
  /** The longest pause within a response after its first byte; providers send keep-alives while a model thinks. */
  readonly silenceMs: number
  /** The longest line, which is the longest event. */
  readonly lineBytes: number
  /** The part of an error response that is read. */
  readonly errorBytes: number
}

export const fetchLimits: FetchLimits = { silenceMs: 60_000, lineBytes: 16_000_000, errorBytes: 1_000_000 }

/** The address and the `Date` header of a response. */
export type ReportDate = (response: { readonly url: string; readonly date: string | null }) => void

/** Throws, or ends the body with, `model_not_configured`, `model_unavailable` or `model_refused`. */
export function createGuardedFetch(limits: FetchLimits, report?: ReportDate): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, { ...init, redirect: 'manual' })
    const { status, statusText, headers, body } = response
    report?.({ url: response.url, date: headers.get('Date') })
    if (status >= 300 && status < 400) {
      await body?.cancel()
      throw new Failure(
        'model_not_configured',
        `The model's server redirects to another address (${status}). Redirects are not followed: set the final address as the base URL.`,
      )
    }
    const guarded = body?.pipeThrough(response.ok ? guardEvents(limits) : cutAfter(limits.errorBytes))
    return new Response(guarded ?? null, { status, statusText, headers })
  }
}

const lineFeed = 10

function guardEvents({ silenceMs, lineBytes }: FetchLimits): TransformStream<Uint8Array, Uint8Array> {
  let timer: NodeJS.Timeout | undefined
  let line = 0
  return new TransformStream({
    transform(chunk, controller) {
      clearTimeout(timer)
      const end = chunk.lastIndexOf(lineFeed)
      line = end === -1 ? line + chunk.length : chunk.length - end - 1
      if (line > lineBytes) return controller.error(tooLarge(lineBytes))
      timer = setTimeout(() => controller.error(silent(silenceMs)), silenceMs)
      controller.enqueue(chunk)
    },
    flush: () => clearTimeout(timer),
    cancel: () => clearTimeout(timer),
  })
}

function cutAfter(bytes: number): TransformStream<Uint8Array, Uint8Array> {
  let left = bytes
  return new TransformStream({
    transform(chunk, controller) {
      controller.enqueue(chunk.subarray(0, left))
      left -= chunk.length
      if (left <= 0) controller.terminate()
    },
  })
}

function silent(ms: number): Failure {
  return new Failure('model_unavailable', `The model timed out: its answer fell silent for ${ms / 1_000} seconds.`)
}

/** `limit`: characters or bytes. */
export function tooLarge(limit: number): Failure {
  return new Failure('model_refused', `The model's answer is larger than ${limit / 1_000_000} MB.`)
}
