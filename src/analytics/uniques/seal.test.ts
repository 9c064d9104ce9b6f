import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { pageView } from '../../../test/support/page-views.ts'
import { sharedStore } from '../../../test/support/test-store.ts'
import type { NewPageView } from '../collect/group-commit.ts'
import { generationOf, planQuery, type Query, type QuerySettings } from '../query/plan.ts'
import { type Export, readPage } from '../query/rows.ts'
import { timeseries } from '../query/timeseries.ts'
import { readWindows } from '../query/version.ts'
import { visitors } from '../query/visitors.ts'
import { deleteWhere } from '../upkeep/delete.ts'
import { addDays, dayOf } from '../zone.ts'
import { insertPageViews } from '../store.ts'
import { findCounted } from './sealed.ts'
import { sealWindows } from './seal.ts'

const store = await sharedStore()
const now = new Date('2026-11-23T12:00:00Z')
const hour = 3_600_000

const settings: QuerySettings = {
  timeZone: 'UTC',
  visitorWindow: 'month',
  collectionSource: 'both',
  retentionMonths: 24,
  categories: {},
  unverifiedAiAgents: 'count',
}

const state = { projects: 0 }
const newProject = () => `prj_seal_${process.pid}_${(state.projects += 1)}`

/** Asks with the counters of sealed windows, and without them. */
async function askBoth(projectId: string, given: QuerySettings, query: Partial<Query>, exported: Export) {
  const whole: Query = { limit: 50, offset: 0, interval: 'day', ...query }
  const plan = planQuery({ projectId, settings: given, query: whole, now })
  const windows = await readWindows(store, projectId)
  const generation = generationOf(given)
  const counted = await findCounted(store, plan, { generation, windows })
  return {
    sealed: counted?.counters.length ?? 0,
    ours: await readPage({ store, plan, known: { generation, windows } }, exported),
    rows: await readPage({ store, plan, known: { generation, windows: [] } }, exported),
  }
}

async function seal(projectId: string, given: QuerySettings, which: (window: string) => boolean = () => true) {
  const windows = (await readWindows(store, projectId)).filter(({ window }) => which(window))
  return windows.length === 0 ? [] : sealWindows(store, { projectId, settings: given, windows, now })
}

const anyExport = fc.constantFrom(visitors as unknown as Export, timeseries as unknown as Export)

const saltWindows = ['', 'month:2026-09', 'month:2026-10', 'week:2026-W43']

/** A visitor belongs to one salt window, and may be seen at any time, as after a change of the zone. */
const anyView = fc
  .record({
    window: fc.integer({ min: 0, max: 3 }),
    client: fc.integer({ min: 0, max: 6 }),
    time: fc.integer({ min: now.getTime() - 90 * 24 * hour, max: now.getTime() }),
    path: fc.constantFrom('/', '/a', '/b', '/%C3%A4', '/A'),
    category: fc.constantFrom('browser', 'ai_assistant', 'markdown', 'search', 'ai_training'),
    source: fc.constantFrom('browser', 'server', 'log'),
    representation: fc.constantFrom('html', 'markdown'),
    status: fc.constantFrom(200, 200, 304, 404),
    verified: fc.constantFrom('none', 'address', 'failed'),
    isDownload: fc.constantFrom(false, false, false, true),
  })
  .map(({ window, client, ...view }): Partial<NewPageView> => {
    const visitor = client === 0 ? 0n : BigInt(client + 100 * window)
    return { ...view, saltWindow: saltWindows[window] ?? '', visitor } as Partial<NewPageView>
  })

const anySettings = fc.record({
  timeZone: fc.constantFrom('UTC', 'Europe/Berlin', 'America/St_Johns', 'Pacific/Apia'),
  collectionSource: fc.constantFrom('both', 'server', 'browser'),
  unverifiedAiAgents: fc.constantFrom('count', 'ignore'),
  categories: fc.constantFrom({}, { search: 'human' }, { markdown: 'human', browser: 'ai' }),
})

const anyQuery = fc.record({
  first: fc.integer({ min: 0, max: 95 }),
  days: fc.integer({ min: 0, max: 95 }),
  interval: fc.constantFrom('day', 'week', 'month'),
  limit: fc.integer({ min: 1, max: 6 }),
  offset: fc.integer({ min: 0, max: 3 }),
  sort: fc.constantFrom('', 'total', 'human', 'ai'),
  search: fc.constantFrom('', 'A', 'ä', '%c3'),
})

test('counters of sealed windows and rows of the others give the counts of the rows', async () => {
  let sealed = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyView, { minLength: 1, maxLength: 60 }),
      fc.array(anyView, { maxLength: 3 }),
      anySettings,
      fc.array(fc.tuple(anyQuery, anyExport), { minLength: 3, maxLength: 6 }),
      fc.boolean(),
      async (before, after, chosen, queries, leavesOpen) => {
        const given = { ...settings, ...chosen } as QuerySettings
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
          const answers = await askBoth(projectId, given, { ...query, ...range } as Partial<Query>, exported)
          sealed += answers.sealed
          assert.deepEqual(answers.ours, answers.rows)
        }
      },
    ),
    { numRuns: Number(process.env['SEAL_RUNS'] ?? 40) },
  )
  assert.ok(sealed > 0)
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
  await deleteWhere(store, 'page_views', `project_id = '${projectId}' AND visitor = 3`, {})
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
