import assert from 'node:assert/strict'
import { before, beforeEach, suite, test } from 'node:test'
import { type AnalyticsApp, openAnalyticsApp } from '../../../../test/support/analytics-app.ts'
import { expectProblem } from '../../../../test/support/openapi-app.ts'
import type { VisitorsResponse } from '../../../analytics/counts/query/exports/visitors.ts'
import type { StoredView } from '../../../analytics/stored-views.ts'
import { createSite } from '../../../projects/sites.ts'
import type { BrokenPageLinks } from './broken-links.ts'
import { exports } from './exports.ts'

suite('the filters of exports', () => {
  let a: AnalyticsApp
  before(async () => {
    a = await openAnalyticsApp()
  })
  beforeEach(() => a.reset())

  test('a repeated one means any of its values, "!" all but that', async () => {
    const agent = { category: 'ai_assistant', agent: 'ChatGPT-User', operator: 'OpenAI' } as const
    await a.put({ visitor: 1n, path: '/guides' }, { visitor: 2n, path: '/guides/install' })
    await a.put({ visitor: 3n, path: '/guidesmore' }, { visitor: 1n, path: '/api', siteId: 'site_1' })
    await a.put({ visitor: 4n, path: '/guides/install', ...agent }, { visitor: 5n, path: '/api', ...agent })
    const pages = async (query: string) => {
      const { totals, visitors } = await a.get<VisitorsResponse>(`visitors?${query}`)
      return [totals.total, ...visitors.map(({ path }) => path)]
    }
    assert.deepEqual(await pages('section=/guides'), [3, '/guides/install', '/guides'])
    assert.deepEqual(await pages('section=/guides/&class=human'), [2, '/guides', '/guides/install'])
    assert.deepEqual(await pages('section=/guides&section=/api&agent=ChatGPT-User'), [2, '/api', '/guides/install'])
    assert.deepEqual(await pages('section=/guides&path=!/guides'), [2, '/guides/install'])
    assert.deepEqual(await pages('site=site_1'), [1, '/api'])
    assert.deepEqual(await pages('site=unknown&path=/api'), [1, '/api'])
    assert.deepEqual(await pages('site=!unknown&site=!site_1'), [0])
    assert.deepEqual(await pages('operator=OpenAI&representation=html'), [2, '/api', '/guides/install'])
  })

  test('every export has them, in JSON and as CSV, with a tag of their own', async () => {
    await a.put({ visitor: 1n, path: '/a' }, { visitor: 2n, path: '/b' })
    for (const { query } of exports) {
      for (const form of [query.name, `${query.name}.csv`]) {
        const tags = new Set<string | null>()
        for (const filter of ['', '?section=/a', '?section=/b', '?section=/a&class=human']) {
          const response = await a.call(`${a.path}/${form}${filter}`)
          assert.equal(response.status, 200, form)
          assert.equal(response.headers.get('Docent-Count'), 'exact')
          assert.match(response.headers.get('Docent-Answered-From') ?? '', /^(?:rows|counters|both)$/)
          tags.add(response.headers.get('ETag'))
          await response.text()
        }
        assert.equal(tags.size, 4)
      }
    }
  })

  test('a shared link filters by page and class, and sees no rows under 5 but of pages', async () => {
    const agent = { category: 'ai_assistant', operator: 'OpenAI' } as const
    const many = (count: number, change: object) => a.put(...Array.from({ length: count }, () => change))
    for (const [count, name] of [
      [4, 'four'],
      [5, 'five'],
      [6, 'six'],
    ] as const) {
      await many(count, { path: `/${name}`, referrer: `${name}.example` })
      await many(count, { path: `/agents/${name}`, agent: name, ...agent })
      await many(count, { path: `/missing/${name}`, status: 404 })
      await many(count, { path: `/${name}.zip`, isDownload: true })
      await many(count, { path: '/crawled', agent: name, category: 'search' })
    }
    const made = await a.t.call(`/v1/projects/${a.t.project.id}/shares`, { key: a.t.keys.admin, json: { name: 'x' } })
    const key = ((await made.json()) as { link: string }).link.split('#')[1] ?? ''
    const read = async (name: string) => {
      const response = await a.call(`${a.path}/${name}`, { key })
      assert.equal(response.status, 200, name)
      return response.text()
    }
    const of = (rows: readonly object[]) => rows.map((row) => String(Object.values(row)[0]))
    for (const { query, field } of exports.filter((one) => !one.query.emptyRows)) {
      const parse = (text: string) => JSON.parse(text) as Record<string, readonly object[]>
      const whole = await a.get<Record<string, readonly object[]>>(query.name)
      const all = of(whole[field] ?? [])
      const seen = query.isOfPages ? all : all.filter((value) => !value.includes('four'))
      assert.equal(all.length - seen.length, query.isOfPages ? 0 : 1, query.name)
      const shared = parse(await read(query.name))
      assert.deepEqual(of(shared[field] ?? []), seen, query.name)
      assert.deepEqual(shared['totals'], whole['totals'])
      const csv = await read(`${query.name}.csv`)
      assert.equal(csv.trim().split('\r\n').length, seen.length + 1, query.name)
      assert.equal(csv.includes('four'), query.isOfPages === true, query.name)
      const pages = [0, 1, 2].map(async (offset) => parse(await read(`${query.name}?limit=1&offset=${offset}`)))
      for (const [offset, page] of (await Promise.all(pages)).entries()) {
        assert.deepEqual(of(page[field] ?? []), seen.slice(offset, offset + 1))
        assert.equal(page['hasMore'], offset + 1 < seen.length, `${query.name} ${offset}`)
      }
    }
    const some = await read('referrers?path=/four&path=/six&class=human&section=/&site=unknown')
    assert.deepEqual(of((JSON.parse(some) as { referrers: object[] }).referrers), ['six.example'])
    for (const filter of ['agent=four', 'operator=!OpenAI', 'referrer=four.example', 'representation=html']) {
      const problem = await expectProblem(await a.call(`${a.path}/visitors?${filter}`, { key }), 403, 'forbidden')
      assert.match(JSON.stringify(problem), /`site`, `section`, `path`, `class` only/)
    }
    assert.equal(await read('realtime'), JSON.stringify(await a.get('realtime')), 'it has pages and classes only')
  })

  test('a value that no page view can have is refused, and names the parameter', async () => {
    for (const [query, word] of [
      ['class=people', /class.*human, ai, neither/],
      ['representation=pdf', /representation.*html, markdown/],
      ['site=docs', /site.*id of a site/],
      ['section=guides', /section.*begins with/],
      ['agent=', /agent.*characters/],
      ['country=Germany', /country.*ISO 3166-1/],
      ['language=german', /language.*ISO 639/],
      ['device=phone', /device.*desktop, mobile, tablet, tv, unknown/],
      ['campaign=newsletter', /campaign.*utm_source/],
      ['campaign=utm_source%3D', /campaign.*utm_source/],
      ['campaign=utm_source%3Da%26ref%3D%2520', /campaign.*utm_source/],
      [`path=/a${'&path=/a'.repeat(20)}`, /path.*at most 20/],
    ] as const) {
      const response = await a.call(`${a.path}/visitors?${query}`)
      const problem = await expectProblem(response, 400, 'invalid_input')
      assert.match(JSON.stringify(problem), word, query)
    }
  })

  test('a misspelt parameter is refused, and an unknown one is ignored', async () => {
    const others = ['', 'page-views', 'broken-pages/links', 'effect', 'realtime', 'earlier-days', 'histories']
    for (const name of [...exports.flatMap(({ query }) => [query.name, `${query.name}.csv`]), ...others]) {
      const response = await a.call(`${a.path}${name === '' ? '' : `/${name}`}?sektion=/guides`)
      const problem = await expectProblem(response, 400, 'invalid_input')
      assert.match(JSON.stringify(problem), /`sektion` is not a parameter of this operation/, name)
    }
    for (const [query, message] of [
      ['sektion=/a', '`sektion` is not a parameter of this operation: `section` is.'],
      ['date_from=2026-11-01', '`date_from` is not a parameter of this operation: `dateFrom` is.'],
      ['section=/a&pth=/b', '`pth` is not a parameter of this operation: `path` is.'],
    ] as const) {
      const problem = await expectProblem(await a.call(`${a.path}/visitors?${query}`), 400, 'invalid_input')
      assert.equal((problem as { detail: string }).detail, message)
    }
    const other = await expectProblem(await a.call(`${a.path}/earlier-days?section=/a`), 400, 'invalid_input')
    assert.match(JSON.stringify(other), /`section` is not .*, which has no filter `section`/)
    for (const query of [`_=${'x'.repeat(50)}`, 'foo=1', `${'s'.repeat(900)}%00=1`, 'utm_source=x'])
      assert.equal((await a.call(`${a.path}/timeseries?${query}`)).status, 200, query)
    assert.equal((await a.call(`${a.path}/timeseries?limit=1&offset=1`)).status, 200, 'all rows')
    assert.equal((await a.call(`${a.path}/visitors?interval=day`)).status, 200, 'no intervals')
  })

  test('an unknown site is refused, and one that was deleted keeps its filter', async () => {
    const { id } = await createSite(a.t.db, a.t.project.id, { name: 'Docs', origins: [], honoursOptOut: false })
    await a.put({ siteId: 'site_gone' }, { path: '/b' })
    const statusOf = async (query: string) => (await a.call(`${a.path}/${query}`)).status
    for (const name of ['visitors', 'views.csv', 'realtime', 'page-views', 'broken-pages/links']) {
      const more = name === 'broken-pages/links' ? '&path=/x' : ''
      assert.equal(await statusOf(`${name}?site=${id}${more}`), 200, name)
      assert.equal(await statusOf(`${name}?site=site_gone&site=unknown${more}`), 200, name)
      const response = await a.call(`${a.path}/${name}?site=${id}&site=!site_typo${more}`)
      assert.match(JSON.stringify(await expectProblem(response, 400, 'invalid_input')), /`site` must be a site of/)
    }
    const body = JSON.stringify({ name: 'Typo', filters: { site: ['site_typo'] } })
    const init = { method: 'POST', body, headers: { 'Content-Type': 'application/json' } }
    const refused = await a.call(`/v1/projects/${a.t.project.id}/segments`, init)
    assert.match(
      JSON.stringify(await expectProblem(refused, 400, 'invalid_input')),
      /`filters\.site` must be a site of/,
    )
  })

  test('the page views themselves and the links to a broken page are filtered as well', async () => {
    const lost = { path: '/old', status: 404, referrer: 'a.example' } as const
    await a.put({ path: '/guides/x' }, { path: '/api' }, { path: '/guides', category: 'search', agent: 'Googlebot' })
    await a.put(lost, { ...lost, category: 'ai_assistant', agent: 'Claude-User', referrer: '' })
    const pathsOf = async (query: string) => {
      const text = await (await a.call(`${a.path}/page-views?${query}`)).text()
      return text.split('\n').flatMap((line) => (line === '' ? [] : [(JSON.parse(line) as StoredView).path]))
    }
    assert.deepEqual(await pathsOf('section=/guides'), ['/guides', '/guides/x'])
    assert.deepEqual(await pathsOf('section=/guides&class=human'), ['/guides/x'])
    assert.deepEqual(await pathsOf('class=neither&class=ai'), ['/guides', '/old'])
    assert.equal((await pathsOf('')).length, 5)
    const links = async (query: string) =>
      (await a.get<BrokenPageLinks>(`broken-pages/links?path=/old${query}`)).links.map(({ from, total }) => [
        from,
        total,
      ])
    assert.deepEqual(await links(''), [
      ['', 1],
      ['a.example', 1],
    ])
    assert.deepEqual(await links('&class=human'), [['a.example', 1]])
    assert.deepEqual(await links('&agent=Claude-User'), [['', 1]])
  })

  test('a saved segment stands for its filters, by name or id, and holds beside others', async () => {
    await a.put({ visitor: 1n, path: '/guides' }, { visitor: 2n, path: '/guides/x' }, { visitor: 3n, path: '/api' })
    const path = `/v1/projects/${a.t.project.id}/segments`
    const send = (method: string, at: string, body?: unknown) =>
      a.call(at, {
        method,
        ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
      })
    const wanted = { name: 'Guides', filters: { section: ['/guides/'], class: ['human'] } }
    const made = await send('POST', path, wanted)
    assert.equal(made.status, 201)
    const { id, filters } = (await made.json()) as { id: string; filters: unknown }
    assert.deepEqual(filters, { section: ['/guides'], class: ['human'] })
    await expectProblem(await send('POST', path, { ...wanted, name: 'guides' }), 409, 'segment_exists')
    await expectProblem(await send('POST', path, { name: 'All', filters: {} }), 400, 'invalid_input')
    const total = async (query: string) => (await a.get<VisitorsResponse>(`visitors?${query}`)).totals.total
    assert.deepEqual([await total('segment=Guides'), await total(`segment=${id}&path=!/guides`)], [2, 1])
    assert.equal(await total('segment=guides&section=/api'), 0, 'both must hold')
    const unknown = await a.call(`${a.path}/visitors?segment=Nobody`)
    await expectProblem(unknown, 400, 'invalid_input')
    await send('POST', path, { name: 'Agents', filters: { path: ['/api'], operator: ['OpenAI'] } })
    const shared = await a.t.call(`/v1/projects/${a.t.project.id}/shares`, { key: a.t.keys.admin, json: { name: 'x' } })
    const key = ((await shared.json()) as { link: string }).link.split('#')[1] ?? ''
    await expectProblem(await a.call(`${a.path}/visitors?segment=Agents`, { key }), 403, 'forbidden')
    await expectProblem(await a.call(path, { key }), 403, 'forbidden')
    assert.equal((await send('DELETE', `${path}/${id}`)).status, 204)
    assert.equal((await send('DELETE', `${path}/${id}`)).status, 404)
  })
})
