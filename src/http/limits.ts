// Rate limits by project and hour, and the headers that tell callers about them (draft-ietf-httpapi-ratelimit-
// headers-11). Counted in memory: a restart forgives. Only what is done counts; refusals and replays are given back.

import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { Failure } from '../lib/failure.ts'
import type { AppContext } from './context.ts'

const limitWindowSeconds = 3_600

export type RateLimit = { readonly name: string; readonly quota: number; readonly store: RateLimiterMemory }
export type RateLimits = { readonly creates: RateLimit; readonly messages: RateLimit }

export function createRateLimits(limits: {
  readonly createsPerHour: number
  readonly messagesPerHour: number
}): RateLimits {
  return {
    creates: createLimit('creates', limits.createsPerHour),
    messages: createLimit('messages', limits.messagesPerHour),
  }
}

/** Does `work` within the limit of the project. Throws `rate_limited`. */
export async function withinLimit<T extends { readonly replayed: boolean }>(
  c: AppContext,
  limit: RateLimit,
  work: () => Promise<T>,
): Promise<T> {
  const project = c.get('project').id
  tell(c, limit, await take(c, limit, project))
  try {
    const done = await work()
    if (done.replayed) tell(c, limit, await limit.store.reward(project))
    return done
  } catch (error) {
    tell(c, limit, await limit.store.reward(project))
    throw error
  }
}

async function take(c: AppContext, limit: RateLimit, project: string): Promise<RateLimiterRes> {
  try {
    return await limit.store.consume(project)
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal
    tell(c, limit, refusal)
    const message = `This project has used up its ${limit.quota} ${limit.name} an hour.`
    throw new Failure('rate_limited', message, { retryAfter: secondsUntilReset(refusal) })
  }
}

function tell(c: AppContext, limit: RateLimit, state: RateLimiterRes): void {
  const remaining = Math.max(0, Math.min(limit.quota, state.remainingPoints))
  c.header('RateLimit', `"${limit.name}";r=${remaining};t=${secondsUntilReset(state)}`)
  c.header('RateLimit-Policy', `"${limit.name}";q=${limit.quota};w=${limitWindowSeconds}`)
}

function secondsUntilReset(state: RateLimiterRes): number {
  return Math.max(1, Math.ceil(state.msBeforeNext / 1_000))
}

function createLimit(name: string, quota: number): RateLimit {
  return { name, quota, store: new RateLimiterMemory({ keyPrefix: name, points: quota, duration: limitWindowSeconds }) }
}
