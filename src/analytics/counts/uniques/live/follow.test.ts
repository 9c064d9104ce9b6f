import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyPageView, anyQuestion, anySettings, usualSettings } from '../../../../../test/support/any-page-view.ts'
import { asExport, askBoth, askStore, log, newProject, now, untilLive } from '../../../../../test/support/asking.ts'
import { createManualClock } from '../../../../../test/support/manual-clock.ts'
import { pageView } from '../../../../../test/support/page-views.ts'
import { sharedStore } from '../../../../../test/support/test-store.ts'
import type { Params } from '../../../../clickhouse/query.ts'
import { aiAgents } from '../../query/exports/agents.ts'
import { prepareQuery } from '../../query/prepare.ts'
import { referrers } from '../../query/exports/referrers.ts'
import { timeseries } from '../../query/exports/timeseries.ts'
import { views } from '../../query/exports/views.ts'
import { visitors } from '../../query/exports/visitors.ts'
import { insertPageViews } from '../../../store.ts'
import { dropLive } from '../memory.ts'
import { deleteWhere } from '../../../delete.ts'
import { addDays, dayOf } from '../../../zone.ts'
import { findCounted } from '../counted.ts'
import { rounds } from '../../../../../test/support/rounds.ts'

const signal = new AbortController().signal
const liveExports = [visitors, timeseries, referrers, aiAgents].map(asExport)

test('live windows give the counts of the rows at any moment', async () => {
  const store = await sharedStore('embedded')
  const seen = { live: 0 }
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        batches: fc.array(fc.array(anyPageView(now, 40), { minLength: 1, maxLength: 12 }), {
          minLength: 2,
          maxLength: 6,
        }),
        settings: anySettings,
        questions: fc.array(fc.tuple(anyQuestion, fc.constantFrom(...liveExports)), {
          minLength: 3,
          maxLength: 6,
        }),
        asks: fc.array(fc.boolean(), { minLength: 6, maxLength: 6 }),
        erased: fc.bigInt(1n, 306n),
      }),
      async ({ batches, settings, questions, asks, erased }) => {
        const projectId = newProject()
        const ask = async (at: number, isSettled = true) => {
          const [{ first, days: length, ...query }, exported] = questions[at % questions.length] ?? assert.fail()
          const dateFrom = addDays(dayOf(settings.timeZone, now.getTime()), first - 92)
          const range = { dateFrom, dateTo: addDays(dateFrom, length) }
          const { ours, rows, isLive } = await askBoth(projectId, settings, { ...query, ...range }, exported)
          if (isSettled) assert.deepEqual(ours, rows)
          if (isSettled && isLive) seen.live += 1
        }
        for (const [at, batch] of batches.entries()) {
          const stored = insertPageViews(
            store,
            batch.map((view) => pageView({ projectId, ...view })),
          )
          if (asks[at]) await ask(at, false)
          await stored
          await ask(at + 1)
          if (at === 3)
            await deleteWhere(store, 'page_views', `project_id = {projectId:String} AND visitor = ${erased}`, {
              projectId,
            })
        }
        for (const at of questions.keys()) await ask(at)
        // By now the parts that were asked for are being loaded, which takes as long as the machine is busy.
        const loaded = performance.now() + 5_000
        const before = seen.live
        while (seen.live === before && performance.now() < loaded) for (const at of questions.keys()) await ask(at)
      },
    ),
    { numRuns: rounds(5), endOnFailure: true },
  )
  assert.ok(seen.live > 0, `${seen.live} answers came from live windows`)
})

test('rows answer what a live window does not count', async () => {
  const store = await sharedStore('embedded')
  const projectId = newProject()
  const view = { projectId, visitor: 1n, saltWindow: 'month:2026-11', time: Date.UTC(2026, 10, 5), path: '/a' }
  const agent = { category: 'ai_assistant', agent: 'ChatGPT-User', operator: 'OpenAI' } as const
  await insertPageViews(store, [pageView({ ...view, referrer: 'google.de' }), pageView({ ...view, ...agent })])
  await untilLive(projectId, usualSettings)
  const { ours, rows, isLive } = await askBoth(projectId, usualSettings, {}, asExport(views))
  assert.deepEqual(ours, rows)
  assert.deepEqual({ isLive, rows: ours.rows.length }, { isLive: false, rows: 1 })
})

test('sites that people came from, and AI agents, are counted while page views arrive', async () => {
  const store = await sharedStore('embedded')
  for (const settings of [
    usualSettings,
    { ...usualSettings, unverifiedAiAgents: 'ignore', timeZone: 'Asia/Tokyo' },
  ] as const) {
    const projectId = newProject()
    const some = fc.sample(anyPageView(now, 30), { numRuns: 600, seed: 7 })
    const batches = Array.from({ length: 60 }, (_, at) => some.slice(at * 10, at * 10 + 10))
    const write = async (from: number, to: number) => {
      for (const batch of batches.slice(from, to))
        await insertPageViews(
          store,
          batch.map((view) => pageView({ projectId, ...view })),
        )
    }
    await write(0, 20)
    for (const exported of [referrers, aiAgents]) {
      // It begins to follow them, and they are loaded beside writes.
      await askBoth(projectId, settings, {}, asExport(exported))
    }
    await write(20, 40)
    for (const exported of [referrers, aiAgents]) {
      const { ours, rows } = await untilLive(projectId, settings, { dateFrom: '2026-10-20' }, asExport(exported))
      assert.deepEqual(ours, rows, exported.name)
      assert.ok(rows.rows.length > 2)
    }
    for (let at = 40; at < batches.length; at += 4) {
      await write(at, at + 4)
      for (const exported of [referrers, aiAgents]) {
        const dateFrom = addDays('2026-10-20', at - 40)
        const { ours, rows } = await untilLive(projectId, settings, { dateFrom }, asExport(exported))
        assert.deepEqual(ours, rows, `${exported.name} since ${dateFrom}`)
      }
    }
  }
})

test('page views that arrive whenever they are read leave the window to its rows', async () => {
  const shared = await sharedStore('embedded')
  const projectId = newProject()
  const state = { reads: 0, isBusy: true }
  const put = (store: typeof shared) => {
    const client = { category: 'ai_assistant', agent: 'ChatGPT-User', operator: 'OpenAI' } as const
    const view = pageView({ projectId, visitor: 1n, saltWindow: 'month:2026-11', time: now.getTime(), ...client })
    return insertPageViews(store, [view])
  }
  const read = async (sql: string, ...rest: [Params, AbortSignal?]) => {
    if (!sql.includes('live.views')) return shared.read(sql, ...rest)
    state.reads += 1
    const found = await shared.read(sql, ...rest)
    if (state.isBusy) await put(store)
    return found
  }
  const store = { ...shared, read } as typeof shared
  const ask = () => askStore(store, { projectId, settings: usualSettings, query: {} }, asExport(aiAgents))
  await put(store)
  const first = await ask()
  assert.deepEqual(first.ours, first.rows)
  while (state.reads < 12) await new Promise((resolve) => setTimeout(resolve, 20))
  assert.equal((await ask()).isLive, false)
  state.isBusy = false
  dropLive(store, [projectId])
  await new Promise((resolve) => setTimeout(resolve, 500))
  for (;;) {
    const { ours, rows, isLive } = await ask()
    assert.deepEqual(ours, rows)
    if (isLive) break
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  assert.ok(state.reads >= 13)
})

test('a page view counts from the moment it is stored, whatever its day', async () => {
  const store = await sharedStore('embedded')
  const projectId = newProject()
  const view = (visitor: bigint, time: number) =>
    insertPageViews(store, [pageView({ projectId, visitor, saltWindow: 'month:2026-11', time, path: '/a' })])
  await view(1n, Date.UTC(2026, 10, 5))
  const first = await untilLive(projectId, usualSettings)
  assert.equal(first.ours.totals?.['total'], 1)
  const versions = new Set([first.version])
  for (const [at, day] of [7, 6, 5, 4, 1, 22].entries()) {
    await view(BigInt(at + 2), Date.UTC(2026, 10, day))
    const answer = await askBoth(projectId, usualSettings, {}, asExport(visitors))
    assert.equal(answer.ours.totals?.['total'], at + 2)
    assert.deepEqual(answer.ours, answer.rows)
    versions.add(answer.version)
  }
  assert.equal(versions.size, 7, 'each answer has a version of its own')
  await untilLive(projectId, usualSettings)
})

test('a page view of another day that is stored before a window is followed counts', async () => {
  const store = await sharedStore('embedded')
  const cases = [
    ['month:2026-11', 20, [10]],
    ['month:2026-11', 2, [10]],
    ['', 20, [-100, -60]],
    ['', -120, [-100, -60]],
  ] as const
  for (const [saltWindow, day, before] of cases) {
    const projectId = newProject()
    const view = (visitor: bigint, on: number) => {
      const time = Date.UTC(2026, 10, on)
      return insertPageViews(store, [pageView({ projectId, visitor, saltWindow, time, path: '/a' })])
    }
    for (const one of before) await view(1n, one)
    const query = { limit: 50, offset: 0, interval: 'day' } as const
    const context = { openStore: async () => store, clock: createManualClock(now), log }
    const { plan, known } = await prepareQuery(context, { projectId, settings: usualSettings, query }, signal)
    await view(2n, day)
    assert.equal(
      await findCounted({ store, plan, known, dimensions: ['site', 'page'] }),
      undefined,
      'the window is followed from now on',
    )
    await untilLive(projectId, usualSettings)
    const { ours, rows } = await askBoth(projectId, usualSettings, {}, asExport(visitors))
    assert.equal(ours.totals?.['total'], 2, `${saltWindow} ${day}`)
    assert.deepEqual(ours, rows)
  }
})

test('visitors who may return at any time are followed over any number of days', async () => {
  const store = await sharedStore('embedded')
  const projectId = newProject()
  const put = (visitor: bigint, daysAgo: number, path = '/a') =>
    insertPageViews(store, [
      pageView({ projectId, visitor, saltWindow: '', time: now.getTime() - daysAgo * 86_400_000, path }),
    ])
  for (const [visitor, daysAgo] of [
    [1n, 300],
    [2n, 200],
    [1n, 90],
    [2n, 3],
  ] as const)
    await put(visitor, daysAgo)
  await untilLive(projectId, usualSettings)
  await put(1n, 1)
  await put(3n, 1)
  await put(3n, 10, '/b')
  const today = dayOf('UTC', now.getTime())
  for (const [from, to, total] of [
    [300, -1, 3],
    [299, -1, 3],
    [250, 150, 1],
    [199, 89, 1],
    [89, 2, 2],
    [2, -1, 2],
  ] as const) {
    const query = { dateFrom: addDays(today, -from), dateTo: addDays(today, -to) }
    for (const exported of [visitors, timeseries]) {
      const { ours, rows, isLive, rest } = await askBoth(projectId, usualSettings, query, asExport(exported))
      assert.deepEqual(ours, rows)
      assert.deepEqual({ total: ours.totals?.['total'], isLive, rest }, { total, isLive: true, rest: [] })
    }
  }
  await put(2n, 100)
  const { ours, rows, isLive } = await askBoth(projectId, usualSettings, {}, asExport(visitors))
  assert.deepEqual(ours, rows)
  assert.equal(isLive, false, 'a view before the frame: it is loaded again')
  await untilLive(projectId, usualSettings)
})

test('windows that received no page views in this process are left to the sealer', async () => {
  const store = await sharedStore('embedded')
  const projectId = newProject()
  const seen = { statements: 0 }
  const read = async (sql: string, ...rest: [Params, AbortSignal?]) => {
    if (sql.startsWith('/* live.')) seen.statements += 1
    return store.read(sql, ...rest)
  }
  await insertPageViews(store, [pageView({ projectId, visitor: 1n, saltWindow: 'month:2026-11', time: now.getTime() })])
  const restarted = { ...store, read } as typeof store
  const { ours, isLive } = await askStore(
    restarted,
    { projectId, settings: usualSettings, query: {} },
    asExport(visitors),
  )
  assert.deepEqual({ total: ours.totals?.['total'], isLive, ...seen }, { total: 1, isLive: false, statements: 0 })
})

test('an insert that fails leaves no trace in the counts', async () => {
  const store = await sharedStore('embedded')
  const projectId = newProject()
  const views = [1n, 2n].map((visitor) => pageView({ projectId, visitor, saltWindow: 'month:2026-11' }))
  await insertPageViews(store, views.slice(0, 1))
  await untilLive(projectId, usualSettings)
  const failing = Object.assign(Object.create(store) as typeof store, {
    insert: () => Promise.reject(new Error('full')),
  })
  await assert.rejects(insertPageViews(failing, views), /full/)
  const { ours, rows } = await untilLive(projectId, usualSettings)
  assert.deepEqual(ours, rows)
  assert.equal(ours.totals?.['total'], 1)
})
