import assert from 'node:assert/strict'
import { before, suite, test } from 'node:test'
import { expectProblem, openTestApp, type Started, type TestApp } from '../../../../test/support/openapi-app.ts'
import { pageView } from '../../../../test/support/page-views.ts'
import { sharedStore } from '../../../../test/support/test-store.ts'
import { createManualClock } from '../../../../test/support/manual-clock.ts'
import { insertPageViews } from '../../../analytics/store.ts'
import type { StoredView } from '../../../analytics/stored-views.ts'

suite('exporting page views over HTTP', () => {
  let t: TestApp
  let app: Started
  let path: string
  const many = 10_500
  before(async () => {
    t = await openTestApp()
    const store = await sharedStore()
    const clock = createManualClock(new Date('2026-11-21T12:00:00Z'))
    app = await t.start({ analytics: { ...t.deps.analytics, clock, openStore: async () => store } })
    path = `/v1/analytics/${t.project.id}/page-views`
    const at = (time: string) => Date.parse(`2026-11-${time}Z`)
    const projectId = t.project.id
    await insertPageViews(store, [
      pageView({ projectId, time: at('10T23:59:59.999'), path: '/b', visitor: 2n ** 63n + 1n }),
      pageView({ projectId, time: at('10T00:00:00'), path: '/c', visitor: 0n, category: 'search', agent: 'Googlebot' }),
      pageView({ projectId, time: at('11T00:00:00'), path: '/a', status: 404, referrer: 'example.org' }),
      pageView({ projectId: t.other.id, time: at('10T12:00:00') }),
      // More than a piece of one page within a millisecond, so that the id decides.
      ...Array.from({ length: many }, () => pageView({ projectId, time: at('12T00:00:00'), path: '/many' })),
    ])
  })
  const read = async (query = '', key = t.keys.read) => {
    const response = await app.call(`${path}${query}`, { key })
    assert.equal(response.status, 200)
    const text = await response.text()
    assert.equal(response.headers.get('Content-Type'), 'application/x-ndjson')
    assert.ok(response.headers.has('RateLimit'))
    return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as StoredView]))
  }

  test('all stored page views of the range come day by day, without ids of visitors', async () => {
    const rows = await read('?dateFrom=2026-11-10&dateTo=2026-11-12')
    assert.deepEqual(
      rows.map(({ date, time, path: page, class: of, status }) => [date, time, page, of, status]),
      [
        ['2026-11-10', '2026-11-10T23:59:59.999Z', '/b', 'human', 200],
        ['2026-11-10', '2026-11-10T00:00:00.000Z', '/c', 'neither', 200],
        ['2026-11-11', '2026-11-11T00:00:00.000Z', '/a', 'human', 404],
      ],
    )
    assert.deepEqual([rows[1]?.agent, rows[0]?.agent, rows[2]?.referrer], ['Googlebot', null, 'example.org'])
    assert.ok(rows.every((row) => !('visitor' in row) && !('userAgent' in row)))
    assert.deepEqual(await read('?dateFrom=2026-11-10&dateTo=2026-11-10'), [])
  })

  test('pieces of a day neither repeat nor lose a page view', async () => {
    assert.equal((await read('?dateFrom=2026-11-12&dateTo=2026-11-13')).length, many)
    assert.equal((await read()).length, many + 3)
  })

  test('ids of visitors need admin rights, and are exact', async () => {
    const query = '?dateTo=2026-11-11&visitorIds=true'
    const rows = await read(query, t.keys.adminOfProject)
    assert.deepEqual(
      rows.map(({ visitor }) => visitor),
      ['9223372036854775809', null],
    )
    await expectProblem(await app.call(path + query, { key: t.keys.write }), 403, 'forbidden')
    await expectProblem(await app.call(path, { key: t.keys.foreign }), 404, 'not_found')
    await expectProblem(await app.call(`${path}?dateFrom=2026-11-12&dateTo=2026-11-11`), 400, 'invalid_input')
  })
})
