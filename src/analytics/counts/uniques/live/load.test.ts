import assert from 'node:assert/strict'
import { test } from 'node:test'
import { usualSettings } from '../../../../../test/support/any-page-view.ts'
import { asExport, askBoth, askStore, newProject, now, untilLive } from '../../../../../test/support/asking.ts'
import { pageView } from '../../../../../test/support/page-views.ts'
import { sharedStore } from '../../../../../test/support/test-store.ts'
import type { Params } from '../../../../clickhouse/query.ts'
import { timeseries } from '../../query/exports/timeseries.ts'
import { visitors } from '../../query/exports/visitors.ts'
import { insertPageViews, rewritePageViews } from '../../../store.ts'
import { addDays, dayOf } from '../../../zone.ts'

test('a window of many page views is read in slices of days, each view once', async () => {
  const store = await sharedStore('embedded')
  for (const [saltWindow, days] of [
    ['month:2026-10', 30],
    ['', 200],
  ] as const) {
    const projectId = newProject()
    // Every second view is of the last day, more than one statement reads.
    const insert = `INSERT INTO page_views (project_id, view_id, time, path, status, source, visitor, category, representation,
        verified, salt_window)
      SELECT {projectId:String}, number, toDateTime64('2026-11-20 10:00:00', 3, 'UTC')
          - toIntervalSecond(if(number % 2 = 0, 0, cityHash64(number) % (${days} * 86400))),
        concat('/', toString(number % 7)), 200, 'server', cityHash64(number, 1) % 900 + 1,
        if(number % 3 = 0, 'ai_assistant', 'browser'), 'html', 'none', '${saltWindow}'
      FROM numbers(130000)`
    await rewritePageViews(store, insert, { projectId })
    const written = { projectId, saltWindow, visitor: 5n, time: Date.UTC(2026, 10, 19) }
    await insertPageViews(store, [pageView(written)])
    const settings = { ...usualSettings, timeZone: 'America/St_Johns' }
    await untilLive(projectId, settings)
    const today = dayOf(settings.timeZone, now.getTime())
    for (const [from, to] of [
      [250, 0],
      [20, 10],
      [3, 0],
      [120, 18],
    ] as const) {
      const query = { dateFrom: addDays(today, -from), dateTo: addDays(today, -to), interval: 'week' } as const
      for (const exported of [visitors, timeseries]) {
        const { ours, rows } = await askBoth(projectId, settings, query, asExport(exported))
        assert.deepEqual(ours, rows)
      }
    }
  }
})

test('a window with too many visitors is not followed, and not tried again', async () => {
  const shared = await sharedStore('embedded')
  const projectId = newProject()
  const state = { counts: 0, loads: 0 }
  const read = async (sql: string, ...rest: [Params, AbortSignal?]) => {
    if (sql.includes('live.load')) state.loads += 1
    if (!sql.includes('live.count')) return shared.read(sql, ...rest)
    state.counts += 1
    return [{ pairs: shared.memory.counters / 64 + 1 }]
  }
  const store = { ...shared, read } as typeof shared
  const view = pageView({ projectId, visitor: 1n, saltWindow: 'month:2026-11', time: now.getTime() })
  for (let round = 0; round < 3; round += 1) {
    await insertPageViews(store, [{ ...view, visitor: BigInt(round + 1) }])
    const { ours, rows, isLive } = await askStore(
      store,
      { projectId, settings: usualSettings, query: {} },
      asExport(visitors),
    )
    assert.deepEqual(ours, rows)
    assert.equal(isLive, false)
  }
  assert.deepEqual(state, { counts: 1, loads: 0 })
})
