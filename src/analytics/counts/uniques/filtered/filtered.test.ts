// Queries with filters, from rows and then from counters, beside the same queries without filters about a project that has
// only the page views that match.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  anyFilters,
  anyPageView,
  anyQuestion,
  anySettings,
  isMatch,
} from '../../../../../test/support/any-page-view.ts'
import { usualSettings } from '../../../../../test/support/any-page-view.ts'
import { pageView } from '../../../../../test/support/page-views.ts'
import { sharedStore } from '../../../../../test/support/test-store.ts'
import { aiAgents, crawlers } from '../../query/exports/agents.ts'
import { breakdowns } from '../../query/exports/breakdown.ts'
import { referrers } from '../../query/exports/referrers.ts'
import { brokenPages, downloads } from '../../query/exports/requests.ts'
import { timeseries } from '../../query/exports/timeseries.ts'
import { views } from '../../query/exports/views.ts'
import { visitors } from '../../query/exports/visitors.ts'
import { toFilters } from '../../query/filters.ts'
import { generationOf, planQuery, type Query, type QuerySettings } from '../../query/plan.ts'
import { type AnsweredFrom, type Export, readPage } from '../../query/rows.ts'
import { readWindows } from '../../query/version.ts'
import type { ClickHouse } from '../../../../clickhouse/open.ts'
import { addDays, dayOf } from '../../../zone.ts'
import { insertPageViews } from '../../../store.ts'
import { sealWindows } from '../seal.ts'
import { madeFiltered } from './filtered.ts'
import { rounds } from '../../../../../test/support/rounds.ts'

/** As a process that shares its store: only sealed windows and those under filters have counters. */
const store = { ...(await sharedStore()), isOwned: false }
/** The same with memory for the counters of some windows: rows answer the others. */
const small: ClickHouse = { ...store, memory: { ...store.memory, counters: 1_200 } }
const now = new Date('2026-11-23T12:00:00Z')
const state = { projects: 0 }
const newProject = () => `prj_filtered_${process.pid}_${(state.projects += 1)}`

const own = [timeseries, visitors, views, referrers, aiAgents, crawlers, ...Object.values(breakdowns)]
const withCounters = own.map((one) => one as unknown as Export)
const everyExport = [...withCounters, ...[brokenPages, downloads].map((one) => one as unknown as Export)]

type Asked = {
  readonly settings: QuerySettings
  readonly query: Partial<Query>
  readonly rowsAtOnce?: number
  readonly from?: ClickHouse
}

async function ask(projectId: string, exported: Export, asked: Asked) {
  const { settings, query, rowsAtOnce = 1_000, from: asking = store } = asked
  const whole: Query = { limit: 50, offset: 0, interval: 'day', ...query }
  const plan = planQuery({ projectId, settings, query: whole, now })
  const windows = await readWindows(asking, projectId)
  const known = { settings, generation: generationOf(settings), windows, failed: assert.ifError, rowsAtOnce }
  const answered: AnsweredFrom[] = []
  const page = await readPage({ store: asking, plan, known, onAnswer: (from) => answered.push(from) }, exported)
  return { page, from: answered.join() }
}

async function seal(projectId: string, settings: QuerySettings): Promise<void> {
  const windows = await readWindows(store, projectId)
  if (windows.length > 0) await sealWindows(store, { projectId, settings, windows, now })
}

test('a filter counts the page views that match, from rows and from counters', async () => {
  const from = { counters: 0, rows: 0, both: 0 }
  await fc.assert(
    fc.asyncProperty(
      // Small values, which would be favoured, make empty ranges of few page views.
      fc.noBias(
        fc.record({
          some: fc.array(anyPageView(now), { minLength: 1, maxLength: 60 }),
          settings: anySettings,
          isSealed: fc.boolean(),
          rowsAtOnce: fc.constantFrom(1_000, 7),
          questions: fc.array(fc.tuple(anyQuestion, anyFilters, fc.constantFrom(...everyExport)), {
            minLength: 4,
            maxLength: 8,
          }),
        }),
      ),
      async ({ some, settings, isSealed, rowsAtOnce, questions }) => {
        const projectId = newProject()
        const all = some.map((view) => pageView({ projectId, ...view }))
        await insertPageViews(store, all)
        if (isSealed) await seal(projectId, settings)
        for (const [{ first, days, ...query }, chosen, exported] of questions) {
          const dateFrom = addDays(dayOf(settings.timeZone, now.getTime()), first - 92)
          const range = { dateFrom, dateTo: addDays(dateFrom, days) }
          const filters = toFilters(chosen)
          const asked = { settings, query: { ...query, ...range, filters }, rowsAtOnce }
          const answers = [await ask(projectId, exported, asked)]
          await madeFiltered(store)
          answers.push(await ask(projectId, exported, asked), await ask(projectId, exported, asked))
          answers.push(await ask(projectId, exported, { ...asked, from: small }))
          const other = newProject()
          const matching = all.filter((view) => isMatch(view, chosen, settings))
          await insertPageViews(
            store,
            matching.map((view) => ({ ...view, projectId: other })),
          )
          const expected = await ask(other, exported, { settings, query: { ...query, ...range } })
          for (const { page, from: answerer } of answers) {
            assert.deepEqual(page, expected.page, `${exported.name} ${JSON.stringify(chosen)} from ${answerer}`)
            from[answerer as AnsweredFrom] += 1
          }
        }
      },
    ),
    { numRuns: rounds(5), endOnFailure: true },
  )
  assert.ok(from.counters > 0 && from.rows > 0, JSON.stringify(from))
})

test('counters for which there is no memory are not read: rows answer', async () => {
  const projectId = newProject()
  const some = fc.sample(anyPageView(now, 60), { numRuns: 100, seed: 7 })
  await insertPageViews(
    store,
    some.map((view) => pageView({ projectId, ...view })),
  )
  await seal(projectId, usualSettings)
  const full: ClickHouse = { ...store, memory: { ...store.memory, counters: 1 } }
  const asked = { settings: usualSettings, query: {} }
  const exported = visitors as unknown as Export
  const [rows, counters] = [
    await ask(projectId, exported, { ...asked, from: full }),
    await ask(projectId, exported, asked),
  ]
  assert.deepEqual([rows.from, counters.from], ['rows', 'counters'])
  assert.deepEqual(rows.page, counters.page)
})

test('a section, a page or a site needs no rows, and other filters need them once', async () => {
  const [projectId, unsealed] = [newProject(), newProject()]
  const some = fc.sample(anyPageView(now, 60), { numRuns: 400, seed: 7 })
  for (const id of [projectId, unsealed]) {
    await insertPageViews(
      store,
      some.map((view) => pageView({ projectId: id, ...view })),
    )
  }
  await seal(projectId, usualSettings)
  /** The counts are those of the rows, whatever answers. */
  const answer = async (chosen: Parameters<typeof toFilters>[0], exported: Export) => {
    const asked = { settings: usualSettings, query: { filters: toFilters(chosen) } }
    const { page, from } = await ask(projectId, exported, asked)
    assert.deepEqual(page, (await ask(unsealed, exported, asked)).page, `${exported.name} ${JSON.stringify(chosen)}`)
    return from
  }
  const [series, byPage, byView, byAgent] = [timeseries, visitors, views, aiAgents] as unknown as Export[]
  for (const chosen of [
    { section: ['/a'] },
    { section: ['/a/b'] },
    { section: ['/nowhere'] },
    { path: ['/a'] },
    { site: ['site_1'] },
    { site: ['unknown'] },
    { class: ['human'] },
    { country: ['DE'] },
    { device: ['unknown'] },
    { class: ['!human'], section: ['/a'] },
  ]) {
    const { country, device } = chosen as { readonly country?: unknown; readonly device?: unknown }
    for (const exported of country || device ? [series] : [series, byPage]) {
      assert.equal(await answer(chosen, exported as Export), 'counters', JSON.stringify(chosen))
    }
  }
  assert.equal(await answer({ section: ['/a', '/b'], path: ['!/a/b'] }, byView as Export), 'counters')
  for (const [chosen, exported] of [
    [{ section: ['/a'] }, byAgent],
    [{ section: ['/a', '/b'] }, series],
    [{ agent: ['GPTBot'], operator: ['!OpenAI'] }, byPage],
    [{ referrer: ['google.com'] }, series],
    [{ representation: ['markdown'] }, byView],
  ] as const) {
    assert.equal(await answer(chosen, exported as Export), 'rows', JSON.stringify(chosen))
    await madeFiltered(store)
    assert.equal(await answer(chosen, exported as Export), 'counters', JSON.stringify(chosen))
  }
})
