// Days of a window that were sealed before page views of later days came: its seal answers them.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyPageView, anyQuestion, anySettings, usualSettings } from '../../../../test/support/any-page-view.ts'
import { asExport, askStore, newProject, now } from '../../../../test/support/asking.ts'
import { pageView } from '../../../../test/support/page-views.ts'
import { sharedStore } from '../../../../test/support/test-store.ts'
import type { ClickHouse } from '../../../clickhouse/open.ts'
import { deleteWhere } from '../../delete.ts'
import type { PageView } from '../../page-view.ts'
import { insertPageViews } from '../../store.ts'
import { addDays, dayOf } from '../../zone.ts'
import { aiAgents } from '../query/exports/agents.ts'
import { timeseries } from '../query/exports/timeseries.ts'
import { views } from '../query/exports/views.ts'
import { visitors } from '../query/exports/visitors.ts'
import type { QuerySettings } from '../query/plan.ts'
import { readWindows } from '../query/version.ts'
import { sealWindows } from './seal.ts'
import { rounds } from '../../../../test/support/rounds.ts'

/** A project whose live windows never finish loading. */
async function open(settings: QuerySettings = usualSettings) {
  const shared = await sharedStore('embedded')
  const projectId = newProject()
  const store: ClickHouse = {
    ...shared,
    read: async (sql, ...rest) => {
      if (sql.startsWith('/* live.')) await new Promise(() => undefined)
      return shared.read(sql, ...rest)
    },
  }
  const put = (...some: readonly Partial<PageView>[]) =>
    insertPageViews(
      store,
      some.map((view) => pageView({ projectId, ...view })),
    )
  return {
    projectId,
    store,
    put,
    seal: async () => {
      const windows = await readWindows(store, projectId)
      if (windows.length > 0) await sealWindows(store, { projectId, settings, windows, now })
    },
    ask: (query: Parameters<typeof askStore>[1]['query'], exported: unknown = visitors) =>
      askStore(store, { projectId, settings, query }, asExport(exported)),
  }
}

const day = (number: number, hour = 12) => Date.UTC(2026, 10, number, hour)
const november = { saltWindow: 'month:2026-11', path: '/a' }

test('a seal answers days before all page views since, and rows the others', async () => {
  const { put, seal, ask, store, projectId } = await open()
  await put({ ...november, visitor: 1n, time: day(3) }, { ...november, visitor: 1n, time: day(12) })
  await put({ ...november, visitor: 2n, time: day(12) })
  await seal()
  await ask({})
  const isCounted = async (dateTo: string, exported: unknown = visitors) => {
    const { ours, rows, isLive } = await ask({ dateTo }, exported)
    assert.deepEqual(ours, rows, dateTo)
    return isLive
  }
  await put({ ...november, visitor: 2n, time: day(23, 0) })
  for (const exported of [visitors, timeseries, views, aiAgents]) {
    assert.equal(await isCounted('2026-11-23', exported), true)
    assert.equal(await isCounted('2026-11-24', exported), false)
  }
  await put({ ...november, visitor: 2n, time: day(22, 0) - 1 })
  assert.equal(await isCounted('2026-11-22'), false, 'the last millisecond of its days')
  assert.equal(await isCounted('2026-11-21'), true)
  await put({ ...november, visitor: 1n, time: day(10, 0) })
  assert.equal(await isCounted('2026-11-10'), true)
  assert.equal(await isCounted('2026-11-11'), false, 'a page view that came late')
  await put({ ...november, visitor: 1n, time: day(22) })
  assert.equal(await isCounted('2026-11-11'), false, 'it is still there')
  await deleteWhere(store, 'page_views', 'project_id = {projectId:String} AND visitor = 1', { projectId })
  assert.equal(await isCounted('2026-11-10'), false, 'the rows of before are not those of the seal')
})

test('during a write, the seal answers the days before it, unless rows changed', async () => {
  const { projectId, put, seal, ask, store } = await open()
  await put({ ...november, visitor: 1n, time: day(2) }, { ...november, visitor: 2n, time: day(3) })
  await seal()
  await ask({})
  const shared = await sharedStore('embedded')
  const putSlowly = (time: number) => {
    const gate = Promise.withResolvers<void>()
    store.insert = async (...given) => {
      await gate.promise
      return shared.insert(...given)
    }
    const putting = put({ ...november, visitor: 3n, time })
    return async () => {
      gate.resolve()
      await putting
    }
  }
  const end = putSlowly(day(4, 0))
  assert.equal((await ask({ dateTo: '2026-11-04' })).isLive, true)
  assert.equal((await ask({ dateTo: '2026-11-05' })).isLive, false)
  await end()
  await deleteWhere(store, 'page_views', 'project_id = {projectId:String} AND visitor = 1', { projectId })
  const endAgain = putSlowly(day(5))
  const { ours, isLive } = await ask({ dateTo: '2026-11-04' })
  assert.deepEqual({ total: ours.totals?.['total'], isLive }, { total: 1, isLive: false })
  await endAgain()
})

test('seals and page views since give the counts of the rows for any range', async () => {
  let counted = 0
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        settings: anySettings,
        before: fc.array(anyPageView(now, 60), { minLength: 3, maxLength: 20 }),
        batches: fc.array(fc.array(anyPageView(now, 20), { minLength: 1, maxLength: 3 }), { maxLength: 3 }),
        questions: fc.array(fc.tuple(anyQuestion, fc.constantFrom<unknown>(visitors, timeseries, views, aiAgents)), {
          minLength: 4,
          maxLength: 8,
        }),
      }),
      async ({ settings, before, batches, questions }) => {
        const { put, seal, ask } = await open(settings)
        await put(...before)
        await seal()
        await ask({})
        for (const batch of [[], ...batches]) {
          if (batch.length > 0) await put(...batch)
          for (const [{ first, days, ...query }, exported] of questions) {
            const dateFrom = addDays(dayOf(settings.timeZone, now.getTime()), first - 92)
            const { ours, rows, isLive } = await ask({ ...query, dateFrom, dateTo: addDays(dateFrom, days) }, exported)
            assert.deepEqual(ours, rows)
            if (batch.length > 0 && isLive) counted += 1
          }
        }
      },
    ),
    { numRuns: rounds(4), endOnFailure: true },
  )
  assert.ok(counted > 0, 'seals answered')
})
