// The headers that show callers the rate limits of a project (draft-ietf-httpapi-ratelimit-headers-11), on responses
// and refusals alike. Counting happens where the work is done.

import type { LimitState } from '../../requests/rate-limits.ts'
import type { AppContext } from '../context.ts'

/** Does `work`, which counts itself, then sets the headers. `read` returns what is left. */
export async function withRateLimitHeaders<T>(
  c: AppContext,
  read: () => Promise<LimitState>,
  work: () => Promise<T>,
): Promise<T> {
  const setHeaders = async () => {
    const { name, quota, windowSeconds, remaining, secondsUntilReset } = await read()
    c.header('RateLimit', `"${name}";r=${remaining};t=${secondsUntilReset}`)
    c.header('RateLimit-Policy', `"${name}";q=${quota};w=${windowSeconds}`)
  }
  try {
    const done = await work()
    await setHeaders()
    return done
  } catch (error) {
    // The first error matters more than a failure to read the limit.
    await setHeaders().catch(() => undefined)
    throw error
  }
}
