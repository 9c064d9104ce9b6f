// Breakdowns beside a count in JavaScript that knows nothing of the code under test, from rows and from counters.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyPageView, usualSettings } from '../../../../../test/support/any-page-view.ts'
import { pageView } from '../../../../../test/support/page-views.ts'
import { sharedStore } from '../../../../../test/support/test-store.ts'
import type { ClickHouse } from '../../../../clickhouse/open.ts'
import type { PageView } from '../../../page-view.ts'
import { insertPageViews } from '../../../store.ts'
import { breakdownNames, type BreakdownName } from '../../../dimensions/view-dimensions.ts'
import { addDays } from '../../../zone.ts'
import { sealWindows } from '../../uniques/seal.ts'
import { generationOf, planQuery } from '../plan.ts'
import { type AnsweredFrom, readPage } from '../rows.ts'
import { readWindows } from '../version.ts'
import { breakdowns, type ValueCounts } from './breakdown.ts'
import { rounds } from '../../../../../test/support/rounds.ts'

/** As a process that shares its store: only sealed windows have counters. */
const store = { ...(await sharedStore()), isOwned: false }
const now = new Date('2026-11-23T12:00:00Z')
const settings = usualSettings
const ai: ReadonlySet<string> = new Set(['ai_assistant', 'markdown'])
const state = { projects: 0 }

type Counts = Omit<ValueCounts, 'value'>

function count(keys: readonly (readonly [key: string, isAi: boolean])[]): Counts {
  const of = (wanted: (isAi: boolean) => boolean) =>
    new Set(keys.filter(([, isAi]) => wanted(isAi)).map(([key]) => key)).size
  return { human: of((isAi) => !isAi), ai: of((isAi) => isAi), total: of(() => true) }
}

function recount(views: readonly PageView[], by: BreakdownName) {
  const visits = views.filter(
    ({ visitor, status, isDownload, category }) =>
      visitor !== 0n && status !== 404 && !isDownload && (category === 'browser' || ai.has(category)),
  )
  const dayOf = ({ time }: PageView) => new Date(time).toISOString().slice(0, 10)
  const inOrder = visits.toSorted((a, b) => a.time - b.time || (a.viewId < b.viewId ? -1 : 1))
  const seen = new Set<string>()
  const isFirst = (view: PageView) => {
    const key = `${view.visitor} ${dayOf(view)}`
    return !seen.has(key) && seen.add(key)
  }
  const counted = by === 'entry' ? inOrder.filter(isFirst) : visits
  const valueOf = (view: PageView) => (by === 'entry' ? view.path : by === 'site' ? view.siteId : view[by])
  const keyOf = (view: PageView) => `${view.visitor}${by === 'entry' ? ` ${dayOf(view)}` : ''}`
  const toKeys = (some: readonly PageView[]) => some.map((view) => [keyOf(view), ai.has(view.category)] as const)
  const rows = Array.from(Map.groupBy(counted, valueOf), ([value, some]) => ({ value, ...count(toKeys(some)) }))
  const bytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b))
  return {
    totals: count(toKeys(counted)),
    rows: rows.toSorted((a, b) => b.total - a.total || bytes(a.value, b.value)),
  }
}

test('breakdowns are exact, from rows and from counters', async () => {
  const from = { counters: 0, rows: 0, both: 0 }
  await fc.assert(
    fc.asyncProperty(
      // Few days, so that visitors come several times a day. Small values, which would be favoured, make empty ranges.
      fc.noBias(fc.array(anyPageView(now, 8), { minLength: 20, maxLength: 80 })),
      fc.noBias(fc.array(fc.record({ first: fc.nat(9), days: fc.nat(9) }), { minLength: 2, maxLength: 2 })),
      async (some, ranges) => {
        const whole = { first: 0, days: 10 }
        const questions = breakdownNames.flatMap((by) => [whole, ...ranges].map((range) => ({ by, ...range })))
        const projectId = `prj_breakdown_${process.pid}_${(state.projects += 1)}`
        const all = some.map((view) => pageView({ projectId, ...view }))
        await insertPageViews(store, all)
        const ask = async (of: ClickHouse) => {
          const windows = await readWindows(store, projectId)
          for (const { by, first, days } of questions) {
            const dateFrom = addDays('2026-11-15', first)
            const query = { dateFrom, dateTo: addDays(dateFrom, days), limit: 50, offset: 0, interval: 'day' } as const
            const plan = planQuery({ projectId, settings, query, now })
            const known = { settings, generation: generationOf(settings), windows, failed: assert.ifError }
            const answered: AnsweredFrom[] = []
            const onAnswer = (one: AnsweredFrom) => void answered.push(one)
            const { totals, rows } = await readPage({ store: of, plan, known, onAnswer }, breakdowns[by])
            const inRange = all.filter(({ time }) => time >= plan.from && time < plan.to)
            assert.deepEqual({ totals, rows }, recount(inRange, by), `${by} from ${answered.join()}`)
            for (const one of answered) from[one] += 1
          }
        }
        await ask(store)
        await sealWindows(store, { projectId, settings, windows: await readWindows(store, projectId), now })
        // A process that has not asked yet looks for seals at once.
        await ask({ ...store })
      },
    ),
    { numRuns: rounds(3), endOnFailure: true },
  )
  assert.ok(from.counters > 0 && from.rows > 0, JSON.stringify(from))
})
