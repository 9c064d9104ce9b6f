// Pages that runs are given: only those that enough visitors asked for, on enough days.

import assert from 'node:assert/strict'
import { before, beforeEach, suite, test } from 'node:test'
import { type AnalyticsApp, openAnalyticsApp } from '../../test/support/analytics-app.ts'
import { getProject } from '../projects/projects.ts'
import { createPageViewReader } from './pages-for-runs.ts'
import type { PageView } from './page-view.ts'

suite('page views for runs', () => {
  let t: AnalyticsApp
  before(async () => {
    t = await openAnalyticsApp()
  })
  beforeEach(() => t.reset())

  const reader = () =>
    createPageViewReader({
      settingsOf: (id) => getProject(t.t.db, id),
      openIfThere: async () => t.store,
      clock: t.clock,
    })
  const wanted = () => ({ projectId: t.t.project.id, since: new Date('2026-10-24T12:00:00Z'), limit: 50 })
  const broken = async () => {
    const found = await reader().brokenPages(
      { ...wanted(), fewestVisitors: 5, fewestDays: 3 },
      AbortSignal.timeout(60_000),
    )
    return (found ?? []).map(({ path, visitors, days }) => [path, visitors, days])
  }
  /** Views of a page that is not there, one visitor each, on these days of November. */
  const lost = (path: string, days: readonly number[], change: Partial<PageView> = {}) =>
    days.map((day) => ({ path, status: 404, time: Date.UTC(2026, 10, day, 10), ...change }))

  test('a page counts as broken from 5 visitors on 3 days', async () => {
    await t.put(
      ...lost('/enough', [1, 1, 1, 2, 3]),
      ...lost('/few-visitors', [1, 2, 3, 4]),
      ...lost('/few-days', [1, 1, 1, 1, 1, 2, 2]),
      ...lost('/there', [1, 1, 1, 2, 3], { status: 200 }),
    )
    assert.deepEqual(await broken(), [['/enough', 5, 3]])
  })

  test('one visitor counts once, crawlers not at all, and windows are not added', async () => {
    const one = { visitor: 7n }
    await t.put(
      ...lost('/one', [1, 2, 3, 4, 5], one),
      ...lost('/crawled', [1, 2, 3, 4, 5], { category: 'search' }),
      ...lost('/windows', [1, 2, 3], { saltWindow: 'a' }),
      ...lost('/windows', [4, 5], { saltWindow: 'b' }),
      ...lost('/old', [1, 2, 3, 4, 5]).map((view) => ({ ...view, time: view.time - 40 * 86_400_000 })),
      ...lost('/agents', [1, 2, 3, 4, 5], { category: 'ai_assistant' }),
    )
    assert.deepEqual(await broken(), [['/agents', 5, 5]])
  })

  test('a page has its referrers, and the views of people and of AI agents', async () => {
    await t.put(
      ...lost('/a', [1, 2, 3, 4], { referrer: 'acme.test' }),
      ...lost('/a', [5, 5], { category: 'ai_coding_agent', referrer: '' }),
    )
    const [page] =
      (await reader().brokenPages({ ...wanted(), fewestVisitors: 5, fewestDays: 3 }, AbortSignal.timeout(60_000))) ?? []
    assert.deepEqual(page, {
      path: '/a',
      visitors: 6,
      days: 5,
      viewsOfPeople: 4,
      viewsOfAiAgents: 2,
      referrers: ['acme.test'],
    })
  })

  test('pages that are read most come first, and without a store there are no pages', async () => {
    await t.put({ path: '/a' }, { path: '/b' }, { path: '/b' }, { path: '/c', status: 404 })
    const signal = AbortSignal.timeout(60_000)
    assert.deepEqual(await reader().readPages(wanted(), signal), [
      { path: '/b', visitors: 2 },
      { path: '/a', visitors: 1 },
    ])
    const settingsOf = (id: string) => getProject(t.t.db, id)
    const none = createPageViewReader({ settingsOf, openIfThere: async () => undefined, clock: t.clock })
    assert.equal(await none.readPages(wanted(), signal), undefined)
  })

  test('failures are counted in a range, whose end is not in it, and are exact', async () => {
    await t.put(
      ...lost('/a', [1, 2, 2, 3]),
      ...lost('/a', [2], { category: 'search' }),
      ...lost('/a', [2], { status: 200 }),
      ...lost('/b', [2, 2], { visitor: 7n }),
      ...lost('/c', [2]),
    )
    const at = (day: number) => new Date(Date.UTC(2026, 10, day, 10))
    const count = async (from: Date, to: Date) => {
      const paths = ['/a', '/b', '/quiet']
      const found = await reader().failures({ projectId: t.t.project.id, paths, from, to }, AbortSignal.timeout(60_000))
      return [found?.isKept, ...(found?.pages ?? []).map(({ path, visitors, views }) => [path, visitors, views])]
    }
    assert.deepEqual(await count(at(2), at(3)), [true, ['/a', 2, 2], ['/b', 1, 2]])
    assert.deepEqual(await count(at(1), at(4)), [true, ['/a', 4, 4], ['/b', 1, 2]])
    assert.deepEqual(await count(at(-900), at(1)), [false])
  })
})
