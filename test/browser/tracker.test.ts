import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, suite, test, type TestContext } from 'node:test'
import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { readScript } from '../../src/http/resources/script.ts'
import { type Chromium, leaveChromiumAlone, startChromium } from './chromium.ts'
import { openSite, type Site, siteId } from './site.ts'

test('the tracker is smaller than 1,000 bytes in gzip', (t: TestContext) => {
  const script = readScript()
  const size = gzipSync(script, { level: 9 }).length
  t.diagnostic(`/v1/script.js: ${script.length} bytes, ${size} in gzip`)
  assert.ok(size < 1_000, String(size))
})

suite('the tracker in Chromium', () => {
  let chromium: Chromium
  let site: Site
  let page: Page
  let errors: string[]
  before(async () => {
    chromium = await startChromium()
  })
  after(async () => await chromium.close())
  beforeEach(async () => {
    site = await openSite()
    errors = []
    page = await chromium.context.newPage()
    page.on('pageerror', (error) => errors.push(String(error)))
  })
  afterEach(async () => {
    if (!page.isClosed()) await page.close()
    site.close()
  })

  const open = async (path: string) => await page.goto(`${site.origin}${path}`)
  /** Until the browser has the response to the view of this page: one to an earlier view may arrive meanwhile. */
  const openCounted = async (path: string) => {
    const url = site.origin + path.replace(/[?#].*/, '')
    const shown = page.waitForResponse((response) => response.request().postData()?.includes(`"url":"${url}`) ?? false)
    await open(path)
    await shown
  }
  /** A page view that must not be sent would have come before this one. */
  const endsWith = async (...views: string[]) => {
    await page.evaluate('history.pushState(null, "", "/end")')
    await site.until(() => site.views().includes('/end'))
    assert.deepEqual(site.views(), [...views, '/end'])
    assert.deepEqual(errors, [])
  }

  test('a page load is sent once, without query, fragment, cookie or referring page', async () => {
    await openCounted('/start?secret=1#part')
    await page.evaluate(`document.cookie = 'a=b'; location.href = '/guide/?q=secret#part'`)
    await site.until(() => site.beacons.length === 2)
    const [first, second] = site.beacons
    const { id, ...rest } = JSON.parse(first?.body ?? '') as { readonly id: string }
    assert.deepEqual(rest, { url: `${site.origin}/start`, referrer: '', status: 200, title: '/start' })
    assert.match(id, /^\d+(?:-\d+){3}$/)
    const { id: other, ...next } = JSON.parse(second?.body ?? '') as { readonly id: string }
    assert.deepEqual(next, { url: `${site.origin}/guide/`, referrer: site.origin, status: 200, title: '/guide/' })
    assert.notEqual(id, other)
    assert.equal(first?.url, `/v1/collect/${siteId}`)
    assert.equal(first.headers['content-type'], 'text/plain;charset=UTF-8')
    assert.equal(first.headers.origin, site.origin)
    for (const name of ['cookie', 'referer', 'dnt', 'sec-gpc', 'authorization'])
      assert.ok(!(name in first.headers), name)
    assert.ok(!site.requests.some((request) => request.startsWith('OPTIONS')), 'a preflight was sent')
    await endsWith('/start', '/guide/')
  })

  test('the origin is sent even from a page without a referrer', async () => {
    site.pages.set('/quiet', { html: (tag) => tag, headers: { 'Referrer-Policy': 'no-referrer' } })
    await open('/quiet')
    await site.until(() => site.beacons.length === 1)
    assert.equal(site.beacons[0]?.headers.origin, site.origin)
  })

  test('a page of the same origin as the service sends no cookie either', async () => {
    await page.goto(`${site.service}/start`)
    await page.evaluate(`document.cookie = 'a=b'; location.href = '/next'`)
    await site.until(() => site.beacons.length === 2)
    assert.ok(!('cookie' in (site.beacons[1]?.headers ?? {})))
    assert.equal(site.beacons[1]?.headers.origin, site.service)
  })

  for (const [name, tag] of [
    ['in the head, deferred', () => `<head>${site.tag('defer')}</head>`],
    ['in the head, async', () => `<head>${site.tag('async')}</head>`],
    ['in the head, in the way', () => `<head>${site.tag('')}</head>`],
    ['at the end of the body', () => `<body><p>text</p>${site.tag('')}</body>`],
    ['as a module', () => site.tag('type="module" crossorigin')],
    ['twice', () => site.tag() + site.tag() + site.tag('async')],
    ['put in by a script', () => inserted(site)],
    ['behind a script of another maker', () => `<script data-site="ABC" src="about:blank"></script>${site.tag()}`],
  ] as const) {
    test(`the page is reported once with the tag ${name}`, async () => {
      site.pages.set('/page', { html: tag })
      await open('/page')
      await site.until(() => site.beacons.length > 0)
      await endsWith('/page')
    })
  }

  test('two sites in one page are both reported', async () => {
    const other = 'site_00000000000000000000'
    site.pages.set('/both', { html: (tag) => tag + tag.replace(siteId, other) })
    await open('/both')
    await site.until(() => site.beacons.length === 2)
    assert.deepEqual(site.beacons.map(({ url }) => url).sort(), [`/v1/collect/${other}`, `/v1/collect/${siteId}`])
  })

  for (const kind of ['the Navigation API', 'the History API alone']) {
    test(`single-page navigation is followed by ${kind}`, async () => {
      if (kind !== 'the Navigation API') {
        await page.addInitScript('Object.defineProperty(window, "navigation", { value: undefined })')
      }
      await open('/one')
      await site.until(() => site.beacons.length === 1)
      await page.evaluate(`
        history.pushState({ n: 2 }, '', '/two?tab=1')
        history.pushState(null, '', '/two/#part')
        location.hash = 'other'
        history.replaceState(null, '', '/two?tab=2')`)
      await site.until(() => site.beacons.length === 2)
      await page.evaluate(`history.replaceState(null, '', '/three')`)
      await site.until(() => site.beacons.length === 3)
      await page.evaluate(`new Promise((resolve) => { addEventListener('popstate', resolve); history.go(-2) })`)
      await site.until(() => site.beacons.length === 4)
      assert.deepEqual(await page.evaluate('history.state'), { n: 2 })
      const referrers = site.beacons.map(({ body }) => (JSON.parse(body) as { referrer?: string }).referrer)
      assert.deepEqual(referrers, ['', '', '', ''])
      await endsWith('/one', '/two', '/three', '/two')
    })
  }

  test('the status is that of the page that was loaded, and not of those after it', async () => {
    site.pages.set('/missing', { html: (tag) => tag, status: 404 })
    await open('/missing/')
    site.pages.set('/missing/', { html: (tag) => tag, status: 404 })
    await open('/missing/')
    await site.until(() => site.beacons.length === 2)
    await page.evaluate('history.pushState(null, "", "/found")')
    await site.until(() => site.beacons.length === 3)
    await page.evaluate('void history.back()')
    await site.until(() => site.beacons.length === 4)
    const statuses = site.beacons.map(({ body }) => (JSON.parse(body) as { status?: number }).status)
    assert.deepEqual(statuses, [200, 404, undefined, 404])
  })

  for (const kind of ['the Navigation API', 'the History API alone']) {
    test(`routes after the # are pages for a hash router, by ${kind}`, async () => {
      if (kind !== 'the Navigation API') {
        await page.addInitScript('Object.defineProperty(window, "navigation", { value: undefined })')
      }
      for (const path of ['/docs/', '/plain'])
        site.pages.set(path, { html: () => site.tag(path === '/docs/' ? 'defer data-router="hash"' : 'defer') })
      await openCounted('/docs/')
      const routes = ['#/guide', '#/guide?id=part', '#/guide/', '#!/other?x=1', '#part', '#/$&']
      for (const route of routes) await page.evaluate(`location.hash = '${route}'`)
      await site.until(() => site.beacons.length === 5)
      await page.evaluate('void history.go(-5)')
      await site.until(() => site.beacons.length === 6)
      await openCounted('/plain')
      await page.evaluate('location.hash = "#/guide"')
      await endsWith('/docs/', '/docs/guide', '/docs/other', '/docs/', '/docs/$&', '/docs/guide', '/plain')
    })
  }

  test('a campaign and a title are sent with the loaded page, and no other query', async () => {
    await openCounted('/start?q=secret&utm_source=chatgpt.com&utm_medium=x')
    await page.evaluate('history.pushState(null, "", "/next?utm_source=chatgpt.com")')
    await site.until(() => site.beacons.length === 2)
    await openCounted('/mail?prefer=a&ref=b')
    const views = site.beacons.map(({ body }) => JSON.parse(body) as { readonly url: string; readonly title?: string })
    assert.deepEqual(
      views.map(({ url, title }) => [url.replace(site.origin, ''), title]),
      [
        ['/start?utm_source=chatgpt.com&utm_medium=x', '/start'],
        ['/next', undefined],
        ['/mail?ref=b', '/mail'],
      ],
    )
  })

  /** Opens a page, then another, does `between` there, and goes back. How often the first was requested. */
  const comeBack = async (between: () => Promise<unknown>) => {
    for (const path of ['/page', '/other']) await openCounted(path)
    await between()
    await page.evaluate('void history.back()')
    await site.until(() => site.beacons.length === 3)
    assert.deepEqual(site.views(), ['/page', '/other', '/page'])
    assert.deepEqual(errors, [])
    return site.requests.filter((request) => request === 'GET /page').length
  }

  test('the back button is a view when the page was kept', async () => {
    assert.equal(await comeBack(async () => {}), 1, 'it came from the network')
  })

  test('the back button is one view when the page is loaded again', async () => {
    // When a page gets a response with this header, Chromium has dropped what it kept of the origin.
    site.pages.set('/clear', { html: () => '', headers: { 'Clear-Site-Data': '"cache"' } })
    const clear = async () => await page.evaluate('fetch("/clear").then((response) => response.text())')
    assert.equal(await comeBack(clear), 2, 'it was kept')
  })

  test('a page in the background is reported when it comes to the front', async () => {
    await page.addInitScript(
      `Object.defineProperty(document, 'hidden', { get: () => !window.front, configurable: true })`,
    )
    await open('/behind')
    await page.evaluate('fetch("/marker")')
    await site.until(() => site.requests.includes('GET /marker'))
    assert.deepEqual(site.views(), [])
    await page.evaluate('window.front = true; document.dispatchEvent(new Event("visibilitychange"))')
    await page.evaluate('document.dispatchEvent(new Event("visibilitychange"))')
    await site.until(() => site.beacons.length > 0)
    await endsWith('/behind')
  })

  test('a page that is closed at once is reported, even if all connections are busy', async () => {
    await open('/first')
    await site.until(() => site.beacons.length === 1)
    await page.evaluate(`for (let n = 0; n < 6; n++) void fetch('${site.service}/held?' + n).catch(() => {})
0`)
    await site.until(() => site.held() === 6)
    await page.evaluate('history.pushState(null, "", "/gone")')
    await page.close()
    await site.until(() => site.beacons.length === 2)
    assert.deepEqual(site.views(), ['/first', '/gone'])
  })

  test('a policy of the page allows it by two sources, and forbids it without harm', async () => {
    const { service } = site
    const inside = (tag: string) => `${tag}<p>text`
    const allowed = `default-src 'none'; script-src ${service}; connect-src ${service}`
    site.pages.set('/allowed', { html: inside, headers: { 'Content-Security-Policy': allowed } })
    site.pages.set('/mute', {
      html: inside,
      headers: { 'Content-Security-Policy': `default-src 'none'; script-src ${service}` },
    })
    site.pages.set('/closed', { html: inside, headers: { 'Content-Security-Policy': `default-src 'none'` } })
    for (const path of ['/mute', '/closed', '/allowed']) await open(path)
    await site.until(() => site.beacons.length > 0)
    await endsWith('/allowed')
  })

  test('a tag without a site warns once and breaks nothing', async () => {
    const warnings: string[] = []
    page.on('console', (message) => warnings.push(`${message.type()}: ${message.text()}`))
    const { service } = site
    site.pages.set('/wrong', {
      html: () => `<script src="${service}/v1/script.js"></script><script>var after = 1</script>`,
    })
    await open('/wrong')
    assert.equal(await page.evaluate('after'), 1)
    assert.deepEqual(warnings, ['warning: Docent: its script needs data-site'])
    assert.deepEqual([site.beacons, errors], [[], []])
  })

  test('a service that is away breaks nothing', async () => {
    site.pages.set('/alone', { html: () => `<script>fetch = () => { throw new Error('no') }</script>${site.tag()}` })
    site.pages.set('/refused', {
      html: () => `<script>fetch = () => Promise.reject(new Error('no'))</script>${site.tag()}`,
    })
    await open('/alone')
    await open('/refused')
    await open('/then')
    await site.until(() => site.beacons.length > 0)
    await endsWith('/then')
  })

  test('a frame without an address is no view', async () => {
    site.pages.set('/framed', { html: () => `<iframe srcdoc='${site.tag()}'></iframe>` })
    await open('/framed')
    await open('/then')
    await site.until(() => site.beacons.length > 0)
    await endsWith('/then')
  })
})

test('a prerendered page is sent once it becomes visible, and never before', async () => {
  const site = await openSite()
  const ran = (path: string) => `<script>addEventListener('load', () => fetch('/ran${path}'))</script>`
  const rules = `<script type="speculationrules">{"prerender":[{"urls":["/ahead","/unseen"],"eagerness":"immediate"}]}</script>`
  const follow = `<a href="/ahead">on</a><script>fetch('${site.service}/held').then(() => document.links[0].click())</script>`
  site.pages.set('/list', { html: (tag) => tag + rules + follow })
  for (const path of ['/ahead', '/unseen']) site.pages.set(path, { html: (tag) => tag + ran(path) })
  const chromium = await leaveChromiumAlone(`${site.origin}/list`)
  try {
    const isAhead = (path: string) => site.requests.some((request) => request.startsWith(`GET /ran${path}`))
    await site.until(() => isAhead('/ahead') && isAhead('/unseen') && site.beacons.length > 0)
    assert.ok(site.requests.includes('GET /ahead prefetch;prerender'), site.requests.join())
    assert.deepEqual(site.views(), ['/list'])
    site.release()
    await site.until(() => site.beacons.length > 1)
    assert.equal(site.requests.filter((request) => request.startsWith('GET /ahead')).length, 1, 'it was loaded again')
    assert.deepEqual(site.views(), ['/list', '/ahead'])
  } finally {
    await chromium.close()
    site.close()
  }
})

test('a browser that asks not to be tracked says so to the service with every view', async () => {
  const site = await openSite()
  const chromium = await startChromium({ optsOut: true })
  try {
    const page = await chromium.context.newPage()
    await page.goto(`${site.origin}/private`)
    await site.until(() => site.beacons.length === 1)
    const { dnt, 'sec-gpc': gpc } = site.beacons[0]?.headers ?? {}
    assert.deepEqual({ dnt, gpc }, { dnt: '1', gpc: '1' })
  } finally {
    await chromium.close()
    site.close()
  }
})

function inserted({ service }: Site): string {
  const set = `Object.assign(document.createElement('script'), { src: '${service}/v1/script.js', type: 'module' })`
  return `<script>const tag = ${set}; tag.dataset.site = '${siteId}'; document.head.append(tag)</script>`
}
