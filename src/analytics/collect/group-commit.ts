// Group commit: many requests share one insert, and each waits until the store has its page views. The size of the
// queue is bounded. A page view with an id is stored once: the first one with that id wins.

import { setTimeout as delay } from 'node:timers/promises'
import type { ClickHouse } from '../../clickhouse/open.ts'
import { Failure } from '../../lib/failure.ts'
import type { PageView } from '../page-view.ts'
import type { ValueCap } from './value-cap.ts'
import { insertPageViews } from '../store.ts'
import type { StoredIds } from './ids/stored-ids.ts'

export type NewPageView = PageView & {
  /** True if the caller gave the page view an id, so it may be sent again. */
  readonly isNamed: boolean
  /** Under these, it may be stored already. */
  readonly otherIds: readonly bigint[]
}

export type GroupCommit = {
  /**
   * Resolves when all page views are stored. Throws `unavailable` when the queue is full or the store fails; some page
   * views may be stored then, and those with an id can safely be sent again.
   */
  append(views: readonly NewPageView[]): Promise<void>
  /**
   * Throws `unavailable` from the first refusal until an eighth of the queue is free. Call it before parsing page views: in a
   * flood, more batches were parsed and then refused than stored.
   */
  checkRoom(): void
}

type Deps = {
  readonly openStore: () => Promise<ClickHouse>
  readonly valueCap: ValueCap
  readonly storedIds: StoredIds
  readonly stored: (seen: { readonly views: number; readonly seconds: number }) => void
  /** Limit on queued rows, in characters. A typical row counts about 500, a maximally padded one 12,000. */
  readonly maxWaiting: number
}

type Waiting = {
  readonly views: readonly NewPageView[]
  readonly size: number
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

/** Rows per insert. */
const maxInsert = 20_000
/**
 * A group is what arrived while the last one was stored. Clients of one insert usually send again at once, so one that took
 * long is followed by a pause of this share of its time, and they share the next one, too. A sync of the log takes so little
 * that there is no pause, and a single client never waits.
 */
const pauseShare = 1 / 8
const mostPauseMs = 5

export function createGroupCommit(deps: Deps): GroupCommit {
  const { maxWaiting } = deps
  const roomAgain = (maxWaiting / 8) * 7
  const waiting: Waiting[] = []
  const state = { waiting: 0, isFull: false, isFlushing: false, pauseMs: 0, endedAt: -Infinity }
  const flush = async () => {
    while (waiting.length > 0) {
      const group = takeGroup(waiting)
      const begin = performance.now()
      await commit(
        deps,
        group.flatMap(({ views }) => views),
      ).then(
        () => group.forEach(({ resolve }) => resolve()),
        (error: unknown) => group.forEach(({ reject }) => reject(error)),
      )
      state.waiting -= group.reduce((sum, { size }) => sum + size, 0)
      if (state.waiting <= roomAgain) state.isFull = false
      state.endedAt = performance.now()
      state.pauseMs = group.length > 1 ? pauseAfter(state.endedAt - begin) : 0
      if (waiting.length > 0 && state.pauseMs > 0) await delay(state.pauseMs)
    }
    state.isFlushing = false
  }
  const begin = () => {
    if (state.isFlushing) return
    state.isFlushing = true
    const { pauseMs, endedAt } = state
    // Requests within one turn of the event loop share an insert.
    if (performance.now() - endedAt < pauseMs) setTimeout(() => void flush(), pauseMs)
    else setImmediate(() => void flush())
  }
  return {
    append: (views) => {
      if (views.length === 0) return Promise.resolve()
      const size = views.reduce((sum, view) => sum + sizeOf(view), 0)
      if (state.waiting + size > maxWaiting) {
        state.isFull = state.waiting > roomAgain
        return Promise.reject(tooMany())
      }
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      waiting.push({ views, size, resolve, reject })
      state.waiting += size
      begin()
      return promise
    },
    checkRoom: () => {
      if (state.isFull) throw tooMany()
    },
  }
}

/** A timer takes a millisecond at least. */
function pauseAfter(tookMs: number): number {
  const pauseMs = Math.min(mostPauseMs, tookMs * pauseShare)
  return pauseMs < 1 ? 0 : pauseMs
}

/** Counts the characters that callers choose, plus 400 for the other columns. */
function sizeOf({ path, userAgent, referrer, referrerPath, campaign, title, signals }: NewPageView): number {
  let size = 400 + path.length + userAgent.length + referrer.length + referrerPath.length
  size += campaign.length + title.length
  for (const signal of Object.values(signals)) size += signal.length
  return size
}

function tooMany(): Failure {
  const message = 'Too many page views are waiting to be stored. Send them again later.'
  return new Failure('unavailable', message, { retryAfter: 2 })
}

/** Takes whole requests, at least one. */
function takeGroup(waiting: Waiting[]): readonly Waiting[] {
  let rows = 0
  const end = waiting.findIndex(({ views }) => (rows += views.length) > maxInsert)
  return waiting.splice(0, end === -1 ? waiting.length : Math.max(1, end))
}

async function commit({ openStore, valueCap, storedIds, stored }: Deps, views: readonly NewPageView[]): Promise<void> {
  const begin = performance.now()
  const store = await openStore()
  const named = views.filter(({ isNamed }) => isNamed)
  const others = named.flatMap(({ projectId, otherIds }) => otherIds.map((viewId) => ({ projectId, viewId })))
  const fresh = withoutKnown(views, await storedIds.find(store, [...named, ...others]))
  const { capped, found } = await valueCap.apply(store, fresh)
  storedIds.add(store, named)
  await insertPageViews(store, capped)
  await valueCap.remember(store, found)
  stored({ views: fresh.length, seconds: (performance.now() - begin) / 1_000 })
}

/** Leaves out those whose id is known or comes before. */
function withoutKnown(views: readonly NewPageView[], known: ReadonlySet<string>): readonly NewPageView[] {
  const seen = new Map<string, Set<bigint>>()
  return views.filter(({ isNamed, projectId, viewId, otherIds }) => {
    if (!isNamed) return true
    const ofProject = seen.get(projectId) ?? new Set()
    seen.set(projectId, ofProject)
    if (ofProject.has(viewId)) return false
    ofProject.add(viewId)
    return known.size === 0 || ![viewId, ...otherIds].some((id) => known.has(`${projectId} ${id}`))
  })
}
