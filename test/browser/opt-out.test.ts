import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, suite, test } from 'node:test'
import type { Page } from 'playwright-core'
import { type Chromium, startChromium } from './chromium.ts'
import { openSite, type Site } from './site.ts'

suite('the links of a page that opt out, and in again', () => {
  let chromium: Chromium
  let site: Site
  let page: Page
  before(async () => {
    chromium = await startChromium()
  })
  after(async () => await chromium.close())
  beforeEach(async () => {
    site = await openSite()
    page = await chromium.context.newPage()
  })
  afterEach(async () => {
    await page.close()
    site.close()
  })

  const open = async (path: string) => await page.goto(`${site.origin}${path}`)
  const stored = async () => await page.evaluate('JSON.stringify(localStorage)')
  /** Until so many views have arrived. */
  const openCounted = async (path: string, views: number) => {
    await open(path)
    await site.until(() => site.views().length === views)
  }

  test('an opt-out holds on all pages of a site, until a link opts in', async () => {
    const links = '<a href="#docent-opt-out">out</a><a href="#docent-opt-in">in</a>'
    for (const path of ['/privacy', '/other', '/later']) site.pages.set(path, { html: (tag) => tag + links })
    await openCounted('/privacy', 1)
    assert.equal(await stored(), '{}')
    await page.getByText('out', { exact: true }).click()
    assert.equal(await stored(), '{"docent":"out"}')
    await page.evaluate('history.pushState(null, "", "/inside")')
    await open('/other')
    await page.evaluate('fetch("/marker")')
    await site.until(() => site.requests.includes('GET /marker'))
    assert.deepEqual(site.views(), ['/privacy'])
    await page.getByText('in', { exact: true }).click()
    await openCounted('/later', 3)
    assert.equal(await stored(), '{"docent":"in"}')
    assert.deepEqual(site.views(), ['/privacy', '/other', '/later'])
  })

  for (const blocked of ['{ get() { throw new DOMException("no", "SecurityError") } }', '{ value: null }']) {
    test(`without storage (${blocked.slice(2, 7)}) it holds until the page is left`, async () => {
      const errors: string[] = []
      page.on('pageerror', (error) => errors.push(String(error)))
      await page.addInitScript(`Object.defineProperty(window, 'localStorage', ${blocked})`)
      await openCounted('/one', 1)
      for (const path of ['/#docent-opt-out', '/two', '/three']) {
        await page.evaluate(`history.pushState(null, '', '${path}')`)
      }
      await openCounted('/four', 2)
      assert.deepEqual([site.views(), errors], [['/one', '/four'], []])
    })
  }

  test('a prerendered page with such an address stores nothing', async () => {
    await page.addInitScript(`Object.defineProperty(document, 'hidden', { get: () => !window.front })`)
    await open('/behind#docent-opt-out')
    assert.equal(await stored(), '{}')
    await page.evaluate('window.front = true; document.dispatchEvent(new Event("visibilitychange"))')
    assert.equal(await stored(), '{"docent":"out"}')
    assert.deepEqual(site.views(), [])
  })
})
