import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyPageView, anyQuestion, anySettings, usualSettings } from '../../../test/support/any-page-view.ts'
import { createManualClock } from '../../../test/support/manual-clock.ts'
import { pageView } from '../../../test/support/page-views.ts'
import { sharedStore } from '../../../test/support/test-store.ts'
import { planQuery, type Query, type QuerySettings } from '../query/plan.ts'
import { prepareQuery } from '../query/prepare.ts'
import { type Export, readPage } from '../query/rows.ts'
import { aiAgents } from '../query/agents.ts'
import { referrers } from '../query/referrers.ts'
import { timeseries } from '../query/timeseries.ts'
import { views } from '../query/views.ts'
import { visitors } from '../query/visitors.ts'
import { insertPageViews } from '../store.ts'
import { deleteWhere } from '../upkeep/delete.ts'
import { addDays, dayOf } from '../zone.ts'
import { addUniques, createSums } from './counters.ts'
import { findCounted } from './counted.ts'
import { createLive, daysOfWindow } from './live.ts'

const now = new Date('2026-11-23T12:00:00Z')
const signal = new AbortController().signal
const names = { projects: 0 }
const newProject = () => `prj_live_${process.pid}_${(names.projects += 1)}`

const days = fc.array(fc.integer({ min: 0, max: daysOfWindow - 1 }), { maxLength: 6 })
const seen = fc.record({
  visitor: fc.bigInt(1n, 2n ** 64n - 1n),
  page: fc.integer({ min: 1, max: 3 }),
  human: days,
  ai: days,
})
const toBits = (some: readonly number[]) => some.reduce((bits, day) => bits | (1 << day), 0)

test('live counters give the uniques of any range, whatever the order of the days', () => {
  fc.assert(
    fc.property(
      fc.array(seen, { maxLength: 40 }),
      fc.array(fc.bigInt(1n, 2n ** 64n - 1n), { minLength: 1, maxLength: 4 }),
      fc.tuple(fc.integer({ min: 90, max: 140 }), fc.integer({ min: 0, max: 40 })),
      (some, people, [from, length]) => {
        const live = createLive(100)
        const views = some.map((one, at) => ({ ...one, visitor: people[at % people.length] ?? 1n }))
        for (const { page, visitor, human, ai } of views)
          live.add(page, visitor, { human: toBits(human), ai: toBits(ai) })
        const sums = createSums(4)
        for (const one of Object.values(live.counters())) addUniques(sums, one, from, from + length)
        const inRange = (list: readonly number[]) => list.some((day) => day + 100 >= from && day + 100 < from + length)
        const count = (which: (view: (typeof views)[number]) => boolean) =>
          new Set(views.filter(which).map((v) => v.visitor)).size
        const expected = [0, 1, 2, 3].flatMap((page) => {
          const ofScope = (view: (typeof views)[number]) => page === 0 || view.page === page
          return [
            count((view) => ofScope(view) && inRange(view.human)),
            count((view) => ofScope(view) && inRange(view.ai)),
            count((view) => ofScope(view) && inRange([...view.human, ...view.ai])),
          ]
        })
        assert.deepEqual([...sums], expected)
      },
    ),
    { numRuns: 500 },
  )
})

test('live counters of 20,000 visitors stay apart, and find each again', () => {
  const live = createLive(100)
  for (const human of [1, 1, 4]) {
    for (let visitor = 1n; visitor <= 20_000n; visitor += 1n) {
      live.add(1, (visitor << 40n) | (visitor % 3n), { human, ai: 0 })
    }
  }
  const sums = createSums(2)
  addUniques(sums, live.counters().page, 100, 103)
  assert.deepEqual([...sums], [0, 0, 0, 20_000, 0, 20_000])
  assert.equal(live.counters().page.length, 2, 'equal counters are one')
})

test('live counters state the memory that they take', () => {
  const live = createLive(100)
  for (let page = 1; page <= 1_000; page += 1) live.add(page, 1n, { human: 1, ai: 0 })
  const least = 1_000 * (20 + 40) + 1_001 * 20
  assert.ok(live.bytes() > least && live.bytes() < 3 * least, String(live.bytes()))
})

/** Asks as the process that owns its store, and from the rows alone. */
async function askBoth(projectId: string, settings: QuerySettings, query: Partial<Query>, exported: Export) {
  const store = await sharedStore('embedded')
  const whole: Query = { limit: 50, offset: 0, interval: 'day', ...query }
  const clock = { now: () => now, sleep: () => Promise.resolve() }
  const prepared = await prepareQuery(
    { openStore: async () => store, clock },
    { projectId, settings, query: whole },
    signal,
  )
  const ours = await readPage(prepared, exported)
  const plan = planQuery({ projectId, settings, query: whole, now })
  const rows = await readPage({ store, plan, known: { ...prepared.known, windows: [] } }, exported)
  const counted = await findCounted({ ...prepared, dimensions: exported.counters?.dimensions ?? [] })
  return { ours, rows, version: prepared.version, isLive: counted !== undefined, rest: counted?.rest }
}

const asExport = (one: unknown) => one as Export

async function untilLive(projectId: string, settings: QuerySettings, query: Partial<Query> = {}) {
  for (let tries = 0; tries < 100; tries += 1) {
    const answer = await askBoth(projectId, settings, query, asExport(visitors))
    if (answer.isLive && !answer.rest) return answer
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new Error('the window is still answered from its rows')
}

test('live windows give the counts of the rows at any moment', async () => {
  const store = await sharedStore('embedded')
  let live = 0
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        batches: fc.array(fc.array(anyPageView(now, 40), { minLength: 1, maxLength: 12 }), {
          minLength: 2,
          maxLength: 6,
        }),
        settings: anySettings,
        questions: fc.array(fc.tuple(anyQuestion, fc.constantFrom(asExport(visitors), asExport(timeseries))), {
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
          live += isLive ? 1 : 0
          if (isSettled) assert.deepEqual(ours, rows)
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
      },
    ),
    { numRuns: Number(process.env['LIVE_RUNS'] ?? 15), endOnFailure: true },
  )
  assert.ok(live > 0)
})

test('rows answer what a live window does not count', async () => {
  const store = await sharedStore('embedded')
  const projectId = newProject()
  const view = { projectId, visitor: 1n, saltWindow: 'month:2026-11', time: Date.UTC(2026, 10, 5), path: '/a' }
  const agent = { category: 'ai_assistant', agent: 'ChatGPT-User', operator: 'OpenAI' } as const
  await insertPageViews(store, [pageView({ ...view, referrer: 'google.de' }), pageView({ ...view, ...agent })])
  await untilLive(projectId, usualSettings)
  for (const exported of [views, referrers, aiAgents]) {
    const { ours, rows, isLive } = await askBoth(projectId, usualSettings, {}, asExport(exported))
    assert.deepEqual(ours, rows)
    assert.deepEqual({ isLive, rows: ours.rows.length }, { isLive: false, rows: 1 }, exported.name)
  }
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
  for (const day of [20, 2]) {
    const projectId = newProject()
    const view = (visitor: bigint, on: number) => {
      const time = Date.UTC(2026, 10, on)
      return insertPageViews(store, [pageView({ projectId, visitor, saltWindow: 'month:2026-11', time, path: '/a' })])
    }
    await view(1n, 10)
    const query = { limit: 50, offset: 0, interval: 'day' } as const
    const context = { openStore: async () => store, clock: createManualClock(now) }
    const { plan, known } = await prepareQuery(context, { projectId, settings: usualSettings, query }, signal)
    await view(2n, day)
    assert.equal(
      await findCounted({ store, plan, known, dimensions: ['site', 'page'] }),
      undefined,
      'the window is followed from now on',
    )
    await untilLive(projectId, usualSettings)
    const { ours, rows } = await askBoth(projectId, usualSettings, {}, asExport(visitors))
    assert.equal(ours.totals?.['total'], 2, `day ${day}`)
    assert.deepEqual(ours, rows)
  }
})

test('a window of visitors who may return at any time is not followed', async () => {
  const store = await sharedStore('embedded')
  const projectId = newProject()
  const put = (visitor: bigint, saltWindow: string) =>
    insertPageViews(store, [pageView({ projectId, visitor, saltWindow })])
  await put(1n, '')
  await askBoth(projectId, usualSettings, {}, asExport(visitors))
  await put(2n, 'month:2026-11')
  for (let tries = 0; tries < 100; tries += 1) {
    const { isLive, rest, ours } = await askBoth(projectId, usualSettings, {}, asExport(visitors))
    assert.equal(ours.totals?.['total'], 2)
    if (!isLive) continue
    assert.deepEqual(rest?.without, ['month:2026-11'])
    return
  }
  assert.fail('no window is live')
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
