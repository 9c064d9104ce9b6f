import assert from 'node:assert/strict'
import { before, suite, test } from 'node:test'
import { createManualClock } from '../../../test/support/manual-clock.ts'
import { openTestApp, type Started, type TestApp } from '../../../test/support/openapi-app.ts'
import { pageView } from '../../../test/support/page-views.ts'
import { sharedStore } from '../../../test/support/test-store.ts'
import type { PageView } from '../../analytics/page-view.ts'
import { insertPageViews } from '../../analytics/store.ts'
import type { VisitorsView } from '../../analytics/query/visitors.ts'
import type { ClickHouse } from '../../clickhouse/open.ts'

suite('the exports of analytics', () => {
  let t: TestApp
  let app: Started
  let store: ClickHouse
  let path: string
  before(async () => {
    t = await openTestApp()
    store = await sharedStore()
    const clock = createManualClock(new Date('2026-11-21T12:00:00Z'))
    app = await t.start({ analytics: { db: t.db, clock, openStore: async () => store } })
    path = `/v1/analytics/${t.project.id}`
    const view = (change: Partial<PageView>) => pageView({ projectId: t.project.id, ...change })
    await insertPageViews(store, [
      view({ visitor: 1n, path: '/a' }),
      view({ visitor: 2n, path: '/a' }),
      view({ visitor: 1n, path: '/a', category: 'ai_assistant', agent: 'ChatGPT-User', operator: 'OpenAI' }),
      view({ visitor: 3n, path: '/b', category: 'ai_assistant', agent: 'ChatGPT-User', operator: 'OpenAI' }),
      view({ visitor: 4n, path: '/b', category: 'search', agent: 'Googlebot', operator: 'Google' }),
      view({ visitor: 4n, path: '/c', status: 404 }),
    ])
  })
  const get = async <T>(name: string): Promise<T> => {
    const response = await app.call(`${path}/${name}`)
    assert.equal(response.status, 200)
    return (await response.json()) as T
  }

  test('visitors are counted once, whatever they came as', async () => {
    assert.deepEqual(await get<VisitorsView>('visitors'), {
      totals: { human: 2, ai: 2, total: 3 },
      visitors: [
        { path: '/a', human: 2, ai: 1, total: 2 },
        { path: '/b', human: 0, ai: 1, total: 1 },
      ],
      hasMore: false,
    })
  })
})
