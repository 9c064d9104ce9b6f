import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { usualSettings as settings } from '../../../../test/support/any-page-view.ts'
import { pageView } from '../../../../test/support/page-views.ts'
import { sharedStore } from '../../../../test/support/test-store.ts'
import { generationOf, planQuery } from '../query/plan.ts'
import { type Export, readPage } from '../query/rows.ts'
import { readWindows } from '../query/version.ts'
import { visitors } from '../query/exports/visitors.ts'
import { insertPageViews } from '../../store.ts'
import { rebuildWindow } from './rebuild.ts'
import { sealWindows } from './seal.ts'
import { readSeals } from './sealed.ts'
import { knownWindows } from './windows.ts'

const store = await sharedStore()
const now = new Date('2026-11-23T12:00:00Z')
const window = 'month:2026-10'
const generation = generationOf(settings)

let projects = 0
async function open() {
  const projectId = `prj_rebuild_${process.pid}_${(projects += 1)}`
  const put = (visitor: bigint, day: number) =>
    insertPageViews(store, [
      pageView({ projectId, visitor, saltWindow: window, time: Date.UTC(2026, 9, day), path: '/a' }),
    ])
  const state = { times: 0 }
  const rebuild = (name = window) => {
    state.times += 1
    return rebuildWindow(store, { projectId, settings, window: name, now: new Date(now.getTime() + state.times) })
  }
  const ask = async () => {
    const plan = planQuery({ projectId, settings, query: { limit: 50, offset: 0, interval: 'day' }, now })
    const known = { settings, generation, windows: await knownWindows(store, projectId), failed: assert.ifError }
    return (await readPage({ store, plan, known }, visitors as unknown as Export)).totals?.['total']
  }
  const seals = () => readSeals(store, { projectId, generation })
  return { projectId, put, rebuild, ask, seals }
}

test('a window is counted again, and right counters stay equal', async () => {
  const { put, rebuild, ask, seals } = await open()
  for (const [visitor, day] of [
    [1n, 1],
    [1n, 5],
    [2n, 5],
  ] as const)
    await put(visitor, day)
  assert.equal(await rebuild(), 'new')
  const [first] = await seals()
  assert.equal(await ask(), 2)
  assert.equal(await rebuild(), 'equal')
  const [second, ...others] = await seals()
  assert.deepEqual(others, [])
  assert.notEqual(second?.build, first?.build)
  assert.equal(await ask(), 2)
})

test('a window that was sealed together with others is compared by itself', async () => {
  const { projectId, put, rebuild } = await open()
  await put(1n, 1)
  await insertPageViews(store, [pageView({ projectId, visitor: 2n, saltWindow: 'month:2026-11', path: '/b' })])
  const windows = await readWindows(store, projectId)
  assert.equal((await sealWindows(store, { projectId, settings, windows, now })).length, 2)
  for (const one of windows) assert.equal(await rebuild(one.window), 'equal')
})

test('wrong counters are found and replaced', async () => {
  const { projectId, put, rebuild, ask } = await open()
  await put(1n, 1)
  await put(2n, 5)
  await rebuild()
  const wrong = 'ALTER TABLE counters UPDATE total = arrayMap(one -> one + 5, total), human = total'
  await store.rewrite(`${wrong} WHERE project_id = {projectId:String}`, { projectId })
  assert.equal(await rebuild(), 'different')
  assert.equal(await ask(), 2)
  assert.equal(await rebuild(), 'equal')
})

test('counters of other page views are not compared', async () => {
  const { put, rebuild } = await open()
  await put(1n, 1)
  await rebuild()
  await put(2n, 1)
  assert.equal(await rebuild(), 'new')
  assert.equal(await rebuild('month:2026-09'), undefined)
})

test('queries get the counts of the page views while windows are counted again', async () => {
  const { put, rebuild, ask } = await open()
  const state = { stored: 0, isOver: false, asked: 0, rebuilt: 0 }
  const storing = (async () => {
    while (!state.isOver && (state.asked < 5 || state.rebuilt < 3)) {
      await put(BigInt(state.stored + 1), 1 + (state.stored % 20))
      state.stored += 1
    }
    state.isOver = true
  })()
  const asking = (async () => {
    while (!state.isOver) {
      const least = state.stored
      const total = (await ask()) ?? 0
      assert.ok(total >= least && total <= state.stored + 1, `${total} visitors of ${least} to ${state.stored + 1}`)
      state.asked += 1
      await setImmediate()
    }
  })().finally(() => (state.isOver = true))
  while (!state.isOver) {
    await rebuild()
    state.rebuilt += 1
  }
  await Promise.all([storing, asking])
  assert.equal(await ask(), state.stored)
  assert.match((await rebuild()) ?? '', /^(?:new|equal)$/)
  assert.equal(await ask(), state.stored)
})
