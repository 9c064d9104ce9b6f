import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import type { ClickHouse } from '../../clickhouse/open.ts'
import { Failure } from '../../lib/failure.ts'
import { createManualClock } from '../../../test/support/manual-clock.ts'
import { pageView } from '../../../test/support/page-views.ts'
import { sharedStore } from '../../../test/support/test-store.ts'
import { createGroupCommit } from './group-commit.ts'
import { createValueCap } from './value-cap.ts'
import { createStoredIds } from './ids/stored-ids.ts'

const store = await sharedStore()

const clock = createManualClock()
const commitTo = (some: ClickHouse, valueCap = createValueCap(clock)) =>
  createGroupCommit({
    openStore: () => Promise.resolve(some),
    valueCap,
    storedIds: createStoredIds(assert.ifError),
    stored: () => undefined,
    maxWaiting: 64_000_000,
  })

async function rows(projectId: string, column = 'path'): Promise<readonly unknown[]> {
  const sql = `SELECT ${column} AS value FROM page_views WHERE project_id = {projectId:String} ORDER BY time, path, value`
  return (await store.read<{ value: unknown }>(sql, { projectId })).map(({ value }) => value)
}

/** Counts inserts, and holds them back until `gate` resolves. */
function slow(): { readonly store: ClickHouse; readonly inserts: number[]; readonly gate: PromiseWithResolvers<void> } {
  const inserts: number[] = []
  const gate = Promise.withResolvers<void>()
  const insert: ClickHouse['insert'] = async (table, columns, values) => {
    inserts.push(values.length)
    await gate.promise
    await store.insert(table, columns, values)
  }
  return { store: { ...store, insert }, inserts, gate }
}

const turns = async () => {
  for (let n = 0; n < 20; n += 1) await new Promise((resolve) => setImmediate(resolve))
}

test('requests that arrive during an insert share the next one', async () => {
  const { store, inserts, gate } = slow()
  const commit = commitTo(store)
  const projectId = 'prj_together'
  const first = commit.append([pageView({ projectId })])
  await turns()
  const others = Array.from({ length: 50 }, () => commit.append([pageView({ projectId }), pageView({ projectId })]))
  gate.resolve()
  await Promise.all([first, ...others])
  assert.deepEqual(inserts, [1, 100])
  assert.equal((await rows(projectId)).length, 101)
})

/** A store whose inserts take `ms` of a clock that only they move, and timers that are only recorded. */
function timed(t: TestContext, ms: number) {
  const inserts: number[] = []
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let now = 0
  t.mock.method(performance, 'now', () => now)
  const insert: ClickHouse['insert'] = async (_table, _columns, values) => {
    inserts.push(values.length)
    await new Promise((resolve) => setImmediate(resolve))
    now += ms
  }
  return { commit: commitTo({ ...store, insert }), inserts, pass: (by: number) => t.mock.timers.tick(by) }
}

test('clients of a slow insert share the next one, although they send one by one', async (t) => {
  for (const [ms, afterPause] of [
    [20, true],
    [7.9, false],
  ] as const) {
    await t.test(`an insert of ${ms} ms`, async (t) => {
      const { commit, inserts, pass } = timed(t, ms)
      const send = () => commit.append([pageView({ projectId: 'prj_slow' })])
      await Promise.all([send(), send()])
      const first = send()
      await turns()
      assert.deepEqual(inserts, afterPause ? [2] : [2, 1], 'the first one waits for the others')
      const second = send()
      pass(ms / 8)
      await Promise.all([first, second])
      assert.deepEqual(inserts, afterPause ? [2, 2] : [2, 1, 1])
    })
  }
})

test('a pause is five milliseconds at most, and a single client never waits', async (t) => {
  const { commit, inserts, pass } = timed(t, 1_000)
  const send = () => commit.append([pageView({ projectId: 'prj_pause' })])
  await send()
  await send()
  assert.deepEqual(inserts, [1, 1])
  await Promise.all([send(), send()])
  const last = send()
  await turns()
  assert.equal(inserts.length, 3)
  pass(5)
  await last
  assert.equal(inserts.length, 4)
})

test('nothing is acknowledged before it is stored', async () => {
  const { store, gate } = slow()
  const state = { acknowledged: false }
  const stored = commitTo(store)
    .append([pageView({ projectId: 'prj_ack' })])
    .then(() => (state.acknowledged = true))
  await turns()
  assert.equal(state.acknowledged, false)
  gate.resolve()
  await stored
  assert.equal((await rows('prj_ack')).length, 1)
})

test('a page view with an id is stored once, also after a restart; the first wins', async () => {
  const projectId = 'prj_once'
  const named = (path: string) => pageView({ projectId, viewId: 77n, isNamed: true, path })
  const commit = commitTo(store)
  await commit.append([named('/first'), named('/second')])
  await commit.append([named('/third')])
  await commitTo(store).append([named('/fourth')])
  assert.deepEqual(await rows(projectId), ['/first'])
})

test('the same name in another project is another view', async () => {
  const commit = commitTo(store)
  for (const projectId of ['prj_x', 'prj_y']) await commit.append([pageView({ projectId, viewId: 5n, isNamed: true })])
  assert.equal((await rows('prj_x')).length + (await rows('prj_y')).length, 2)
})

test('a failed insert fails all its requests, and the next one is tried', async () => {
  const state = { isBroken: true }
  const broken: ClickHouse = {
    ...store,
    insert: (...args) => (state.isBroken ? Promise.reject(new Failure('unavailable', 'full')) : store.insert(...args)),
  }
  const commit = commitTo(broken)
  const view = pageView({ projectId: 'prj_broken', isNamed: true })
  const both = await Promise.allSettled([commit.append([view]), commit.append([pageView({ projectId: 'prj_broken' })])])
  assert.deepEqual(
    both.map(({ status }) => status),
    ['rejected', 'rejected'],
  )
  state.isBroken = false
  await commit.append([view])
  assert.equal((await rows('prj_broken')).length, 1)
})

test('the queue is bounded by its size, and a refusal says when to try again', async () => {
  const { store, gate } = slow()
  const commit = commitTo(store)
  const projectId = 'prj_flood'
  const batch = Array.from({ length: 20_000 }, () => pageView({ projectId, signals: { accept: 'x'.repeat(600) } }))
  const taken = [1, 2, 3].map(() => commit.append(batch))
  commit.checkRoom()
  await assert.rejects(commit.append(batch), { code: 'unavailable', retryAfter: 2 })
  assert.throws(() => commit.checkRoom(), { code: 'unavailable', retryAfter: 2 })
  gate.resolve()
  await Promise.all(taken)
  commit.checkRoom()
  await commit.append([pageView({ projectId })])
  assert.equal((await rows(projectId)).length, 60_001)
})

test('every column comes back as it was', async () => {
  const projectId = 'prj_columns'
  const view = pageView({
    projectId,
    viewId: 2n ** 64n - 1n,
    visitor: 2n ** 63n,
    path: '/%C3%BC',
    userAgent: 'quotes " \\ \u0000 \u{1F600}',
    signals: { 'sec-ch-ua': '"a"', accept: 'x' },
  })
  await commitTo(store).append([view])
  const [row] = await store.read(
    `SELECT toString(view_id) AS view, toString(visitor) AS visitor, path, user_agent, signals, toString(time) AS time
      FROM page_views WHERE project_id = {projectId:String}`,
    { projectId },
  )
  assert.deepEqual(row, {
    view: '18446744073709551615',
    visitor: '9223372036854775808',
    path: '/%C3%BC',
    user_agent: view.userAgent,
    signals: '{"accept":"x","sec-ch-ua":"\\"a\\""}',
    time: '2026-11-20 09:00:00.000',
  })
})

test('the public endpoint takes a number of new paths a day; the rest share one path', async () => {
  const projectId = 'prj_cap'
  const commitWith = (now = clock) => commitTo(store, createValueCap(now, { path: 3 }))
  const browser = (path: string) => pageView({ projectId, source: 'browser', path })
  const commit = commitWith()
  await commit.append(['/1', '/2', '/3', '/4', '/5', '/1'].map(browser))
  await commit.append([browser('/6'), browser('/2'), pageView({ projectId, path: '/server' })])
  await commitWith().append([browser('/7'), browser('/3')])
  const other = '/(other)'
  assert.deepEqual(await rows(projectId), [other, other, other, other, '/1', '/1', '/2', '/2', '/3', '/3', '/server'])
  const tomorrow = createManualClock(new Date('2026-11-21T00:00:00Z'))
  await commitWith(tomorrow).append([browser('/4')])
  assert.equal((await rows(projectId)).includes('/4'), true)
})

test('the paths of referring pages count for the same number', async () => {
  const projectId = 'prj_cap_links'
  const commit = commitTo(store, createValueCap(clock, { path: 3 }))
  const missing = (referrerPath: string) => pageView({ projectId, source: 'browser', path: '/gone', referrerPath })
  await commit.append(['/a', '/b', '/c', '/a', '/gone'].map(missing))
  await commit.append([missing('/d'), pageView({ projectId, path: '/gone', referrerPath: '/server' })])
  const other = '/(other)'
  assert.deepEqual(await rows(projectId, 'referrer_path'), [other, other, '/a', '/a', '/b', '/gone', '/server'])
  assert.deepEqual(new Set(await rows(projectId)), new Set(['/gone']))
})

test('campaigns and titles of a day are limited, whatever reports them', async () => {
  const projectId = 'prj_cap_campaigns'
  const commit = commitTo(store, createValueCap(clock, { campaign: 2, title: 1 }))
  const of = (campaign: string, title: string) => pageView({ projectId, campaign, title })
  await commit.append([of('ref=a', 'A'), of('ref=b', ''), of('ref=c', 'B'), of('', ''), of('ref=a', 'A')])
  await commit.append([of('ref=d', 'A'), of('ref=b', 'C')])
  const other = '(other)'
  assert.deepEqual(await rows(projectId, 'campaign'), ['', other, other, 'ref=a', 'ref=a', 'ref=b', 'ref=b'])
  assert.deepEqual(await rows(projectId, 'title'), ['', '', other, other, 'A', 'A', 'A'])
})

test('a full insert looks up all its ids and paths, however long they are', async () => {
  const commit = commitTo(store)
  const projectId = 'prj_full'
  const named = Array.from({ length: 15_000 }, (_, n) => ({
    ...pageView({ projectId, viewId: 2n ** 63n + BigInt(n) }),
    isNamed: true,
  }))
  const long = Array.from({ length: 200 }, (_, n) => ({
    ...pageView({ projectId, source: 'browser', path: `/${n}${"'".repeat(2_000)}` }),
    isNamed: false,
  }))
  await Promise.all([commit.append(named), commit.append(long)])
  await commit.append(named)
  assert.equal((await rows(projectId)).length, named.length + long.length)
})

test('paths that the store knows are remembered within bounds, too', async () => {
  const projectId = 'prj_known'
  const state = { asked: 0 }
  const readWritten = async <T>(sql: string): Promise<readonly T[]> => {
    const paths = [...sql.matchAll(/'(\/[^']*)'/g)].map(([, path]) => ({ project_id: projectId, path }))
    state.asked += paths.length
    return paths as unknown as readonly T[]
  }
  const valueCap = createValueCap(clock)
  const see = (from: number) => {
    const numbers = Array.from({ length: 20_000 }, (_, n) => from + n)
    const views = numbers.map((n) => pageView({ projectId, source: 'browser', path: `/${n}` }))
    return valueCap.apply({ ...store, readWritten }, views)
  }
  for (let from = 0; from < 220_000; from += 20_000) await see(from)
  assert.equal(state.asked, 220_000)
  await see(200_000)
  assert.equal(state.asked, 220_000)
  await see(0)
  assert.equal(state.asked, 240_000)
})

test('a request larger than an insert is stored whole, and the next one after it', async () => {
  const inserts: number[] = []
  const commit = commitTo({ ...store, insert: async (table, columns, values) => void inserts.push(values.length) })
  const view = pageView({ projectId: 'prj_large' })
  await Promise.all([commit.append(Array.from({ length: 20_001 }, () => view)), commit.append([view])])
  assert.deepEqual(inserts, [20_001, 1])
})
