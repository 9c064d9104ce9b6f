// The headers that tell callers about the rate limits of a project (draft-ietf-httpapi-ratelimit-headers-11), on what
// was done and on what was refused.

import { limitWindowSeconds, type RateLimit, readLimit } from '../jobs/limits.ts'
import type { AppContext, AppDeps } from './context.ts'

export type RateLimits = { readonly creates: RateLimit; readonly messages: RateLimit }

export function createRateLimits(limits: AppDeps['limits']): RateLimits {
  return {
    creates: { name: 'creates', quota: limits.createsPerHour },
    messages: { name: 'messages', quota: limits.messagesPerHour },
  }
}

/** Does `work`, which counts itself, and tells what is left then. */
export async function tellingLimit<T>(
  c: AppContext,
  db: AppDeps['jobs']['db'],
  limit: RateLimit,
  work: () => Promise<T>,
): Promise<T> {
  const tell = async () => {
    const { remaining, secondsUntilReset } = await readLimit(db, limit, c.get('projectId'))
    c.header('RateLimit', `"${limit.name}";r=${remaining};t=${secondsUntilReset}`)
    c.header('RateLimit-Policy', `"${limit.name}";q=${limit.quota};w=${limitWindowSeconds}`)
  }
  try {
    const done = await work()
    await tell()
    return done
  } catch (error) {
    // What went wrong matters more than what is left.
    await tell().catch(() => undefined)
    throw error
  }
}
