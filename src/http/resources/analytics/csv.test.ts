import assert from 'node:assert/strict'
import { before, beforeEach, suite, test } from 'node:test'
import { type AnalyticsApp, openAnalyticsApp } from '../../../../test/support/analytics-app.ts'
import type { ClickHouse } from '../../../clickhouse/open.ts'

suite('analytics as CSV', () => {
  let a: AnalyticsApp
  before(async () => {
    a = await openAnalyticsApp()
  })
  beforeEach(() => a.reset())

  const csv = async (name: string, headers = {}) => {
    const response = await a.call(`${a.path}/${name}`, { headers })
    assert.equal(response.status, 200)
    assert.match(response.headers.get('Content-Type') ?? '', /^text\/csv; charset=utf-8/)
    return response.text()
  }

  test('all rows under .csv, and the page as CSV with Accept: text/csv', async () => {
    await a.put({ path: '/a', visitor: 1n }, { path: '/a', visitor: 2n }, { path: '/b', visitor: 1n })
    const all = 'path,human,ai,total\r\n/a,2,0,2\r\n/b,1,0,1\r\n'
    assert.equal(await csv('visitors.csv?limit=1'), all)
    assert.equal(await csv('visitors?limit=1', { Accept: 'text/csv' }), 'path,human,ai,total\r\n/a,2,0,2\r\n')
  })

  test('more rows than are read at once come in order, each once', async () => {
    await a.store.command(`INSERT INTO page_views (project_id, view_id, time, path, status, source, visitor, category,
      representation, verified) SELECT '${a.t.project.id}', number, '2026-11-20 10:00:00', concat('/', toString(number)),
      200, 'browser', number + 1, 'browser', 'html', 'none' FROM numbers(45000)`)
    const lines = (await csv('visitors.csv')).split('\r\n').slice(1, -1)
    const expected = Array.from({ length: 45_000 }, (_, index) => `/${index},1,0,1`)
    assert.deepEqual(lines.toSorted(), expected.toSorted())
  })

  test('cells that a spreadsheet would run become text', async () => {
    await a.put({ referrer: '=cmd|x' }, { referrer: '@sum(1,2)' })
    const lines = (await csv('referrers.csv')).split('\r\n')
    assert.deepEqual(lines, ['referrer,visitors', "'=cmd|x,1", `"'@sum(1,2)",1`, ''])
  })

  test('HEAD returns only the headers', async () => {
    for (const name of ['visitors', 'visitors.csv']) {
      const response = await a.call(`${a.path}/${name}`, { method: 'HEAD' })
      assert.equal(response.status, 200)
      assert.ok(response.headers.has('ETag'))
      assert.equal(await response.text(), '')
    }
  })

  test('a caller who leaves cancels the query', async () => {
    const reads: (AbortSignal | undefined)[] = []
    const watched: ClickHouse = {
      ...a.store,
      read: (sql, params, signal) => {
        // A window is followed for all callers.
        if (!sql.startsWith('/* live.')) reads.push(signal)
        return a.store.read(sql, params, signal)
      },
    }
    await a.put({ path: '/a' })
    const { app: own } = await a.start({ store: watched })
    const headers = { Authorization: `Bearer ${a.t.keys.read}` }
    const response = await own.fetch(new Request(`https://docs.test${a.path}/visitors.csv`, { headers }))
    await response.body?.cancel()
    assert.deepEqual(
      reads.map((read) => read?.aborted),
      [undefined, false, true, true],
      'parts for all, versions, seals, rows',
    )
  })
})
