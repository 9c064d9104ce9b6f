// Group commit: many requests share one insert, and each waits until the store has its page views. The size of the
// queue is bounded. A page view with an id is stored once: the first one with that id wins.

import { setTimeout as delay } from 'node:timers/promises'
import type { ClickHouse } from '../../clickhouse/open.ts'
import { Failure } from '../../lib/failure.ts'
import type { PageView } from '../page-view.ts'
import type { PathCap } from './path-cap.ts'
import { findStored, insertPageViews } from '../store.ts'

export type NewPageView = PageView & {
  /** Did the caller name it? Then it may come again. */
  readonly isNamed: boolean
}

export type GroupCommit = {
  /**
   * Resolves when all are stored. Throws `unavailable` when too many wait or when the store takes none: then some of
   * them may be stored, and sending the named ones again is harmless.
   */
  append(views: readonly NewPageView[]): Promise<void>
}

type Deps = {
  readonly openStore: () => Promise<ClickHouse>
  readonly pathCap: PathCap
  readonly stored: (seen: { readonly views: number; readonly seconds: number }) => void
}

type Waiting = {
  readonly views: readonly NewPageView[]
  readonly size: number
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

/** Rows of one insert. */
const maxInsert = 20_000
/** Of all that wait for one, characters: a usual row has half a thousand, one that was made to be large twelve thousand. */
const maxWaiting = 64_000_000
/**
 * Those who were answered together send their next ones soon: the insert behind waits so long for them. An insert of one
 * page view costs a third of an insert of a thousand. Who sends one after the other waits for nothing.
 */
const gatherMs = 5

export function createGroupCommit(deps: Deps): GroupCommit {
  const waiting: Waiting[] = []
  const state = { waiting: 0, isFlushing: false, floodedAt: -Infinity }
  const flush = async () => {
    while (waiting.length > 0) {
      const group = takeGroup(waiting)
      await commit(
        deps,
        group.flatMap(({ views }) => views),
      ).then(
        () => group.forEach(({ resolve }) => resolve()),
        (error: unknown) => group.forEach(({ reject }) => reject(error)),
      )
      state.waiting -= group.reduce((sum, { size }) => sum + size, 0)
      state.floodedAt = group.length > 1 ? performance.now() : -Infinity
      if (waiting.length > 0 && group.length > 1) await delay(gatherMs)
    }
    state.isFlushing = false
  }
  const begin = () => {
    if (state.isFlushing) return
    state.isFlushing = true
    const isFlood = performance.now() - state.floodedAt < gatherMs
    // What comes within one turn of the event loop goes together.
    if (isFlood) setTimeout(() => void flush(), gatherMs)
    else setImmediate(() => void flush())
  }
  return {
    append: (views) => {
      if (views.length === 0) return Promise.resolve()
      const size = views.reduce((sum, view) => sum + sizeOf(view), 0)
      if (state.waiting + size > maxWaiting) return Promise.reject(tooMany())
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      waiting.push({ views, size, resolve, reject })
      state.waiting += size
      begin()
      return promise
    },
  }
}

/** Characters of what callers choose, and as many again for the rest. */
function sizeOf({ path, userAgent, referrer, signals }: NewPageView): number {
  let size = 400 + path.length + userAgent.length + referrer.length
  for (const signal of Object.values(signals)) size += signal.length
  return size
}

function tooMany(): Failure {
  const message = 'More page views wait than the store takes: send them again later.'
  return new Failure('unavailable', message, { retryAfter: 2 })
}

/** Whole requests, and at least one. */
function takeGroup(waiting: Waiting[]): readonly Waiting[] {
  let rows = 0
  const end = waiting.findIndex(({ views }) => (rows += views.length) > maxInsert)
  return waiting.splice(0, end === -1 ? waiting.length : Math.max(1, end))
}

async function commit({ openStore, pathCap, stored }: Deps, views: readonly NewPageView[]): Promise<void> {
  const begin = performance.now()
  const store = await openStore()
  const fresh = await withoutStored(store, views)
  const { capped, found } = await pathCap.apply(store, fresh)
  await insertPageViews(store, capped)
  await pathCap.remember(store, found)
  stored({ views: fresh.length, seconds: (performance.now() - begin) / 1_000 })
}

async function withoutStored(store: ClickHouse, views: readonly NewPageView[]): Promise<readonly NewPageView[]> {
  const known = new Set(
    await findStored(
      store,
      views.filter(({ isNamed }) => isNamed),
    ),
  )
  return views.filter(({ isNamed, projectId, viewId }) => {
    if (!isNamed) return true
    const key = `${projectId} ${viewId}`
    if (known.has(key)) return false
    known.add(key)
    return true
  })
}
