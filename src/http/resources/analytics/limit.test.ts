import assert from 'node:assert/strict'
import { before, beforeEach, suite, test } from 'node:test'
import { type AnalyticsApp, openAnalyticsApp } from '../../../../test/support/analytics-app.ts'
import { expectProblem } from '../../../../test/support/openapi-app.ts'
import { createPeople, removePeople } from '../../../../test/support/signed-in.ts'
import { askForAll, currentAsker } from '../../../clickhouse/asker.ts'
import type { ClickHouse } from '../../../clickhouse/open.ts'
import { Failure } from '../../../lib/failure.ts'

suite('the limit of exports', () => {
  let a: AnalyticsApp
  before(async () => {
    a = await openAnalyticsApp()
  })
  beforeEach(async () => {
    await a.reset()
    await removePeople(a.t)
  })

  /** A store in which a query for rows takes so many milliseconds, and all others take no time. */
  const storeOf = (ms: number, isRows = (sql: string) => sql.startsWith('/* analytics.')): ClickHouse => ({
    ...a.store,
    read: (sql, params, signal) => {
      const asker = currentAsker()
      if (asker && isRows(sql)) asker.spentMs += ms
      return askForAll(() => a.store.read(sql, params, signal))
    },
  })
  const left = (response: Response) =>
    Number(/^"exports";r=(\d+);t=\d+$/.exec(response.headers.get('RateLimit') ?? '')?.[1])
  const share = async (name: string) => {
    const response = await a.t.call(`/v1/projects/${a.t.project.id}/shares`, { key: a.t.keys.admin, json: { name } })
    return ((await response.json()) as { readonly link: string }).link.split('#')[1] ?? ''
  }

  test('the headers say what is left; 304 and invalid queries cost nothing', async () => {
    const limited = await a.start({ exportsPerHour: 10, store: storeOf(60) })
    for (let tries = 0; tries < 3; tries += 1) await limited.call(`${a.path}/visitors?limit=0`)
    await a.put({ path: '/a' })
    const first = await limited.call(`${a.path}/visitors`)
    assert.equal(first.headers.get('RateLimit-Policy'), '"exports";q=10;w=3600')
    assert.equal(left(first), 7)
    for (const expected of [4, 1, 0]) assert.equal(left(await limited.call(`${a.path}/views`)), expected)
    const refused = await limited.call(`${a.path}/visitors?limit=1`)
    assert.ok(Number(refused.headers.get('Retry-After')) > 3_000)
    assert.equal(left(refused), 0)
    await expectProblem(refused, 429, 'rate_limited')
    const headers = { 'If-None-Match': first.headers.get('ETag') ?? '' }
    assert.equal((await limited.call(`${a.path}/visitors`, { headers })).status, 304)
  })

  test('a question that is too large costs what the store did for it', async () => {
    const store = storeOf(30_000)
    const read: ClickHouse['read'] = async (sql, params, signal) => {
      const rows = await store.read(sql, params, signal)
      if (sql.startsWith('/* analytics.views')) throw new Failure('question_too_large', 'This is too large.')
      return rows as never
    }
    const limited = await a.start({ exportsPerHour: 2_000, store: { ...store, read } })
    await a.put({ path: '/a' })
    const failed = await limited.call(`${a.path}/views`)
    assert.equal(left(failed), 500)
    await expectProblem(failed, 422, 'question_too_large')
  })

  test('a shared link that is used up locks nobody else out, also after a restart', async () => {
    const start = () => a.start({ exportsPerHour: 10, store: storeOf(200) })
    const limited = await start()
    await a.put({ path: '/a' })
    const [link, other] = [await share('Wall'), await share('Team')]
    const people = createPeople({ ...a.t, ...limited })
    const ada = await people.setUp()
    const bob = await people.join(ada, 'viewer')
    const ask = (key: string, app = limited) => app.call(`${a.path}/views`, { key })
    assert.equal(left(await ask(link)), 0)
    for (const app of [limited, await start()]) {
      const refused = await ask(link, app)
      assert.match(
        await refused.clone().text(),
        /This shared link has asked for as many statistics as it may in an hour/,
      )
      await expectProblem(refused, 429, 'rate_limited')
    }
    for (const cookie of [ada, bob]) {
      assert.equal((await people.send(`${a.path}/views`, { cookie })).status, 200)
      await expectProblem(await people.send(`${a.path}/views`, { cookie }), 429, 'rate_limited')
    }
    for (const key of [other, a.t.keys.read, a.t.keys.write]) {
      assert.equal((await ask(key)).status, 200)
      await expectProblem(await ask(key), 429, 'rate_limited')
    }
  })

  test('each piece of a CSV file costs, and a file that has begun ends', async () => {
    await a.store.command(`INSERT INTO page_views (project_id, view_id, time, path, status, source, visitor, category,
      representation, verified) SELECT '${a.t.project.id}', number, '2026-11-20 10:00:00', concat('/', toString(number)),
      200, 'browser', number + 1, 'browser', 'html', 'none' FROM numbers(45000)`)
    const limited = await a.start({ exportsPerHour: 30, store: storeOf(300) })
    const response = await limited.call(`${a.path}/views.csv`)
    assert.equal(left(response), 15)
    assert.equal((await response.text()).split('\r\n').length, 45_002)
    assert.equal(left(await limited.call(`${a.path}/views`)), 0, 'three pieces')
    const stricter = await a.start({ exportsPerHour: 40, store: storeOf(1_000) })
    await a.t.db.deleteFrom('rate_limits').execute()
    const file = async () => (await stricter.call(`${a.path}/views.csv`)).text()
    await assert.rejects(file, { code: 'rate_limited' })
  })

  test('the store measures its queries', async () => {
    const read: ClickHouse['read'] = async (sql, params, signal) => {
      if (sql.startsWith('/* analytics.views')) await a.store.read('SELECT sleep(0.1)', params, signal)
      return a.store.read(sql, params, signal)
    }
    await a.put({ path: '/a' })
    const { call } = await a.start({ exportsPerHour: 1_000, store: { ...a.store, read } })
    // Half of the time may belong to a window that begins to be followed.
    assert.ok(left(await call(`${a.path}/views`)) <= 997)
  })
})
