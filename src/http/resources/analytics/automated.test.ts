import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openAnalyticsApp } from '../../../../test/support/analytics-app.ts'
import { keepAutomatedDays } from '../../../analytics/automated-days.ts'
import type { VisitorsResponse } from '../../../analytics/counts/query/exports/visitors.ts'

test('exports with humans say the automated share, and an import changes the tag', async () => {
  const a = await openAnalyticsApp()
  await a.reset()
  await a.put({ visitor: 1n })
  const names = ['visitors', 'views', 'timeseries']
  for (const name of names) assert.ok(!('probablyAutomated' in (await a.get<object>(name))), name)
  const { headers } = await a.call(`${a.path}/views`)
  await keepAutomatedDays(a.t.db, a.t.project.id, [{ day: '2026-11-20', pageViews: 1, of: 3 }])
  for (const name of names) {
    const { probablyAutomated } = await a.get<VisitorsResponse>(name)
    assert.deepEqual([probablyAutomated?.share, probablyAutomated?.of], [0.3333, 3], name)
    assert.ok(!('probablyAutomated' in (await a.get<object>(`${name}?dateFrom=2026-11-21`))), name)
  }
  assert.ok(!('probablyAutomated' in (await a.get<object>('crawlers'))))
  const again = await a.call(`${a.path}/views`, { headers: { 'If-None-Match': headers.get('ETag') ?? '' } })
  assert.equal(again.status, 200)
  await again.text()
  await a.set({ collection_source: 'browser' })
  assert.ok(!('probablyAutomated' in (await a.get<object>('views'))), 'people in logs do not count')
})
