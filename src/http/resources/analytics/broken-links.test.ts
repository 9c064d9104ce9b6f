// The links to a broken page, and the page that was meant, over the API.

import assert from 'node:assert/strict'
import { before, beforeEach, suite, test } from 'node:test'
import { type AnalyticsApp, openAnalyticsApp } from '../../../../test/support/analytics-app.ts'
import { expectProblem } from '../../../../test/support/openapi-app.ts'
import type { BrokenPageLinks } from './broken-links.ts'

suite('the links to a broken page', () => {
  let a: AnalyticsApp
  before(async () => {
    a = await openAnalyticsApp()
  })
  beforeEach(() => a.reset())

  const day = (time: string) => Date.parse(`2026-11-20T${time}Z`)
  const missing = (change: object) => ({ status: 404, path: '/guides/instal', time: day('10:00:00'), ...change })
  const linksTo = (path: string, more = '') =>
    a.get<BrokenPageLinks>(`broken-pages/links?path=${encodeURIComponent(path)}${more}`)
  const suggestionFor = async (path: string) => (await linksTo(path)).suggestion

  test('requests are counted by the page or site that they came from', async () => {
    await a.put(
      missing({ referrerPath: '/start', visitor: 1n }),
      missing({ referrerPath: '/start', visitor: 2n }),
      missing({ referrerPath: '/start', visitor: 2n, source: 'server' }),
      missing({ referrerPath: '/start', visitor: 3n, category: 'ai_assistant' }),
      missing({ referrer: 'blog.example.com', referrerPath: '/news', visitor: 4n }),
      missing({ referrer: 'example.org', visitor: 5n }),
      missing({ visitor: 0n, category: 'crawler' }),
      missing({ visitor: 0n, category: 'crawler' }),
      missing({ source: 'browser', referrerPath: '/(other)', visitor: 6n }),
      missing({ path: '/other', referrerPath: '/elsewhere' }),
      missing({ status: 200, referrerPath: '/start' }),
    )
    const { links, hasMore } = await linksTo('/guides/instal')
    assert.deepEqual(links, [
      { from: '/start', isPage: true, human: 2, ai: 1, neither: 0, total: 3 },
      { from: '', isPage: false, human: 0, ai: 0, neither: 2, total: 2 },
      { from: '/(other)', isPage: false, human: 1, ai: 0, neither: 0, total: 1 },
      { from: 'blog.example.com/news', isPage: true, human: 1, ai: 0, neither: 0, total: 1 },
      { from: 'example.org', isPage: false, human: 1, ai: 0, neither: 0, total: 1 },
    ])
    assert.equal(hasMore, false)
    assert.deepEqual(await linksTo('/guides/./instal.md?x=1'), await linksTo('/guides/instal'))
    const first = await linksTo('/guides/instal', '&limit=1')
    assert.deepEqual([first.links.map(({ from }) => from), first.hasMore], [['/start'], true])
    assert.deepEqual((await linksTo('/guides/instal', '&dateTo=2026-11-20')).links, [])
    assert.deepEqual((await linksTo(`/${'ü'.repeat(2_000)}`)).links, [])
  })

  test('the page that was meant is one with a similar name that visitors saw', async () => {
    const seen = (path: string, more = {}) => ({ path, time: day('09:00:00'), ...more })
    await a.put(
      missing({}),
      seen('/guides/install'),
      seen('/reference/webhooks'),
      seen('/%C3%BCber-uns'),
      seen('/guides/instal-file.zip', { isDownload: true }),
      // Removed: it is gone since.
      seen('/old/tokens'),
      seen('/old/tokens', { status: 404, time: day('11:00:00') }),
      seen('/api/tokens'),
      // Its Markdown is missing, and it is there.
      seen('/pricing', { status: 404 }),
      seen('/pricing', { time: day('12:00:00') }),
      seen('/prices'),
    )
    assert.equal(await suggestionFor('/guides/instal'), '/guides/install')
    assert.equal(await suggestionFor('/webhook'), '/reference/webhooks')
    assert.equal(await suggestionFor('/%C3%BCber_uns'), '/%C3%BCber-uns')
    assert.equal(await suggestionFor('/old/tokens'), '/api/tokens')
    assert.equal(await suggestionFor('/tokens'), '/api/tokens')
    assert.equal(await suggestionFor('/pricing'), null)
    assert.equal(await suggestionFor('/something-else'), null)
    assert.equal(await suggestionFor(`/${'webhooks-'.repeat(20)}`), null)
    assert.equal((await linksTo('/webhook', '&dateTo=2026-11-20')).suggestion, null)
  })

  test('a response is known by its tag, also when other page views have come', async () => {
    await a.put(missing({ referrerPath: '/start' }))
    const ask = (tag?: string) =>
      a.call(`${a.path}/broken-pages/links?path=/guides/instal`, {
        headers: tag === undefined ? {} : { 'If-None-Match': tag },
      })
    const tag = (await ask()).headers.get('ETag') ?? ''
    assert.equal((await ask(tag)).status, 304)
    await a.put(missing({ referrerPath: '/start' }))
    assert.equal((await ask(tag)).status, 200)
  })

  test('a path is needed, and a range as everywhere', async () => {
    for (const [query, pointer] of [
      ['', '#/query/path'],
      ['path=', '#/query/path'],
      [`path=/${'a'.repeat(2_048)}`, '#/query/path'],
      ['path=/a&limit=251', '#/query/limit'],
      ['path=/a&dateFrom=2026-11-11&dateTo=2026-11-10', '#/query/dateFrom'],
    ] as const) {
      const refused = await expectProblem(await a.call(`${a.path}/broken-pages/links?${query}`), 400, 'invalid_input')
      assert.equal(refused.details?.[0]?.pointer, pointer, query)
    }
  })
})
