// Waits until a job is no longer active: asks for it again and again, at the pace that the service names. A job that did
// not change costs a 304.

import { retryAfterMs } from '../pauses.ts'
import { type Connection, get, type JobPath, pathOf, patient } from './connection.ts'
import { DocentError, toError } from './error.ts'
import { createLimit } from './send.ts'
import type { components } from './types.gen.ts'

export type Job = components['schemas']['Job']

export type WaitOptions = {
  readonly signal?: AbortSignal
  /** The longest wait in milliseconds. Default: one hour. */
  readonly timeoutMs?: number
  /** Called with the job at first, and after each change. */
  readonly onUpdate?: (job: Job) => void
}

const hourMs = 3_600_000
/** For a response without `Retry-After`. */
const pollMs = 2_000

/**
 * Returns the job when it is completed, failed or archived. A job that waits for an answer is completed, with the outcome
 * `needs_input` and the question in `result`. Throws a `DocentError`, with the code `timeout` when the time is over, and
 * the reason of `signal` when that is aborted.
 */
export async function waitForJob(
  connection: Connection,
  path: JobPath,
  { signal = new AbortController().signal, timeoutMs = hourMs, onUpdate }: WaitOptions = {},
): Promise<Job> {
  const { clock } = connection
  const limit = createLimit(clock, timeoutMs)
  const end = AbortSignal.any([signal, limit.signal])
  try {
    for (let etag: string | null = null; ;) {
      const response = await get(patient(connection), pathOf(path), {
        headers: etag === null ? {} : { 'If-None-Match': etag },
        signal: end,
      })
      if (response.status !== 304) {
        const job = await toJob(response, clock.now())
        etag = response.headers.get('ETag')
        onUpdate?.(job)
        if (job.status !== 'active') return job
      }
      const wait = retryAfterMs(response.headers.get('Retry-After'), clock.now()) || pollMs
      await clock.sleep(wait, end, 'held')
      end.throwIfAborted()
    }
  } catch (error) {
    signal.throwIfAborted()
    if (!limit.signal.aborted) throw error
    throw new DocentError(`The job is still active after ${timeoutMs / 1_000} s.`, { code: 'timeout', cause: error })
  } finally {
    limit.end()
  }
}

async function toJob(response: Response, now: number): Promise<Job> {
  const job = response.ok
    ? ((await response
        .clone()
        .json()
        .catch(() => undefined)) as Partial<Job> | undefined)
    : undefined
  if (typeof job?.status === 'string') return job as Job
  throw await toError(response, now)
}
