// The rate limit of exports: each key, person and shared link has its own in each project, so a busy shared link uses up
// nobody else's. An export counts once for every 20 milliseconds that the store works on it, and at least once. The first of
// these is counted before it runs, the others afterwards: a caller overspends by the exports that are under way at most,
// and those are few.

import { type Asker, askFor } from '../clickhouse/asker.ts'
import { busy } from '../clickhouse/pool.ts'
import { createLine } from '../lib/few-at-once.ts'
import type { Principal } from '../projects/keys.ts'
import {
  charge,
  consume,
  type LimitState,
  limitWindowSeconds,
  type RateLimit,
  readLimit,
  refusalOf,
  secondsUntilFree,
} from '../requests/rate-limits.ts'
import type { AnalyticsContext } from './context.ts'

export const msOfExport = 20
/** The exports of one caller that run in this process at a time. Two open pages of the dashboard ask for as many. */
export const exportsAtOnce = 16
/** More of them would wait for longer than a query does. */
const waitingExports = 200

export type ExportCaller = { readonly projectId: string; readonly principal: Pick<Principal, 'id' | 'kind'> }

export type Spent<T> = { readonly result: T; readonly limit: LimitState }

export type ExportLimit = {
  /**
   * Does work whose queries the caller pays for, also when it fails. Throws `rate_limited` when the quota is used up,
   * `unavailable` when too many exports of the caller wait, and whatever the work throws.
   */
  readonly spend: <T>(caller: ExportCaller, work: () => Promise<T>, signal: AbortSignal) => Promise<Spent<T>>
  /** For further parts of an export that has begun, which only ends early when twice the quota is used up. */
  readonly spendMore: <T>(caller: ExportCaller, work: () => Promise<T>, signal: AbortSignal) => Promise<T>
  readonly read: (caller: ExportCaller) => Promise<LimitState>
}

export function createExportLimit({ db }: Pick<AnalyticsContext, 'db'>, quota: number): ExportLimit {
  const inTurn = createLines()
  const payFor = async <T>(caller: ExportCaller, work: () => Promise<T>, counted: number) => {
    const asker: Asker = { id: subjectOf(caller), spentMs: 0 }
    const settle = async () => {
      const more = Math.ceil(asker.spentMs / msOfExport) - counted
      return more > 0 ? charge(db, limitOf(caller, quota), asker.id, more) : undefined
    }
    const result = await askFor(asker, work).catch(async (error: unknown) => {
      // The first error matters more.
      await settle().catch(() => undefined)
      throw error
    })
    return { result, limit: await settle() }
  }
  return {
    spend: (caller, work, signal) =>
      inTurn(subjectOf(caller), async () => {
        signal.throwIfAborted()
        const before = await consume(db, limitOf(caller, quota), subjectOf(caller))
        const { result, limit = before } = await payFor(caller, work, 1)
        return { result, limit }
      }),
    spendMore: (caller, work, signal) =>
      inTurn(subjectOf(caller), async () => {
        signal.throwIfAborted()
        const limit = limitOf(caller, 2 * quota)
        const wait = await secondsUntilFree(db, { ...limit, windowSeconds: limitWindowSeconds }, subjectOf(caller))
        if (wait !== undefined) throw refusalOf(limit, wait)
        return (await payFor(caller, work, 0)).result
      }),
    read: (caller) => readLimit(db, limitOf(caller, quota), subjectOf(caller)),
  }
}

function limitOf({ principal: { kind } }: ExportCaller, quota: number): RateLimit {
  const refuse = (seconds: number) => {
    const minutes = Math.ceil(seconds / 60)
    return `${whose[kind]} may in an hour. Ask again in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.`
  }
  return { name: 'exports', quota, refuse }
}

const whose: Readonly<Record<Principal['kind'], string>> = {
  key: 'This key has asked for as many statistics of the project as it',
  person: 'You have asked for as many statistics of the project as you',
  share: 'This shared link has asked for as many statistics as it',
  operator: 'The operator has asked for as many statistics of the project as they',
}

/** Ids of keys, people and shared links never equal each other. */
function subjectOf({ projectId, principal: { id } }: ExportCaller): string {
  return `${projectId} ${id}`
}

/** Lets few pieces of work of each subject run at a time. Knows only subjects that have some. */
function createLines(): <T>(subject: string, work: () => Promise<T>) => Promise<T> {
  const lines = new Map<string, { readonly inTurn: ReturnType<typeof createLine>; users: number }>()
  return async (subject, work) => {
    const line = lines.get(subject) ?? {
      inTurn: createLine({ atOnce: exportsAtOnce, waiting: waitingExports, full: busy }),
      users: 0,
    }
    lines.set(subject, line)
    line.users += 1
    try {
      return await line.inTurn(work)
    } finally {
      line.users -= 1
      if (line.users === 0) lines.delete(subject)
    }
  }
}
