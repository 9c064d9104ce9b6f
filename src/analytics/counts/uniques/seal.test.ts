import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyPageView, anyQuestion, anySettings, usualSettings } from '../../../../test/support/any-page-view.ts'
import { pageView } from '../../../../test/support/page-views.ts'
import { sharedStore } from '../../../../test/support/test-store.ts'
import { generationOf, planQuery, type Query, type QuerySettings } from '../query/plan.ts'
import { aiAgents, crawlers } from '../query/exports/agents.ts'
import { referrers } from '../query/exports/referrers.ts'
import { type Export, readPage } from '../query/rows.ts'
import { timeseries } from '../query/exports/timeseries.ts'
import { readWindows } from '../query/version.ts'
import { views } from '../query/exports/views.ts'
import { visitors } from '../query/exports/visitors.ts'
import { deleteWhere } from '../../delete.ts'
import { addDays, dayOf } from '../../zone.ts'
import { insertPageViews } from '../../store.ts'
import { findCounted } from './counted.ts'
import { dimensions } from './dimensions.ts'
import { sealWindows } from './seal.ts'
import { rounds } from '../../../../test/support/rounds.ts'

/** As a process that shares its store: only sealed windows have counters. */
const store = { ...(await sharedStore()), isOwned: false }
const now = new Date('2026-11-23T12:00:00Z')
const settings = usualSettings

/** A site of the project that page views have as their referrer. */
const ownHosts = new Set(['www.blog.example'])
const state = { projects: 0 }
const newProject = () => `prj_seal_${process.pid}_${(state.projects += 1)}`

/** Asks with the counters of sealed windows, and without them. */
async function askBoth(projectId: string, given: QuerySettings, query: Partial<Query>, exported: Export) {
  const whole: Query = { limit: 50, offset: 0, interval: 'day', ...query }
  const plan = planQuery({ projectId, settings: given, query: whole, now, ownHosts })
  const windows = await readWindows(store, projectId)
  const known = { settings: given, generation: generationOf(given), windows, failed: assert.ifError }
  const counted = await findCounted({ store, plan, known, dimensions: exported.counters?.dimensions ?? [] })
  return {
    sealed: counted?.counters.length ?? 0,
    ours: await readPage({ store, plan, known }, exported),
    rows: await readPage({ store, plan, known: { ...known, windows: [] } }, exported),
  }
}

async function seal(projectId: string, given: QuerySettings, which: (window: string) => boolean = () => true) {
  const windows = (await readWindows(store, projectId)).filter(({ window }) => which(window))
  return windows.length === 0 ? [] : sealWindows(store, { projectId, settings: given, windows, now })
}

const everyExport = [timeseries, visitors, views, referrers, aiAgents, crawlers].map((one) => one as unknown as Export)
const anyExport = fc.constantFrom(...everyExport)

test('counters of sealed windows and rows of the others give the counts of the rows', async () => {
  let sealed = 0
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        before: fc.array(anyPageView(now), { minLength: 1, maxLength: 60 }),
        after: fc.array(anyPageView(now), { maxLength: 3 }),
        given: anySettings,
        queries: fc.array(fc.tuple(anyQuestion, anyExport), { minLength: 3, maxLength: 6 }),
        leavesOpen: fc.boolean(),
      }),
      async ({ before, after, given, queries, leavesOpen }) => {
        const projectId = newProject()
        await insertPageViews(
          store,
          before.map((view) => pageView({ projectId, ...view })),
        )
        await seal(projectId, given, (window) => !leavesOpen || window !== 'month:2026-10')
        await insertPageViews(
          store,
          after.map((view) => pageView({ projectId, ...view })),
        )
        for (const [{ first, days, ...query }, exported] of queries) {
          const dateFrom = addDays(dayOf(given.timeZone, now.getTime()), first - 92)
          const range = { dateFrom, dateTo: addDays(dateFrom, days) }
          const answers = await askBoth(projectId, given, { ...query, ...range }, exported)
          sealed += answers.sealed
          assert.deepEqual(answers.ours, answers.rows, exported.name)
        }
      },
    ),
    { numRuns: rounds(6), endOnFailure: true },
  )
  assert.ok(sealed > 0)
})

test('every export has the same rows from counters, whole, for days that repeat', async () => {
  const projectId = newProject()
  const some = fc.sample(anyPageView(now, 3), { numRuns: 600, seed: 14 })
  await insertPageViews(
    store,
    some.map((view) => pageView({ projectId, ...view })),
  )
  const given = { ...settings, categories: { ai_training: 'ai' } } as const
  await seal(projectId, given, (window) => window !== 'week:2026-W43')
  for (const exported of everyExport) {
    const { sealed, ours, rows } = await askBoth(projectId, given, {}, exported)
    assert.deepEqual(ours, rows, exported.name)
    assert.equal(sealed, 3)
    assert.ok(ours.rows.length > 1, exported.name)
  }
})

test('a window whose rows changed is answered from its rows until it is sealed again', async () => {
  const projectId = newProject()
  const view = (visitor: bigint, day: number) =>
    pageView({ projectId, visitor, saltWindow: 'month:2026-10', time: Date.UTC(2026, 9, day), path: '/a' })
  await insertPageViews(store, [view(1n, 1), view(1n, 5), view(2n, 5)])
  const ask = async () => {
    const { sealed, ours } = await askBoth(projectId, settings, {}, visitors as unknown as Export)
    return { sealed, total: ours.totals?.['total'] }
  }
  assert.deepEqual(await ask(), { sealed: 0, total: 2 })
  assert.deepEqual(await seal(projectId, settings), ['month:2026-10'])
  const sealedSeen = async () => {
    // Readers ask the store again for a window without a seal after some seconds.
    for (;;) {
      const found = await ask()
      if (found.sealed > 0) return found
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
  }
  assert.deepEqual(await sealedSeen(), { sealed: 1, total: 2 })
  await insertPageViews(store, [view(3n, 2)])
  assert.deepEqual(await ask(), { sealed: 0, total: 3 })
  await deleteWhere(store, 'page_views', 'project_id = {projectId:String} AND visitor = 3', { projectId })
  assert.deepEqual(await sealedSeen(), { sealed: 1, total: 2 }, 'the rows are those of the seal again')
})

test('a seal whose counters are not whole is not used', async () => {
  const projectId = newProject()
  const view = (visitor: bigint, path: string) =>
    pageView({ projectId, visitor, saltWindow: 'month:2026-10', time: Date.UTC(2026, 9, 3), path })
  await insertPageViews(store, [view(1n, '/a'), view(2n, '/b')])
  await seal(projectId, settings)
  await store.rewrite(`ALTER TABLE counters DELETE WHERE project_id = {projectId:String} AND value = '/b'`, {
    projectId,
  })
  const { sealed, ours, rows } = await askBoth(projectId, settings, {}, visitors as unknown as Export)
  assert.equal(sealed, 0)
  assert.deepEqual(ours, rows)
})

test('a window is not sealed if page views were exchanged while it was counted', async () => {
  const projectId = newProject()
  const view = (visitor: bigint) =>
    pageView({ projectId, visitor, saltWindow: 'month:2026-10', time: Date.UTC(2026, 9, 3) })
  await insertPageViews(store, [view(1n), view(2n)])
  const windows = await readWindows(store, projectId)
  const erased = 'project_id = {projectId:String} AND visitor = 1'
  let writes = 0
  const changing: typeof store = {
    ...store,
    rewrite: async (sql, params) => {
      await store.rewrite(sql, params)
      writes += 1
      if (writes > 1) return
      await insertPageViews(store, [view(3n)])
      await deleteWhere(store, 'page_views', erased, { projectId })
    },
  }
  assert.deepEqual(await sealWindows(changing, { projectId, settings, windows, now }), [])
  assert.equal(writes, dimensions.length, 'all were counted')
})
