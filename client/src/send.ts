// Sends one batch to the service and retries on failure; the ids in the batch make a repetition harmless. Knows nothing
// of the queue. Never rejects.

import type { Clock } from './clock.ts'
import { backoffMs, retryAfterMs } from './pauses.ts'
import type { Problem } from './problem.ts'
import { reasonOf } from './reason.ts'

export type Sending = {
  readonly endpoint: string
  readonly key: string
  readonly fetch: typeof globalThis.fetch
  readonly clock: Clock
  readonly timeoutMs: number
  readonly report: (problem: Problem) => void
  /** Aborted when the recorder closes; a waiting batch is then sent at once. */
  readonly hurry: AbortSignal
  /** Aborted at the deadline of closing; sending then stops. */
  readonly end: AbortSignal
}

/** Page views in neither count were given up. */
export type Sent = { readonly accepted: number; readonly rejected: number }

type Outcome =
  | { readonly kind: 'taken'; readonly rejected: number }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'away'; readonly reason: string; readonly afterMs: number; readonly isLikelyToLast: boolean }

/** An unreachable service returns; one that fails ten times at the same batch will fail again. */
const triesOfFailing = 10
const passing: readonly number[] = [408, 425, 429, 502, 503, 504]

/** `lines` are NDJSON, each with an id. */
export async function send(lines: readonly string[], sending: Sending): Promise<Sent> {
  const { report, clock, hurry, end } = sending
  const body = lines.join('\n')
  for (let tries = 1; !end.aborted; tries += 1) {
    const outcome = await post(body, sending)
    if (outcome.kind === 'taken') return { accepted: lines.length - outcome.rejected, rejected: outcome.rejected }
    if (outcome.kind === 'refused' || (outcome.isLikelyToLast && tries >= triesOfFailing)) {
      report({ kind: 'refused', reason: outcome.reason, count: lines.length })
      return { accepted: 0, rejected: lines.length }
    }
    report({ kind: 'away', reason: outcome.reason })
    await clock.sleep(Math.max(outcome.afterMs, backoffMs(tries)), hurry.aborted ? end : hurry)
  }
  return { accepted: 0, rejected: 0 }
}

async function post(body: string, { endpoint, key, fetch, timeoutMs, clock, end }: Sending): Promise<Outcome> {
  try {
    const response = await fetch(endpoint, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/x-ndjson' },
      body,
      // A redirected POST may arrive as a GET.
      redirect: 'manual',
      signal: AbortSignal.any([end, AbortSignal.timeout(timeoutMs)]),
    })
    if (response.status === 202) return { kind: 'taken', rejected: await countRejected(response) }
    return await judge(response, clock.now())
  } catch (error) {
    return { kind: 'away', reason: reasonOf(error), afterMs: 0, isLikelyToLast: false }
  }
}

/** Counts the rejected page views. The batch is stored even if the response body cannot be read. */
async function countRejected(response: Response): Promise<number> {
  try {
    const { rejected } = (await response.json()) as { readonly rejected?: readonly unknown[] }
    return rejected?.length ?? 0
  } catch {
    return 0
  }
}

async function judge(response: Response, now: number): Promise<Outcome> {
  const { status } = response
  const reason = `it answered ${status}${await detailOf(response)}`
  if (status < 500 && !passing.includes(status)) return { kind: 'refused', reason }
  const afterMs = retryAfterMs(response.headers.get('Retry-After'), now)
  return { kind: 'away', reason, afterMs, isLikelyToLast: !passing.includes(status) }
}

/** Reads the whole body too, which frees the connection for the next batch. */
async function detailOf(response: Response): Promise<string> {
  try {
    const { detail } = JSON.parse(await response.text()) as { readonly detail?: unknown }
    return typeof detail === 'string' ? `: ${detail.slice(0, 300)}` : ''
  } catch {
    return ''
  }
}
