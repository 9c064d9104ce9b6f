// Sends a request, and sends it again when that is safe and may help: the service is busy or away, and the request reads
// or carries an `Idempotency-Key`, under which the service acts once. Knows no operation.

import type { Clock } from '../clock.ts'
import { backoffMs, retryAfterMs } from '../pauses.ts'
import { unreachable } from './error.ts'

export type Sending = {
  readonly fetch: typeof globalThis.fetch
  readonly clock: Clock
  /** The most attempts, the first one included. */
  readonly attempts: number
  /** The timeout of one attempt, in milliseconds: until the headers arrive, and the body if it is JSON. */
  readonly timeoutMs: number
}

const passing: readonly number[] = [429, 502, 503, 504]
/** A response that asks for a longer wait, such as that of an hourly limit, is returned instead. */
const longestWaitMs = 60_000

/**
 * Returns the last response, whatever its status. Throws a `DocentError` if there is no response, and the reason of the
 * request's signal when that is aborted.
 */
export async function send(request: Request, sending: Sending): Promise<Response> {
  const { clock, attempts } = sending
  const isSafe = ['GET', 'HEAD'].includes(request.method) || request.headers.has('Idempotency-Key')
  for (let tries = 1; ; tries += 1) {
    const outcome = await attempt(request, sending)
    const wait = await waitOf(outcome, request, clock.now())
    if (wait === undefined || !isSafe || tries >= attempts || wait > longestWaitMs) {
      if (outcome instanceof Response) return outcome
      throw unreachable(request.url, outcome.cause)
    }
    // Frees the connection.
    if (outcome instanceof Response) await outcome.body?.cancel()
    await clock.sleep(Math.max(wait, backoffMs(tries)), request.signal, 'held')
    request.signal.throwIfAborted()
  }
}

type Lost = { readonly cause: unknown }

/** Returns `Lost` if there is no response, or one whose JSON breaks off. Throws only when the caller aborts. */
async function attempt(request: Request, { fetch, clock, timeoutMs }: Sending): Promise<Response | Lost> {
  const limit = createLimit(clock, timeoutMs)
  try {
    const response = await fetch(request.clone(), { signal: AbortSignal.any([request.signal, limit.signal]) })
    const isJson = /\bjson\b/.test(response.headers.get('Content-Type') ?? '')
    if (!isJson || response.body === null) return response
    const { status, statusText, headers } = response
    return new Response(await response.arrayBuffer(), { status, statusText, headers })
  } catch (cause) {
    request.signal.throwIfAborted()
    return { cause }
  } finally {
    limit.end()
  }
}

/** A signal that is aborted after a time, unless `end` is called before. */
export function createLimit(clock: Clock, ms: number): { readonly signal: AbortSignal; readonly end: () => void } {
  const limit = new AbortController()
  const done = new AbortController()
  const count = async () => {
    await clock.sleep(ms, done.signal, 'held')
    if (!done.signal.aborted) limit.abort(new DOMException(`nothing arrived in ${ms / 1_000} s`, 'TimeoutError'))
  }
  void count()
  return { signal: limit.signal, end: () => done.abort() }
}

/** Returns the milliseconds to wait at least; undefined if another attempt would have the same outcome. */
async function waitOf(outcome: Response | Lost, { headers }: Request, now: number): Promise<number | undefined> {
  if (!(outcome instanceof Response)) return 0
  // The attempt whose response was lost is still being processed.
  const isInFlight = outcome.status === 409 && headers.has('Idempotency-Key') && (await hasCodeInFlight(outcome))
  if (!isInFlight && !passing.includes(outcome.status)) return undefined
  return retryAfterMs(outcome.headers.get('Retry-After'), now)
}

async function hasCodeInFlight(response: Response): Promise<boolean> {
  const { code } = (await response
    .clone()
    .json()
    .catch(() => ({}))) as { readonly code?: unknown }
  return code === 'request_in_flight'
}
