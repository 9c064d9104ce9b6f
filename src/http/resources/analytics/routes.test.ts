import assert from 'node:assert/strict'
import { before, beforeEach, suite, test } from 'node:test'
import { type AnalyticsApp, openAnalyticsApp } from '../../../../test/support/analytics-app.ts'
import { expectProblem } from '../../../../test/support/openapi-app.ts'
import type { VisitorsResponse } from '../../../analytics/counts/query/exports/visitors.ts'
import { rewritePageViews } from '../../../analytics/store.ts'
import { Failure } from '../../../lib/failure.ts'
import { createSite } from '../../../projects/sites.ts'
import { exports } from './exports.ts'

suite('the exports of analytics', () => {
  let a: AnalyticsApp
  before(async () => {
    a = await openAnalyticsApp()
  })
  beforeEach(() => a.reset())

  test('a visitor counts once, in any class and with any number of views', async () => {
    const ai = { category: 'ai_assistant', agent: 'ChatGPT-User', operator: 'OpenAI' } as const
    await a.put({ visitor: 1n, path: '/a' }, { visitor: 2n, path: '/a' }, { visitor: 1n, path: '/a', ...ai })
    await a.put({ visitor: 3n, path: '/b', ...ai }, { visitor: 4n, path: '/b', category: 'search' }, { visitor: 0n })
    assert.deepEqual(await a.get('visitors'), {
      totals: { human: 2, ai: 2, total: 3 },
      perWindow: null,
      visitors: [
        { path: '/a', human: 2, ai: 1, total: 2 },
        { path: '/b', human: 0, ai: 1, total: 1 },
      ],
      hasMore: false,
    })
  })

  test('a range over two months says how its visitors are distinguished', async () => {
    const time = Date.parse('2026-10-30T10:00:00Z')
    await a.put({ visitor: 1n, saltWindow: 'month:2026-11' }, { visitor: 2n, saltWindow: 'month:2026-10', time })
    const note = 'counted per month: Oct 25–31 and Nov 1–21; a person who came in both counts twice'
    for (const name of ['visitors', 'timeseries', 'ai-agents', 'referrers']) {
      const { perWindow } = await a.get<VisitorsResponse>(`${name}?dateFrom=2026-10-25`)
      assert.deepEqual(perWindow, { window: 'month', windows: 2, note }, name)
      assert.equal((await a.get<VisitorsResponse>(`${name}?dateFrom=2026-11-01`)).perWindow, null)
    }
    const response = await a.call(`${a.path}/visitors.csv?dateFrom=2026-10-25`)
    await response.text()
    assert.equal(response.headers.get('Docent-Visitor-Windows'), '2')
    assert.ok(!('perWindow' in (await a.get<object>('views?dateFrom=2026-10-25'))))
  })

  test('no site of the project is a referrer, whenever it was registered', async () => {
    const referrers = ['www.docs.example.com', 'docs.example.com', 'blog.example.com', 'news.example', 'www.google.de']
    await a.put(...referrers.map((referrer) => ({ referrer })))
    const ask = async () => {
      const { referrers: rows } = await a.get<{ referrers: readonly { referrer: string }[] }>('referrers')
      return rows.map(({ referrer }) => referrer)
    }
    assert.deepEqual(await ask(), ['docs.example.com', 'blog.example.com', 'google.com', 'news.example'])
    const { headers } = await a.call(`${a.path}/referrers`)
    const sites = [['https://www.docs.example.com:8443'], ['https://blog.example.com', 'https://maps.google.com']]
    const { db, project } = a.t
    const made = await Promise.all(
      sites.map((origins) => createSite(db, project.id, { name: 'Site', origins, honoursOptOut: false })),
    )
    try {
      const again = await a.call(`${a.path}/referrers`, { headers: { 'If-None-Match': headers.get('ETag') ?? '' } })
      assert.equal(again.status, 200, 'a site changes the tag')
      await again.text()
      assert.deepEqual(await ask(), ['google.com', 'news.example'])
      const csv = await (await a.call(`${a.path}/referrers.csv`)).text()
      assert.equal(csv, 'referrer,visitors\r\ngoogle.com,1\r\nnews.example,1\r\n')
    } finally {
      await db
        .deleteFrom('sites')
        .where(
          'id',
          'in',
          made.map(({ id }) => id),
        )
        .execute()
    }
  })

  test('total vs human, ai: responses are consistent while page views arrive', async () => {
    const arriving = async () => {
      for (let batch = 0; batch < 40; batch += 1) {
        const category = batch % 3 === 0 ? 'ai_assistant' : 'browser'
        const time = Date.UTC(2026, 10, 1 + (batch % 20), 12)
        await a.put(...Array.from({ length: 5 }, (_, index) => ({ path: `/${index % 2}`, category, time }) as const))
      }
    }
    const asking = async () => {
      for (let tries = 0; tries < 20; tries += 1) {
        const { totals, visitors } = await a.get<VisitorsResponse>('visitors')
        for (const { human, ai, total } of [totals, ...visitors]) {
          assert.ok(Math.max(human, ai) <= total && total <= human + ai && total <= totals.total)
        }
      }
    }
    await Promise.all([arriving(), asking(), asking()])
    let last = 0
    for (let day = 2; day <= 22; day += 1) {
      const dateTo = `2026-11-${String(day).padStart(2, '0')}`
      const { totals } = await a.get<VisitorsResponse>(`visitors?dateTo=${dateTo}`)
      assert.ok(totals.total >= last, dateTo)
      last = totals.total
    }
    assert.equal(last, 200)
  })

  test('the document declares one media type with an example for each form', async () => {
    type Content = { readonly [type: string]: { readonly schema: { readonly example?: unknown } } }
    type Operation = { readonly get: { readonly summary: string; readonly responses: { 200: { content: Content } } } }
    const { document } = await a.start()
    const { paths } = document as { readonly paths: Readonly<Record<string, Operation>> }
    const contentOf = (name: string) => paths[`/v1/analytics/{projectId}/${name}`]?.get.responses[200].content ?? {}
    for (const { query } of exports) {
      assert.deepEqual(Object.keys(contentOf(query.name)), ['application/json'])
      assert.deepEqual(Object.keys(contentOf(`${query.name}.csv`)), ['text/csv'])
    }
    const csv = paths['/v1/analytics/{projectId}/broken-pages.csv']?.get
    assert.equal(csv?.summary, 'Export broken pages as CSV')
    const example = 'path,human,ai,neither,total\r\n/old-guide,12,3,41,56\r\n'
    assert.equal(csv?.responses[200].content['text/csv']?.schema.example, example)
  })

  suite('pages', () => {
    test('paging: equal totals are in byte order, and no row is repeated or left out', async () => {
      const paths = Array.from({ length: 60 }, (_, index) => `/p${(index * 7) % 60}`)
      await a.put(...paths.map((path) => ({ path })), { path: '/\uffff' }, { path: '/😀' })
      const seen: string[] = []
      for (let offset = 0, more = true; more; offset += 7) {
        const { visitors, hasMore, totals } = await a.get<VisitorsResponse>(`visitors?limit=7&offset=${offset}`)
        assert.equal(totals.total, 62)
        seen.push(...visitors.map(({ path }) => path))
        more = hasMore
      }
      const byBytes = [...paths, '/\uffff', '/😀'].toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
      assert.deepEqual(seen, byBytes)
    })

    test('a full last page has no more rows after it', async () => {
      await a.put({ path: '/a' }, { path: '/b' })
      assert.equal((await a.get<VisitorsResponse>('visitors?limit=2')).hasMore, false)
      assert.equal((await a.get<VisitorsResponse>('visitors?limit=1')).hasMore, true)
      assert.equal((await a.get<VisitorsResponse>('visitors?limit=1&offset=1')).hasMore, false)
    })

    test('integers are integers, not strings', async () => {
      await a.put({ path: '/a' }, { path: '/c', status: 404 }, { category: 'ai_assistant' }, { category: 'search' })
      for (const name of [
        'visitors',
        'views',
        'timeseries',
        'ai-agents',
        'referrers',
        'crawlers',
        'broken-pages',
        'downloads',
      ]) {
        assert.doesNotMatch(await (await a.call(`${a.path}/${name}`)).text(), /:"\d+"/)
      }
    })
  })

  suite('search and sort', () => {
    const found = async (query: string) => (await a.get<VisitorsResponse>(`visitors?${query}`)).visitors
    const paths = async (query: string) => (await found(query)).map(({ path }) => path)

    test('a search finds rows in any case and as people read a path; totals stay whole', async () => {
      await a.put({ path: '/Guide/a' }, { path: '/b' }, { path: '/d%C3%A9but' }, { path: '/a%20b' })
      assert.deepEqual(await paths('search=guide'), ['/Guide/a'])
      for (const text of ['début', 'DÉBUT', 'D%c3%A9']) {
        assert.deepEqual(await paths(`search=${encodeURIComponent(text)}`), ['/d%C3%A9but'], text)
      }
      assert.deepEqual(await paths(`search=${encodeURIComponent('a b')}`), ['/a%20b'])
      assert.deepEqual(await paths(`search=${encodeURIComponent("' OR 1=1 --{x:String}%")}`), [])
      const { totals, hasMore } = await a.get<VisitorsResponse>('visitors?search=guide&limit=1')
      assert.deepEqual({ totals, hasMore }, { totals: { human: 4, ai: 0, total: 4 }, hasMore: false })
    })

    test('the CSV has the rows of the search, in its order', async () => {
      const ai = { category: 'ai_assistant' } as const
      await a.put({ path: '/guide/a' }, { path: '/guide/b', ...ai }, { path: '/c', ...ai })
      const response = await a.call(`${a.path}/visitors.csv?search=guide&sort=ai`)
      assert.equal(await response.text(), 'path,human,ai,total\r\n/guide/b,0,1,1\r\n/guide/a,1,0,1\r\n')
    })

    test('pages sorted by AI visitors: equal ones by total, then by path', async () => {
      const ai = { category: 'ai_assistant' } as const
      await a.put({ path: '/many' }, { path: '/many' }, { path: '/b', ...ai }, { path: '/a', ...ai }, { path: '/a' })
      await a.put({ path: '/c', ...ai })
      assert.deepEqual(await paths('sort=ai'), ['/a', '/b', '/c', '/many'])
      assert.deepEqual(await paths('sort=human'), ['/many', '/a', '/b', '/c'])
      assert.deepEqual(await paths('sort=ai&limit=2&offset=1'), ['/b', '/c'])
    })

    test('a search of 201 characters and an unknown order are refused', async () => {
      assert.deepEqual(await found(`search=${'a'.repeat(200)}`), [])
      for (const query of [`search=${'a'.repeat(201)}`, 'sort=path', 'sort='])
        await expectProblem(await a.call(`${a.path}/visitors?${query}`), 400, 'invalid_input')
    })
  })

  test('the description has the facts that explain the numbers', async () => {
    const facts = async () => (await (await a.call(a.path)).json()) as Record<string, unknown>
    const { pageViews, firstPageView } = await facts()
    assert.deepEqual([pageViews, firstPageView], [0, null])
    await a.put({ category: 'search' }, { visitor: 0n })
    await a.set({ time_zone: 'Pacific/Kiritimati', retention_months: 2, visitor_window: 'week' })
    assert.deepEqual(await facts(), {
      name: 'Acme docs',
      timeZone: 'Pacific/Kiritimati',
      visitorWindow: 'week',
      collectionSource: 'both',
      retentionMonths: 2,
      unverifiedAiAgents: 'count',
      today: '2026-11-22',
      firstDay: '2026-09-22',
      firstPageView: '2026-11-22',
      pageViews: 2,
    })
    await expectProblem(await a.call(a.path, { key: a.t.keys.foreign }), 404, 'not_found')
  })

  suite('conditional requests', () => {
    const tagOf = async (name: string) => (await a.call(`${a.path}/${name}`)).headers.get('ETag') ?? ''
    const isKnown = async (name: string, tag: string) => {
      const response = await a.call(`${a.path}/${name}`, { headers: { 'If-None-Match': tag } })
      await response.text()
      return response.status === 304
    }

    test('a tag is valid until a page view, erasure, class or setting changes counts', async () => {
      await a.put({ visitor: 1n }, { visitor: 2n })
      const tag = await tagOf('visitors')
      assert.ok(await isKnown('visitors', tag))
      const { store, t } = a
      const rewrite = (what: string) =>
        rewritePageViews(store, `ALTER TABLE page_views ${what}`, { projectId: t.project.id })
      const changes: [string, () => Promise<unknown>][] = [
        ['a late view', () => a.put({ visitor: 1n })],
        ['an erasure', () => rewrite('DELETE WHERE visitor = 2')],
        ['a new label', () => rewrite(`UPDATE category = 'library' WHERE visitor = 1`)],
        ['the mapping', () => a.set({ categories: '{"library":"human"}' })],
        ['the zone', () => a.set({ time_zone: 'Asia/Tokyo' })],
        ['the retention', () => a.set({ retention_months: 3 })],
        ['the source', () => a.set({ collection_source: 'server' })],
        ['unverified agents', () => a.set({ unverified_ai_agents: 'ignore' })],
      ]
      let last = tag
      for (const [name, change] of changes) {
        await change()
        assert.ok(!(await isKnown('visitors', last)), name)
        last = await tagOf('visitors')
        assert.ok(await isKnown('visitors', last), name)
      }
    })

    test('each query and form has its own tag', async () => {
      const tags = await Promise.all(
        ['visitors', 'visitors.csv', 'views', 'visitors?limit=1', 'visitors?dateTo=2026-11-01'].map(tagOf),
      )
      const csv = await a.call(`${a.path}/visitors`, { headers: { Accept: 'text/csv' } })
      assert.equal(new Set([...tags, csv.headers.get('ETag')]).size, 6)
    })

    test('the next day changes the tag only of an open range', async () => {
      const tags = [await tagOf('visitors'), await tagOf('visitors?dateFrom=2026-11-01&dateTo=2026-11-10')]
      await a.clock.pass(86_400_000)
      const next = [await tagOf('visitors'), await tagOf('visitors?dateFrom=2026-11-01&dateTo=2026-11-10')]
      await a.clock.pass(-86_400_000)
      assert.notEqual(tags[0], next[0])
      assert.equal(tags[1], next[1])
    })

    test('the headers report what was counted and how', async () => {
      const response = await a.call(`${a.path}/visitors?dateFrom=2026-11-02T10:00Z&dateTo=2026-11-05`)
      assert.equal(response.headers.get('Docent-Count'), 'exact')
      assert.equal(response.headers.get('Docent-Visitor-Window'), 'month')
      assert.equal(response.headers.get('Docent-Date-From'), '2026-11-02')
      assert.equal(response.headers.get('Docent-Date-To'), '2026-11-05')
    })
  })

  suite('authorization', () => {
    test('a key that may read, for its project', async () => {
      assert.equal((await a.call(`${a.path}/visitors`, { key: a.t.keys.read })).status, 200)
      await expectProblem(await a.call(`${a.path}/visitors`, { key: a.t.keys.foreign }), 404, 'not_found')
      await expectProblem(await a.call(`${a.path}/visitors`, { key: null }), 401, 'unauthenticated')
      await expectProblem(await a.call('/v1/analytics/prj_x/visitors'), 404, 'not_found')
      const gone = `/v1/analytics/prj_${'0'.repeat(20)}/visitors`
      await expectProblem(await a.call(gone, { key: a.t.keys.admin }), 404, 'not_found')
    })

    test('without a store the response is a 503 with Retry-After', async () => {
      const openStore = () => Promise.reject(new Failure('unavailable', 'The store of page views does not respond.'))
      const { call } = await a.t.start({ analytics: { db: a.t.db, clock: a.clock, openStore } })
      const refused = await call(`${a.path}/visitors`)
      assert.ok(refused.headers.has('Retry-After'))
      await expectProblem(refused, 503, 'unavailable')
    })
  })
})
