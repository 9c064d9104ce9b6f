// Rate limits by hour and by project or caller, counted in the database for all servers together. Work that runs in a
// transaction is counted in that transaction, so a refusal, a replay or a crash is never counted, and work never happens
// uncounted.

import { CompiledQuery, sql } from 'kysely'
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import { Failure } from '../lib/failure.ts'
import type { Db } from '../postgres/types.ts'

export const limitWindowSeconds = 3_600

export type RateLimit = {
  readonly name: 'creates' | 'messages' | 'exports'
  readonly quota: number
  /** Says who has used it up. Default: this project. */
  readonly refuse?: (retryAfter: number) => string
}
export type LimitState = RateLimit & {
  readonly windowSeconds: number
  readonly remaining: number
  readonly secondsUntilReset: number
}

/**
 * Counts one use of a project or a caller, and returns what is left. Throws `rate_limited`. Inside a transaction, other
 * requests of the same wait here until it ends.
 */
export async function consume(db: Db, limit: RateLimit, subject: string): Promise<LimitState> {
  try {
    return toState(limit, await openLimiter(db, limit).consume(subject))
  } catch (refused) {
    if (!(refused instanceof RateLimiterRes)) throw refused
    throw refusalOf(limit, toState(limit, refused).secondsUntilReset)
  }
}

export function refusalOf({ name, quota, refuse }: RateLimit, retryAfter: number): Failure {
  const message = refuse?.(retryAfter) ?? `This project has used up its ${quota} ${name} an hour.`
  return new Failure('rate_limited', message, { retryAfter })
}

/** Counts uses that are known only afterwards, also beyond the quota. */
export async function charge(db: Db, limit: RateLimit, subject: string, uses: number): Promise<LimitState> {
  return toState(limit, await openLimiter(db, limit).penalty(subject, uses))
}

export async function readLimit(db: Db, limit: RateLimit, subject: string): Promise<LimitState> {
  return toState(limit, await openLimiter(db, limit).get(subject))
}

/** A limit of attempts by something that callers choose: an address, an account. */
export type AttemptLimit = { readonly name: string; readonly quota: number; readonly windowSeconds: number }

/** Counts one attempt. Returns the seconds to wait if the quota was used up before; otherwise undefined. */
export async function countAttempt(db: Db, limit: AttemptLimit, subject: string): Promise<number | undefined> {
  try {
    await openLimiter(db, limit).consume(subject)
    return undefined
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal
    return Math.max(1, Math.ceil(refusal.msBeforeNext / 1_000))
  }
}

export async function forgetAttempts(db: Db, limit: AttemptLimit, subject: string): Promise<void> {
  await openLimiter(db, limit).delete(subject)
}

/** Takes back one counted attempt. */
export async function returnAttempt(db: Db, limit: AttemptLimit, subject: string): Promise<void> {
  await openLimiter(db, limit).reward(subject)
}

/** Since the window began. */
export type Uses = { readonly count: number; readonly elapsedSeconds: number }

/** Counts so many uses at once, also beyond the quota. Returns undefined for no uses. */
export async function countUses(db: Db, limit: AttemptLimit, subject: string, uses: number): Promise<Uses | undefined> {
  if (uses <= 0) return undefined
  const counted = await openLimiter(db, limit).penalty(subject, uses)
  return { count: counted.consumedPoints, elapsedSeconds: limit.windowSeconds - counted.msBeforeNext / 1_000 }
}

/** Returns the seconds until so many uses are no more than `perHour`. */
export function secondsToPace({ count, elapsedSeconds }: Uses, perHour: number): number {
  return Math.min(Math.max((count * limitWindowSeconds) / perHour - elapsedSeconds, 0), limitWindowSeconds)
}

/** Returns the seconds until the quota can be used again; undefined if it is not used up. */
export async function secondsUntilFree(db: Db, limit: AttemptLimit, subject: string): Promise<number | undefined> {
  const counted = await openLimiter(db, limit).get(subject)
  if (counted === null || counted.consumedPoints < limit.quota) return undefined
  return Math.max(1, Math.ceil(counted.msBeforeNext / 1_000))
}

/** Deletes counts whose hour ended more than an hour before `now`. */
export async function sweepLimits(db: Db, now: Date): Promise<void> {
  await sql`/* limits.sweep */ delete from rate_limits
    where expire < ${now.getTime() - limitWindowSeconds * 1_000}::bigint`.execute(db)
}

type Limit = { readonly name: string; readonly quota: number; readonly windowSeconds?: number }

/** Creates a limiter, which holds only settings; each transaction creates its own. */
function openLimiter(db: Db, { name, quota, windowSeconds = limitWindowSeconds }: Limit): RateLimiterPostgres {
  return new RateLimiterPostgres({
    storeClient: toClient(db),
    storeType: 'client',
    tableName: 'rate_limits',
    tableCreated: true,
    clearExpiredByTimeout: false,
    keyPrefix: name,
    points: quota,
    duration: windowSeconds,
  })
}

type Statement = { readonly text: string; readonly values: readonly unknown[] }

/** The part of a driver that the library calls. */
function toClient(db: Db) {
  return {
    query: async ({ text, values }: Statement) => {
      const { rows } = await db.executeQuery(CompiledQuery.raw(text, [...values]))
      return { rows, rowCount: rows.length }
    },
  }
}

function toState(limit: RateLimit, counted: RateLimiterRes | null): LimitState {
  const state = { ...limit, windowSeconds: limitWindowSeconds }
  if (counted === null) return { ...state, remaining: limit.quota, secondsUntilReset: limitWindowSeconds }
  const remaining = Math.max(0, Math.min(limit.quota, counted.remainingPoints))
  return { ...state, remaining, secondsUntilReset: Math.max(1, Math.ceil(counted.msBeforeNext / 1_000)) }
}
