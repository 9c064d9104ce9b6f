// The headers that tell callers about the rate limits of a project (draft-ietf-httpapi-ratelimit-headers-11), on what
// was done and on what was refused.

import { type JobLimits, readJobLimit } from '../../jobs/limits.ts'
import type { AppContext, AppDeps } from '../context.ts'

type LimitState = Awaited<ReturnType<typeof readJobLimit>>

export function createJobLimits(limits: AppDeps['limits']): JobLimits {
  return {
    creates: { name: 'creates', quota: limits.createsPerHour },
    messages: { name: 'messages', quota: limits.messagesPerHour },
  }
}

/** Does `work`, which counts itself, and tells what is left then. */
export function tellingJobLimit<T>(
  c: AppContext,
  db: AppDeps['jobs']['db'],
  limit: JobLimits[keyof JobLimits],
  work: () => Promise<T>,
): Promise<T> {
  return tellingLimit(c, () => readJobLimit(db, limit, c.get('projectId')), work)
}

/** The same of any limit: `read` says what is left. */
export async function tellingLimit<T>(
  c: AppContext,
  read: () => Promise<LimitState>,
  work: () => Promise<T>,
): Promise<T> {
  const tell = async () => {
    const { name, quota, windowSeconds, remaining, secondsUntilReset } = await read()
    c.header('RateLimit', `"${name}";r=${remaining};t=${secondsUntilReset}`)
    c.header('RateLimit-Policy', `"${name}";q=${quota};w=${windowSeconds}`)
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
