// The `fetch` that every provider's library uses. A redirect is an error: it would carry the conversation to another
// host. A server that falls silent is cut off, before its first byte or after it, and neither an event without an end nor
// a huge error page fills the memory.

import { Failure } from '../../lib/failure.ts'
import { TimeLimitReached } from './model-failure.ts'

export type FetchLimits = {
  /** The longest wait for the next byte, from the request on; many providers send keep-alives while a model thinks. */
  readonly idleMs: number
  /** The longest line, which is the longest event. */
  readonly lineBytes: number
  /** The part of an error response that is read. */
  readonly errorBytes: number
}

export const sizeLimits = { lineBytes: 16_000_000, errorBytes: 1_000_000 } as const satisfies Partial<FetchLimits>

/** The address and the `Date` header of a response. */
export type ReportDate = (response: { readonly url: string; readonly date: string | null }) => void

/**
 * Throws, or ends the body with, `model_not_configured`, `model_unavailable` (`TimeLimitReached`) or `model_refused`.
 */
export function createGuardedFetch(limits: FetchLimits, report?: ReportDate): typeof fetch {
  return async (input, init) => {
    const response = await fetchInTime(input, init, limits.idleMs)
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

type FetchInput = Parameters<typeof fetch>[0]

/** Resolves with the head of the response. Throws `TimeLimitReached` when it does not arrive in time. */
async function fetchInTime(input: FetchInput, init: RequestInit = {}, idleMs: number): Promise<Response> {
  const idle = new AbortController()
  const timer = setTimeout(() => idle.abort(silent(idleMs)), idleMs)
  const signal = init.signal ? AbortSignal.any([init.signal, idle.signal]) : idle.signal
  const patient: object = { dispatcher: withoutTimeouts }
  try {
    return await fetch(input, { ...init, ...patient, signal, redirect: 'manual' })
  } finally {
    clearTimeout(timer)
  }
}

type Dispatch = (options: object, handler: object) => boolean

/** Where Node.js keeps the dispatcher of its own `fetch`, which may be that of a proxy. */
const globalDispatcher = Symbol.for('undici.globalDispatcher.1')

/**
 * Passes requests on to the dispatcher of Node.js without its own limits of 300 seconds for the head of a response and for
 * each pause in it, which would hide a longer limit of ours.
 */
const withoutTimeouts: { readonly dispatch: Dispatch } = {
  dispatch: (options, handler) => {
    const { [globalDispatcher]: own } = globalThis as unknown as Readonly<
      Record<symbol, { readonly dispatch: Dispatch }>
    >
    if (!own) throw new Error('this Node.js has no dispatcher for fetch')
    return own.dispatch({ ...options, headersTimeout: 0, bodyTimeout: 0 }, handler)
  },
}

const lineFeed = 10

function guardEvents({ idleMs, lineBytes }: FetchLimits): TransformStream<Uint8Array, Uint8Array> {
  let timer: NodeJS.Timeout | undefined
  let line = 0
  const restart = (controller: TransformStreamDefaultController<Uint8Array>) => {
    clearTimeout(timer)
    timer = setTimeout(() => controller.error(silent(idleMs)), idleMs)
  }
  return new TransformStream({
    start: restart,
    transform(chunk, controller) {
      clearTimeout(timer)
      const end = chunk.lastIndexOf(lineFeed)
      line = end === -1 ? line + chunk.length : chunk.length - end - 1
      if (line > lineBytes) return controller.error(tooLarge(lineBytes))
      restart(controller)
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
  return new TimeLimitReached(`its server sent nothing for ${ms / 1_000} seconds`, 'DOCENT_MODEL_IDLE_TIMEOUT')
}

/** `limit`: characters or bytes. */
export function tooLarge(limit: number): Failure {
  return new Failure('model_refused', `The model's answer is larger than ${limit / 1_000_000} MB.`)
}
