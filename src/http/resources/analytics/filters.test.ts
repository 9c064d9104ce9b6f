import assert from 'node:assert/strict'
import { before, beforeEach, suite, test } from 'node:test'
import { type AnalyticsApp, openAnalyticsApp } from '../../../../test/support/analytics-app.ts'
import { expectProblem } from '../../../../test/support/openapi-app.ts'
import type { VisitorsResponse } from '../../../analytics/counts/query/exports/visitors.ts'
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

  test('a value that no page view can have is refused, and names the parameter', async () => {
    for (const [query, word] of [
      ['class=people', /class.*human, ai, neither/],
      ['representation=pdf', /representation.*html, markdown/],
      ['site=docs', /site.*id of a site/],
      ['section=guides', /section.*begins with/],
      ['agent=', /agent.*characters/],
      [`path=/a${'&path=/a'.repeat(20)}`, /path.*at most 20/],
    ] as const) {
      const response = await a.call(`${a.path}/visitors?${query}`)
      const problem = await expectProblem(response, 400, 'invalid_input')
      assert.match(JSON.stringify(problem), word, query)
    }
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
    const { segments } = (await (await a.call(path)).json()) as { segments: readonly { id: string }[] }
    assert.deepEqual(
      segments.map((one) => one.id),
      [id],
    )
    assert.equal((await send('DELETE', `${path}/${id}`)).status, 204)
    assert.equal((await send('DELETE', `${path}/${id}`)).status, 404)
  })
})
