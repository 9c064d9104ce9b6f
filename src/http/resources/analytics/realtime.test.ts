import assert from 'node:assert/strict'
import { before, beforeEach, suite, test } from 'node:test'
import { type AnalyticsApp, openAnalyticsApp } from '../../../../test/support/analytics-app.ts'
import { createOracle } from '../../../../test/support/counting-oracle.ts'
import { pageView } from '../../../../test/support/page-views.ts'
import { createRandom } from '../../../../test/support/random.ts'
import type { PageView } from '../../../analytics/page-view.ts'
import type { VisitorsResponse } from '../../../analytics/counts/query/exports/visitors.ts'
import type { Realtime } from '../../../analytics/realtime/count.ts'
import { insertPageViews } from '../../../analytics/store.ts'
import type { ClickHouse } from '../../../clickhouse/open.ts'
import { dayOf, hoursOf } from '../../../analytics/zone.ts'

const settings = {
  timeZone: 'Europe/Berlin',
  retentionMonths: 25,
  collectionSource: 'both',
  categories: {},
  unverifiedAiAgents: 'count',
} as const
const none = { human: 0, ai: 0, total: 0 }
const minuteMs = 60_000

suite('the realtime answer', () => {
  let a: AnalyticsApp
  before(async () => {
    a = await openAnalyticsApp()
  })
  beforeEach(() => a.reset())

  const setTime = (time: string) => a.clock.pass(Date.parse(time) - a.clock.now().getTime())
  const random = createRandom(30)

  /** Page views of three days around now, one in four of them in the last ten minutes. */
  function createViews(now: number): readonly PageView[] {
    return Array.from({ length: 300 }, () => {
      const ago = random.chance(0.25) ? random.int(10 * minuteMs) : random.int(36 * 60 * minuteMs)
      const isAi = random.chance(0.3)
      const agent = { category: 'ai_assistant', agent: 'Claude-User', operator: 'Anthropic' } as const
      return pageView({
        projectId: a.t.project.id,
        time: now - ago + random.int(minuteMs),
        path: `/p/${random.int(14)}`,
        visitor: BigInt(random.int(60)),
        source: random.pick(['browser', 'server', 'log']),
        status: random.chance(0.1) ? 404 : 200,
        isDownload: random.chance(0.1),
        ...(isAi ? agent : { category: random.pick(['browser', 'browser', 'search']) }),
      })
    })
  }

  test('every number is that of a plain count, in days of 23, 24 and 25 hours', async () => {
    await a.set({ time_zone: settings.timeZone })
    const times = ['2026-11-21T12:34:56Z', '2026-11-21T23:02:30Z', '2026-10-25T11:00:00Z', '2026-03-29T20:20:20Z']
    const seen = new Set<number>()
    for (const time of times) {
      await a.reset()
      await a.set({ time_zone: settings.timeZone })
      await setTime(time)
      const now = a.clock.now().getTime()
      const views = createViews(now)
      await insertPageViews(a.store, views)
      const until = (Math.floor(now / 5_000) + 1) * 5_000
      const answer = await a.get<Realtime>('realtime')
      // The counts of page views between two instants, which a day contains except around midnight.
      const count = (from: number, to: number) => {
        const some = views.filter((view) => view.time >= from && view.time < to)
        const oracle = createOracle(some, settings, now, { limit: 1_000 })
        return { visitors: oracle.visitors(), views: oracle.views() }
      }
      const totals = (from: number, to: number) => {
        const { visitors, views: all } = count(from, to)
        return { visitors: visitors.totals, views: all.totals }
      }
      const { pages, ...recent } = answer.now
      const since = until - 5 * minuteMs
      assert.deepEqual(recent, totals(since, until), time)
      const all = count(since, until)
      const visitorsOf = new Map(all.visitors.rows.map(({ path, ...counts }) => [path, counts]))
      const expected = all.views.rows.map(({ path, ...counts }) => ({
        path,
        visitors: visitorsOf.get(path) ?? none,
        views: counts,
      }))
      assert.deepEqual(pages, expected.slice(0, 10), time)
      assert.equal(pages.length, 10)

      const { hours, date, ...today } = answer.today
      const starts = hoursOf(settings.timeZone, dayOf(settings.timeZone, now))
      seen.add(hours.length)
      const ends = [...starts.slice(1).map(({ from }) => from), Infinity]
      assert.deepEqual(today, totals(starts[0]?.from ?? 0, Infinity), time)
      for (const [at, { start, ...counts }] of hours.entries()) {
        const from = starts[at]?.from ?? 0
        assert.equal(Date.parse(start), from)
        assert.deepEqual(counts, totals(from, ends[at] ?? 0), start)
      }
      const visitors = await a.get<VisitorsResponse>(`visitors?dateFrom=${date}`)
      const viewed = await a.get<VisitorsResponse>(`views?dateFrom=${date}`)
      assert.deepEqual(today, { visitors: visitors.totals, views: viewed.totals })
    }
    assert.deepEqual(
      [...seen].toSorted((one, other) => one - other),
      [23, 24, 25],
    )
  })

  test('filters count the page views that match, as the exports do', async () => {
    await setTime('2026-11-21T12:34:56Z')
    const now = a.clock.now().getTime()
    const views = createViews(now)
    await insertPageViews(a.store, views)
    const until = (Math.floor(now / 5_000) + 1) * 5_000
    const isRecent = ({ time }: PageView) => time >= until - 5 * minuteMs && time < until
    const ofAgent = ({ agent }: PageView) => agent === 'Claude-User'
    const cases: readonly (readonly [string, (view: PageView) => boolean])[] = [
      ['section=/p/1', ({ path }) => path === '/p/1'],
      ['agent=Claude-User&path=!/p/2', (view) => ofAgent(view) && view.path !== '/p/2'],
      ['class=human&path=/p/3&path=/p/4', (view) => view.category === 'browser' && /\/[34]$/.test(view.path)],
      ['path=/nowhere', () => false],
    ]
    const tags = new Set<string | null>()
    for (const [query, isMatch] of cases) {
      const response = await a.call(`${a.path}/realtime?${query}`)
      tags.add(response.headers.get('ETag'))
      const answer = (await response.json()) as Realtime
      const some = views.filter((view) => isMatch(view) && isRecent(view))
      const oracle = createOracle(some, { ...settings, timeZone: 'UTC' }, now, { limit: 1_000 })
      const { pages, ...recent } = answer.now
      assert.deepEqual(recent, { visitors: oracle.visitors().totals, views: oracle.views().totals }, query)
      assert.deepEqual(
        pages.map(({ path }) => path),
        oracle
          .views()
          .rows.slice(0, 10)
          .map(({ path }) => path),
      )
      const { date, hours, ...today } = answer.today
      assert.equal(hours.length, 24)
      const visitors = await a.get<VisitorsResponse>(`visitors?dateFrom=${date}&${query}`)
      const viewed = await a.get<VisitorsResponse>(`views?dateFrom=${date}&${query}`)
      assert.deepEqual(today, { visitors: visitors.totals, views: viewed.totals }, query)
    }
    assert.equal(tags.size, cases.length)
  })

  test('a filtered answer counts as an export once, whoever shares it', async () => {
    await setTime('2026-11-21T12:00:00Z')
    const { call } = await a.start({ exportsPerHour: 1 })
    const ask = (query: string) => call(`${a.path}/realtime${query}`)
    const first = await ask('?path=/a')
    assert.deepEqual([first.status, first.headers.get('RateLimit')?.split(';')[1]], [200, 'r=0'])
    assert.equal((await ask('?path=/b')).status, 429)
    assert.equal((await ask('')).status, 200, 'all page views cost nothing')
  })

  test('a page view leaves after five minutes, and the tag changes with it', async () => {
    await setTime('2026-11-21T12:00:00Z')
    const ask = async (tag?: string) => {
      const response = await a.call(`${a.path}/realtime`, {
        headers: tag === undefined ? {} : { 'If-None-Match': tag },
      })
      const text = await response.text()
      const total = response.status === 200 ? (JSON.parse(text) as Realtime).now.views.total : undefined
      return { status: response.status, tag: response.headers.get('ETag') ?? '', total, headers: response.headers }
    }
    await a.put({ time: a.clock.now().getTime() })
    const first = await ask()
    assert.deepEqual([first.status, first.total], [200, 1])
    assert.equal(first.headers.get('Docent-Count'), 'exact')
    assert.equal(first.headers.get('Docent-Visitor-Window'), 'month')
    assert.equal((await ask(first.tag)).status, 304)
    await a.clock.pass(4 * minuteMs + 50_000)
    assert.deepEqual(await ask(first.tag).then(({ status, total }) => [status, total]), [200, 1])
    await a.clock.pass(10_000)
    const quiet = await ask(first.tag)
    assert.deepEqual([quiet.status, quiet.total], [200, 0])
    await a.clock.pass(3_600_000)
    assert.equal((await ask(quiet.tag)).status, 304, 'nothing has changed in an hour')
    await a.put({ time: a.clock.now().getTime() - 3_600_000 })
    await a.clock.pass(5_000)
    assert.equal((await ask(quiet.tag)).status, 200, 'a late page view changes today')
    await setTime('2026-11-22T00:30:00Z')
    const next = await a.get<Realtime>('realtime')
    assert.deepEqual([next.today.date, next.today.views.total], ['2026-11-22', 0])
  })

  test('all who ask within five seconds share one answer, which costs no export', async () => {
    await setTime('2026-11-21T12:00:00Z')
    const statements: string[] = []
    const store: ClickHouse = {
      ...a.store,
      read: (sql, params, signal) => {
        statements.push(sql)
        return a.store.read(sql, params, signal)
      },
    }
    const { call } = await a.start({ exportsPerHour: 1, store })
    const ask = async () => {
      const response = await call(`${a.path}/realtime`)
      assert.equal(response.status, 200)
      return (await response.json()) as Realtime
    }
    const [one, ...others] = await Promise.all(Array.from({ length: 20 }, ask))
    for (const other of others) assert.deepEqual(other, one)
    assert.equal(statements.filter((sql) => sql.includes('analytics.realtime')).length, 1)
    await a.put({ time: a.clock.now().getTime() })
    assert.equal((await ask()).now.views.total, 0)
    await a.clock.pass(5_000)
    assert.equal((await ask()).now.views.total, 1)
    assert.equal(statements.filter((sql) => sql.includes('analytics.realtime')).length, 2)
  })
})
