import assert from 'node:assert/strict'
import { before, suite, test } from 'node:test'
import { createManualClock } from '../../../../test/support/manual-clock.ts'
import { expectProblem, openTestApp, type Started, type TestApp } from '../../../../test/support/openapi-app.ts'
import { pageView } from '../../../../test/support/page-views.ts'
import { sharedStore } from '../../../../test/support/test-store.ts'
import { createIdentify } from '../../../analytics/collect/identify.ts'
import { insertPageViews } from '../../../analytics/store.ts'

suite('erasing a visitor over HTTP', () => {
  let t: TestApp
  let app: Started
  let path: string
  before(async () => {
    t = await openTestApp()
    const store = await sharedStore()
    const clock = createManualClock(new Date('2026-11-21T12:00:00Z'))
    app = await t.start({ analytics: { ...t.deps.analytics, clock, openStore: async () => store } })
    path = `/v1/analytics/${t.project.id}`
    const identify = createIdentify({ db: t.db, clock })
    const time = clock.now().getTime()
    const clients = [
      { time, address: '192.0.2.7', userAgent: 'Firefox', visitorId: undefined },
      { time, address: '192.0.2.8', userAgent: 'Firefox', visitorId: undefined },
      { time, address: undefined, userAgent: '', visitorId: 'ada' },
    ]
    const where = { projectId: t.project.id, timeZone: 'UTC', privacy: 'standard', visitorWindow: 'month' } as const
    const identities = await identify(where, clients, undefined)
    const views = identities.map((identity, at) => {
      return pageView({ projectId: t.project.id, ...identity, time, userAgent: clients[at]?.userAgent ?? '' })
    })
    await insertPageViews(store, views)
  })
  const erase = (json: unknown, key = t.keys.adminOfProject) => app.call(`${path}/visitors/erase`, { key, json })
  const count = async () => {
    const response = await app.call(`${path}/visitors`)
    const { totals } = (await response.json()) as { readonly totals: { readonly total: number } }
    return { total: totals.total, etag: response.headers.get('ETag') }
  }

  test('erasing a visitor lowers the counts and changes the ETag', async () => {
    const first = await count()
    assert.equal(first.total, 3)
    const response = await erase({ address: '::ffff:192.0.2.7' })
    assert.equal(response.status, 202)
    assert.deepEqual(await response.json(), { erased: { visitors: 1, pageViews: 1 } })
    const second = await count()
    assert.equal(second.total, 2)
    assert.notEqual(second.etag, first.etag)
    const named = await erase({ visitorId: 'ada' })
    assert.deepEqual(await named.json(), { erased: { visitors: 1, pageViews: 1 } })
    assert.equal((await count()).total, 1)
    assert.deepEqual(await (await erase({ visitorId: 'ada' })).json(), { erased: { visitors: 0, pageViews: 0 } })
  })

  test('the request must have either a valid visitorId or a valid address', async () => {
    const table: [unknown, string][] = [
      [{}, '#'],
      [{ visitorId: 'ada', address: '192.0.2.7' }, '#'],
      [{ visitorId: '' }, '#/visitorId'],
      [{ visitorId: 7 }, '#/visitorId'],
      [{ address: '192.0.2.0/24' }, '#/address'],
      [{ address: 'localhost' }, '#/address'],
      [{ address: null }, '#/address'],
    ]
    for (const [json, pointer] of table) {
      const problem = await expectProblem(await erase(json), 400, 'invalid_input')
      assert.equal(problem.details?.[0]?.pointer, pointer, JSON.stringify(json))
    }
  })

  test('erasing needs an admin key with access to the project', async () => {
    await expectProblem(await erase({ visitorId: 'ada' }, t.keys.write), 403, 'forbidden')
    await expectProblem(await erase({ visitorId: 'ada' }, t.keys.foreign), 404, 'not_found')
    const unknownProject = '/v1/analytics/prj_00000000000000000000/visitors/erase'
    await expectProblem(
      await app.call(unknownProject, { key: t.keys.admin, json: { visitorId: 'x' } }),
      404,
      'not_found',
    )
  })
})
