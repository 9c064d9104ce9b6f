// The HTTP app with a store of page views, at noon on 2026-11-21, and a project whose settings a test can change.

import assert from 'node:assert/strict'
import type { PageView } from '../../src/analytics/page-view.ts'
import { insertPageViews, rewritePageViews } from '../../src/analytics/store.ts'
import type { ClickHouse } from '../../src/clickhouse/open.ts'
import { createManualClock } from './manual-clock.ts'
import { openTestApp } from './openapi-app.ts'
import { pageView } from './page-views.ts'
import { sharedStore } from './test-store.ts'

export type AnalyticsApp = Awaited<ReturnType<typeof openAnalyticsApp>>

const settings = {
  time_zone: 'UTC',
  retention_months: 25,
  visitor_window: 'month',
  collection_source: 'both',
  categories: '{}',
  unverified_ai_agents: 'count',
} as const

export async function openAnalyticsApp() {
  const t = await openTestApp()
  const store = await sharedStore()
  const clock = createManualClock(new Date('2026-11-21T12:00:00Z'))
  const start = (changes: { exportsPerHour?: number; store?: ClickHouse } = {}) => {
    const limits = { ...t.deps.limits, exportsPerHour: changes.exportsPerHour ?? t.deps.limits.exportsPerHour }
    return t.start({ limits, analytics: { db: t.db, clock, openStore: async () => changes.store ?? store } })
  }
  const { call } = await start()
  const path = `/v1/analytics/${t.project.id}`
  const made = { visitors: 2n ** 63n }
  const view = (change: Partial<PageView>) => {
    made.visitors += 1n
    const time = Date.parse('2026-11-21T10:00:00Z')
    return pageView({ projectId: t.project.id, visitor: made.visitors, time, path: '/', source: 'browser', ...change })
  }
  const set = (columns: object) => t.db.updateTable('projects').set(columns).where('id', '=', t.project.id).execute()
  return {
    t,
    store,
    clock,
    start,
    call,
    /** The path of the project's exports. */
    path,
    /** Sets columns of the project. */
    set,
    /** Inserts page views. Defaults: from a browser, of `/`, at 10:00 of that day, each by a different visitor. */
    put: (...changes: readonly Partial<PageView>[]) => {
      const views = changes.map((one) => view(one))
      return insertPageViews(store, views)
    },
    get: async <T>(name: string): Promise<T> => {
      const response = await call(`${path}/${name}`)
      const text = await response.text()
      assert.equal(response.status, 200, text)
      return JSON.parse(text) as T
    },
    /** Deletes all page views and rate limit counts, and restores the default settings of the project. */
    reset: async () => {
      // The tests of a process run one after another, and each inserts the page views that it counts.
      await rewritePageViews(store, 'TRUNCATE TABLE page_views', { projectId: t.project.id })
      await t.db.deleteFrom('rate_limits').execute()
      await set(settings)
    },
  }
}
