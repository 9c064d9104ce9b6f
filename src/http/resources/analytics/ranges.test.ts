import assert from 'node:assert/strict'
import { before, beforeEach, suite, test } from 'node:test'
import { type AnalyticsApp, openAnalyticsApp } from '../../../../test/support/analytics-app.ts'
import { expectProblem } from '../../../../test/support/openapi-app.ts'
import type { TimeseriesResponse } from '../../../analytics/counts/query/exports/timeseries.ts'
import type { VisitorsResponse } from '../../../analytics/counts/query/exports/visitors.ts'

suite('the ranges of exports', () => {
  let a: AnalyticsApp
  before(async () => {
    a = await openAnalyticsApp()
  })
  beforeEach(() => a.reset())

  const at = (time: string) => ({ time: Date.parse(time) })
  const totalOf = async (query: string) => (await a.get<VisitorsResponse>(`visitors?${query}`)).totals.total

  test('date ends: dateFrom is counted, dateTo is not', async () => {
    await a.put(at('2026-11-09T23:59:59.999Z'), at('2026-11-10T00:00:00.000Z'), at('2026-11-10T23:59:59.999Z'))
    await a.put(at('2026-11-11T00:00:00.000Z'))
    assert.equal(await totalOf('dateFrom=2026-11-10&dateTo=2026-11-11'), 2)
    assert.equal(await totalOf('dateFrom=2026-11-10&dateTo=2026-11-10'), 0)
    assert.equal(await totalOf('dateFrom=2026-11-10'), 3)
    assert.equal(await totalOf('dateTo=2026-11-10'), 1)
    assert.equal(await totalOf(''), 4)
  })

  test('ISO date-time inputs: the date as written counts, its time and offset do not', async () => {
    await a.put(at('2026-11-10T00:00:00Z'), at('2026-11-10T23:59:00Z'))
    const same = ['2026-11-10', '2026-11-10T00:00:00Z', '2026-11-10T23:59:60Z', '2026-11-10T12:00:00.5%2B14:00']
    const also = ['2026-11-10T12:00:00+14:00', '2026-11-10t24:00z', '2026-11-10 08:00', '2026-11-10T08-0330']
    for (const from of [...same, ...also]) {
      assert.equal(await totalOf(`dateFrom=${from}&dateTo=2026-11-11`), 2, from)
      assert.equal(await totalOf(`dateTo=${from}`), 0, from)
    }
  })

  test('platform case 24: an invalid range or page is a 400 with a pointer', async () => {
    const dates = ['2024-02-30', '2023-02-29', '2026-13-01', '2026-00-10', '2026-1-1', '', 'today', '20261110']
    const more = ['%2B012026-01-01', '-000001-01-01', '2026-11-10T25:00', '2026-11-10T12:60', '2026-W46-2', '2026-314']
    const others = [
      '2026-11-10T00:00:61Z',
      '2026-11-10T00:00%2B24:00',
      '2026-11-10%00',
      '2026-11-10%0A',
      '%F0%9F%98%80',
    ]
    for (const name of ['dateFrom', 'dateTo']) {
      for (const value of [...dates, ...more, ...others]) await expectRefusal(`${name}=${value}`, name)
      await expectRefusal(`${name}=2026-11-10&${name}=2026-11-11`, name)
    }
    for (const value of ['0', '251', '1e9', '1.5', '-1', '', '9223372036854775808', 'NaN', '1&limit=2']) {
      await expectRefusal(`limit=${value}`, 'limit')
    }
    for (const value of ['-1', '1.5', '1e9', '', '0x1', '1&offset=2']) await expectRefusal(`offset=${value}`, 'offset')
    await expectRefusal('dateFrom=2026-11-11&dateTo=2026-11-10', 'dateFrom')
    const two = await expectProblem(await a.call(`${a.path}/visitors?limit=0&dateTo=x`), 400, 'invalid_input')
    assert.deepEqual(two.details?.map(({ pointer }) => pointer).toSorted(), ['#/query/dateTo', '#/query/limit'])
    const year = await a.call(`${a.path}/timeseries?interval=year`)
    assert.equal((await expectProblem(year, 400, 'invalid_input')).details?.[0]?.pointer, '#/query/interval')
  })

  const expectRefusal = async (query: string, name: string) => {
    const problem = await expectProblem(await a.call(`${a.path}/visitors?${query}`), 400, 'invalid_input')
    assert.equal(problem.details?.[0]?.pointer, `#/query/${name}`, query)
    assert.ok(!problem.detail.includes('2026-W46'))
  }

  test('platform case 24: years far away and offsets past all ends are exact and empty', async () => {
    await a.put(at('2026-11-10T12:00:00Z'))
    assert.equal(await totalOf('dateFrom=0000-01-01&dateTo=9999-12-31'), 1)
    assert.equal(await totalOf('dateFrom=0000-01-01&dateTo=0000-12-31'), 0)
    assert.equal(await totalOf('dateFrom=9999-12-31'), 0)
    for (const offset of ['1', '1000000000', '9223372036854775808', '9'.repeat(40)]) {
      const { totals, visitors, hasMore } = await a.get<VisitorsResponse>(`visitors?offset=${offset}`)
      assert.deepEqual([totals.total, visitors, hasMore], [1, [], false], offset)
    }
    for (const name of ['views', 'timeseries', 'ai-agents', 'referrers', 'crawlers', 'broken-pages', 'downloads']) {
      await a.get(`${name}?dateFrom=0000-01-01&dateTo=9999-12-31`)
    }
  })

  test('DST: days of 23 and 25 hours are whole days; longer ranges never have fewer', async () => {
    await a.set({ time_zone: 'Europe/Berlin' })
    const hours = Array.from({ length: 24 * 4 }, (_, hour) => ({ time: Date.UTC(2026, 9, 23, 22 + hour) }))
    await a.put(...hours)
    assert.equal(await totalOf('dateFrom=2026-10-25&dateTo=2026-10-26'), 25)
    const { timeseries } = await a.get<TimeseriesResponse>('timeseries?dateFrom=2026-10-24&dateTo=2026-10-28')
    assert.deepEqual(
      timeseries.map(({ date, total }) => [date, total]),
      [
        ['2026-10-24', 24],
        ['2026-10-25', 25],
        ['2026-10-26', 24],
        ['2026-10-27', 23],
      ],
    )
  })

  test('days before the retention do not count even if page views are still stored', async () => {
    await a.set({ retention_months: 1 })
    await a.put(at('2026-10-20T23:59:59.999Z'), at('2026-10-21T00:00:00Z'))
    assert.equal(await totalOf('dateFrom=2026-01-01'), 1)
    const response = await a.call(`${a.path}/visitors?dateFrom=2026-01-01&dateTo=2027-01-01`)
    assert.equal(response.headers.get('Docent-Date-From'), '2026-10-21')
    assert.equal(response.headers.get('Docent-Date-To'), '2026-11-22')
  })

  test('a day that has not begun does not count yet', async () => {
    await a.put(at('2026-11-21T23:59:59.999Z'), at('2026-11-22T00:00:00Z'))
    assert.equal(await totalOf('dateTo=2026-12-01'), 1)
  })

  test('closed days: their counts only grow', async () => {
    await a.put(at('2026-11-10T12:00:00Z'))
    const closed = 'dateFrom=2026-11-10&dateTo=2026-11-11'
    const before = await totalOf(closed)
    await a.put(at('2026-11-11T00:00:00Z'), at('2026-11-09T23:59:59Z'))
    assert.equal(await totalOf(closed), before)
    await a.put(at('2026-11-10T13:00:00Z'))
    assert.equal(await totalOf(closed), before + 1)
  })

  test('zone change: the days of all page views change with it', async () => {
    await a.put(at('2026-11-10T23:30:00Z'))
    assert.equal(await totalOf('dateFrom=2026-11-11&dateTo=2026-11-12'), 0)
    await a.set({ time_zone: 'Asia/Kathmandu' })
    assert.equal(await totalOf('dateFrom=2026-11-11&dateTo=2026-11-12'), 1)
  })
})
