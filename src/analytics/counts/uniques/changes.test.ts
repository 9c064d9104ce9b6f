// Histories in which settings change between and during writes, and writes fail or end with the process: at any moment, the
// answers of the process that owns the store, of one that starts then, and of one that shares it equal a plain count.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyPageView, anySettings, usualSettings } from '../../../../test/support/any-page-view.ts'
import { assertExact } from '../../../../test/support/exact-uniques.ts'
import { pageView } from '../../../../test/support/page-views.ts'
import { sharedStore } from '../../../../test/support/test-store.ts'
import type { ClickHouse } from '../../../clickhouse/open.ts'
import type { PageView } from '../../page-view.ts'
import { generationOf, type QuerySettings } from '../query/plan.ts'
import { insertPageViews } from '../../store.ts'
import { deleteWhere } from '../../delete.ts'
import { addDays, dayOf } from '../../zone.ts'
import { dropStale } from './drop-stale.ts'
import { sealWindows } from './seal.ts'
import { refreshWindows } from './windows.ts'
import { rounds } from '../../../../test/support/rounds.ts'

const now = new Date('2026-11-23T12:00:00Z')
const base = await sharedStore()
const names = { projects: 0 }
const newProject = () => `prj_changes_${process.pid}_${(names.projects += 1)}`

const anyWrites = fc.array(anyPageView(now, 28), { minLength: 1, maxLength: 12 })
const anyWindow = fc.constantFrom('month' as const, 'week' as const, 'never' as const)
const anyChange = fc.record({ chosen: anySettings, visitorWindow: anyWindow }).map((some) => ({
  kind: 'set' as const,
  settings: { ...some.chosen, visitorWindow: some.visitorWindow } satisfies QuerySettings,
}))
const write = fc.record({ kind: fc.constant('write' as const), views: anyWrites })
const erase = fc.record({ kind: fc.constant('erase' as const), visitor: fc.integer({ min: 1, max: 306 }).map(BigInt) })
const seal = fc.record({ kind: fc.constant('seal' as const) })
const drop = fc.record({ kind: fc.constant('drop' as const) })
/** Where a step is cut: at which of its writes, on which side of it, and does the process end? */
const anyCut = fc.record({
  at: fc.constantFrom(1, 1, 2, 3),
  isStored: fc.boolean(),
  isEnd: fc.boolean(),
})
const anyStep = fc.record({
  step: fc.oneof({ weight: 4, arbitrary: write }, { weight: 3, arbitrary: seal }, anyChange, erase, drop),
  cut: fc.option(anyCut, { nil: undefined, freq: 2 }),
  /** Happens before the n-th write of the step. */
  meanwhile: fc.option(fc.record({ at: fc.integer({ min: 1, max: 3 }), step: fc.oneof(write, anyChange, erase) }), {
    nil: undefined,
  }),
  question: fc.record({
    first: fc.integer({ min: 0, max: 32 }),
    days: fc.integer({ min: 1, max: 33 }),
    interval: fc.constantFrom('day' as const, 'week' as const, 'month' as const),
  }),
})
type Step = typeof anyStep extends fc.Arbitrary<infer T> ? T : never

const cutOff = new Error('cut')

/** Calls `before` and `after` around each write of a statement. */
function hooked(hooks: { readonly before: () => Promise<void>; readonly after: () => void }): ClickHouse {
  const around = async (work: () => Promise<void>) => {
    await hooks.before()
    await work()
    hooks.after()
  }
  return {
    ...base,
    insert: (...given) => around(() => base.insert(...given)),
    rewrite: (...given) => around(() => base.rewrite(...given)),
  }
}

/** A project, the page views that it must have, and the process that serves it. */
function open() {
  const projectId = newProject()
  const state = {
    settings: usualSettings,
    views: [] as readonly PageView[],
    /** The change that the write under way makes. */
    underway: undefined as ((views: readonly PageView[]) => readonly PageView[]) | undefined,
    writes: 0,
    step: undefined as Step | undefined,
    counted: 0,
  }
  const settle = () => {
    state.views = state.underway?.(state.views) ?? state.views
    state.underway = undefined
  }
  const before = async () => {
    state.writes += 1
    const { step, writes } = state
    const { underway } = state
    if (step?.meanwhile?.at === writes) {
      state.step = undefined
      await run(step.meanwhile.step)
      state.step = step
      state.underway = underway
      state.writes = writes
    }
    if (step?.cut?.at === writes && !step.cut.isStored) throw cutOff
  }
  const after = () => {
    settle()
    if (state.step?.cut?.at === state.writes) throw cutOff
  }
  let store = hooked({ before, after })
  const shared = { ...base, isOwned: false }
  const windowsNow = async () => (await refreshWindows(store)).filter((one) => one.projectId === projectId)
  const run = async (step: Step['step']) => {
    const { settings } = state
    if (step.kind === 'set') state.settings = step.settings
    if (step.kind === 'write') {
      const views = step.views.map((view) => pageView({ projectId, ...view }))
      state.underway = (known) => [...known, ...views]
      await insertPageViews(store, views)
    }
    if (step.kind === 'erase') {
      state.underway = (known) => known.filter(({ visitor }) => visitor !== step.visitor)
      await deleteWhere(store, 'page_views', `project_id = {projectId:String} AND visitor = ${step.visitor}`, {
        projectId,
      })
    }
    if (step.kind === 'seal') {
      const windows = await windowsNow()
      if (windows.length > 0) await sealWindows(store, { projectId, settings, windows, now })
    }
    if (step.kind === 'drop') {
      const kept = { projectId, generations: [generationOf(settings)], windows: await windowsNow() }
      await dropStale(store, { ...kept, before: now.getTime() + 1 })
    }
  }
  return {
    state,
    take: async (step: Step) => {
      Object.assign(state, { step, writes: 0, underway: undefined })
      await run(step.step).catch((error: unknown) => {
        if (error !== cutOff) throw error
        if (step.cut?.isEnd) store = hooked({ before, after })
      })
      state.step = undefined
    },
    compare: async ({ question: { first, days, interval } }: Step) => {
      const { settings, views } = state
      const dateFrom = addDays(dayOf(settings.timeZone, now.getTime()), first - 30)
      const query = { dateFrom, dateTo: addDays(dateFrom, days), interval }
      for (const one of [store, shared, { ...base }])
        state.counted += await assertExact({ store: one, projectId, settings, now }, views, query)
    },
  }
}

test('settings that change and writes that are cut off leave exact uniques', async (t) => {
  let [counted, passed] = [0, 0]
  const measured = performance.now.bind(performance)
  // A process asks for seals again after some seconds.
  t.mock.method(performance, 'now', () => measured() + passed)
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { minLength: 3, maxLength: 9 }), async (steps) => {
      const { state, take, compare } = open()
      for (const step of steps) {
        await take(step)
        passed += 10_000
        await compare(step)
      }
      counted += state.counted
    }),
    { numRuns: rounds(4), endOnFailure: true },
  )
  assert.ok(counted > 0, 'counters answered')
})

test('page views that are stored by an insert that failed count at once', async () => {
  const { state, take, compare } = open()
  const question = { first: 0, days: 31, interval: 'day' as const }
  const writing = (visitor: bigint, cut?: Step['cut']): Step => {
    const view = { visitor, saltWindow: 'month:2026-11', time: now.getTime() - 86_400_000 * Number(visitor) }
    return { step: { kind: 'write', views: [view] }, cut, meanwhile: undefined, question }
  }
  await take(writing(1n))
  for (let tries = 0; state.counted === 0 && tries < 100; tries += 1) await compare(writing(1n))
  assert.ok(state.counted > 0, 'the window is live')
  await take(writing(2n, { at: 1, isStored: true, isEnd: false }))
  assert.equal(state.views.length, 2)
  await compare(writing(2n))
})
