// The tracker in a real Chromium and the middleware of a real server, against the real service: what they tell is
// what is counted.

import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { recordPageViews } from '../../client/src/express.ts'
import { createRecorder } from '../../client/src/record.ts'
import { chrome, type Collecting, type Place, startCollecting } from '../support/collecting.ts'
import { type Chromium, startChromium } from './chromium.ts'
import { openSite, type Site } from './site.ts'

suite('events are counted', () => {
  let t: Collecting
  let site: Site
  before(async () => {
    t = await startCollecting()
    site = await openSite()
  })
  after(async () => {
    site.close()
    await t.close()
  })

  const tagOf = ({ siteId }: Place) => `<script defer src="${t.address}/v1/script.js" data-site="${siteId}"></script>`
  const visit = async (chromium: Chromium, place: Place) => {
    for (const path of ['/guide', '/guide/other']) site.pages.set(path, { html: () => tagOf(place) })
    const page = await chromium.context.newPage()
    const answered = async (act: () => Promise<unknown>) => {
      const answer = page.waitForResponse((one) => one.url().includes('/v1/collect/'))
      await act()
      return (await answer).status()
    }
    const statuses = [
      await answered(async () => await page.goto(`${site.origin}/guide?q=1#x`)),
      await answered(async () => await page.goto(`${site.origin}/guide/other`)),
      await answered(async () => await page.evaluate('history.pushState(null, "", "/guide/third/")')),
    ]
    await page.close()
    return statuses
  }

  test('pages of a browser are views of one human visitor', async () => {
    const place = await t.makePlace({ origins: [site.origin] })
    const chromium = await startChromium({ userAgent: chrome })
    try {
      assert.deepEqual(await visit(chromium, place), [202, 202, 202])
    } finally {
      await chromium.close()
    }
    const { totals, visitors } = await t.visitors(place)
    assert.deepEqual(totals, { human: 1, ai: 0, total: 1 })
    assert.deepEqual(visitors.map(({ path }) => path).toSorted(), ['/guide', '/guide/other', '/guide/third'])
  })

  test('a missing page of a browser is a broken page, and one with an error is no view', async () => {
    const place = await t.makePlace({ origins: [site.origin] })
    for (const [path, status] of [
      ['/missing', 404],
      ['/broken', 500],
      ['/docs/node.js', 200],
    ] as const)
      site.pages.set(path, { html: () => tagOf(place), status })
    const chromium = await startChromium({ userAgent: chrome })
    const page = await chromium.context.newPage()
    const statuses: number[] = []
    for (const path of ['/missing', '/broken', '/docs/node.js']) {
      const answer = page.waitForResponse((one) => one.url().includes('/v1/collect/'))
      await page.goto(`${site.origin}${path}`, { referer: `${site.origin}/guide/?token=secret` })
      statuses.push((await answer).status())
    }
    await chromium.close()
    assert.deepEqual(statuses, [202, 204, 202])
    const { visitors } = await t.visitors(place)
    assert.deepEqual(
      visitors.map(({ path }) => path),
      ['/docs/node.js'],
    )
    const { brokenPages } = await t.brokenPages(place)
    const once = { human: 1, ai: 0, neither: 0, total: 1 }
    assert.deepEqual(brokenPages, [{ path: '/missing', ...once }])
    const links = `/v1/analytics/${place.projectId}/broken-pages/links?path=/missing`
    assert.deepEqual(await t.asAdmin('GET', links), {
      links: [{ from: '/guide', isPage: true, ...once }],
      hasMore: false,
      suggestion: null,
    })
  })

  test('a browser that opts out counts only on a site that ignores opt-outs', async () => {
    const ignoring = await t.makePlace({ origins: [site.origin] })
    const honouring = await t.makePlace({ origins: [site.origin], honoursOptOut: true })
    const chromium = await startChromium({ optsOut: true, userAgent: chrome })
    try {
      assert.deepEqual(await visit(chromium, ignoring), [202, 202, 202])
      assert.deepEqual(await visit(chromium, honouring), [204, 204, 204])
    } finally {
      await chromium.close()
    }
    assert.deepEqual((await t.views(ignoring)).totals.total, 3)
    assert.deepEqual((await t.views(honouring)).totals.total, 0)
  })

  test('pages of a server are views of people and of agents', async () => {
    const place = await t.makePlace({ origins: ['https://docs.example.com'] })
    const wanted = { name: 'server', scope: 'write', projectIds: [place.projectId] }
    const { key } = await t.asAdmin<{ key: string }>('POST', '/v1/keys', wanted)
    const recorder = createRecorder({ url: t.address ?? '', key, projectId: place.projectId })
    const middleware = recordPageViews(recorder, { origin: 'https://docs.example.com' })
    const server = createServer((request, response) => {
      const type = request.url === '/app.js' ? 'text/javascript' : 'text/html'
      middleware(request, response, () => void response.setHeader('Content-Type', type).end('<p>hello'))
    })
    const listening = Promise.withResolvers<void>()
    server.listen(0, '127.0.0.1', listening.resolve)
    await listening.promise
    const { port } = server.address() as AddressInfo
    for (const [path, agent] of [
      ['/guide?q=1', chrome],
      ['/guide/', 'Mozilla/5.0 (compatible; ChatGPT-User/1.0; +https://openai.com/bot)'],
      ['/guide', 'curl/8.0'],
      ['/app.js', chrome],
      ['/docs/node.js', chrome],
    ] as const) {
      await (await fetch(`http://127.0.0.1:${port}${path}`, { headers: { 'User-Agent': agent } })).text()
    }
    server.close().closeAllConnections()
    await recorder.close()
    assert.deepEqual(recorder.counts(), { queued: 0, accepted: 4, rejected: 0, dropped: 0 })
    assert.deepEqual((await t.visitors(place)).totals, { human: 1, ai: 1, total: 2 })
  })
})
