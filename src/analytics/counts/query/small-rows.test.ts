import assert from 'node:assert/strict'
import { test } from 'node:test'
import { usualSettings } from '../../../../test/support/any-page-view.ts'
import { askBoth, asExport, newProject, now } from '../../../../test/support/asking.ts'
import { pageView } from '../../../../test/support/page-views.ts'

import { sharedStore } from '../../../../test/support/test-store.ts'
import { insertPageViews } from '../../store.ts'
import { sealWindows } from '../uniques/seal.ts'
import { refreshWindows } from '../uniques/windows.ts'
import { aiAgents, crawlers } from './exports/agents.ts'
import { breakdowns } from './exports/breakdown.ts'
import { referrers } from './exports/referrers.ts'
import { visitors } from './exports/visitors.ts'

test('small rows are left out of counters and of rows alike, page by page', async () => {
  const store = await sharedStore('embedded')
  const projectId = newProject()
  const of = (count: number, name: string) =>
    Array.from({ length: count }, (_, at) => {
      const view = { projectId, saltWindow: 'month:2026-10', time: now.getTime() - 30 * 86_400_000 }
      const visitor = BigInt(at + 1)
      return [
        pageView({ ...view, visitor, path: `/${name}`, referrer: `${name}.example`, country: name }),
        pageView({ ...view, visitor, agent: name, category: 'ai_assistant' }),
        pageView({ ...view, visitor, agent: name, category: 'search' }),
      ]
    }).flat()
  await insertPageViews(store, [...of(4, 'four'), ...of(5, 'five'), ...of(6, 'six')])
  const windows = (await refreshWindows(store)).filter((one) => one.projectId === projectId)
  await sealWindows(store, { projectId, settings: usualSettings, windows, now })
  for (const { exported, small } of [
    { exported: asExport(referrers), small: 1 },
    { exported: asExport(aiAgents), small: 1 },
    { exported: asExport(crawlers), small: 1 },
    { exported: asExport(breakdowns.country), small: 1 },
    { exported: asExport(visitors), small: 0 },
  ]) {
    const whole = await askBoth(projectId, usualSettings, {}, exported)
    for (const atLeast of [0, 5]) {
      const all = whole.ours.rows.slice(0, whole.ours.rows.length - (atLeast === 0 ? 0 : small))
      assert.ok(all.length >= 2)
      for (let offset = 0; offset <= all.length; offset += 1) {
        const query = { atLeast, offset, limit: 1 }
        const { ours, rows, isLive } = await askBoth(projectId, usualSettings, query, exported)
        assert.equal(isLive, true, 'counters answer')
        assert.deepEqual(ours, rows)
        assert.deepEqual([ours.rows, ours.hasMore], [all.slice(offset, offset + 1), offset + 1 < all.length])
      }
    }
  }
})
