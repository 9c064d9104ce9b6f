// The tracker in other browsers, against the real service: every flow has paths of its own, and each path its count in the
// store.

import assert from 'node:assert/strict'
import { after, before, suite, test, type TestContext } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { openSite, type Site } from '../browser/site.ts'
import { type Collecting, type Place, startCollecting } from '../support/collecting.ts'
import { type Browser, waitFor } from './browser.ts'
import { browsers } from './browsers.ts'

for (const { name, open } of browsers) {
  suite(`the tracker in ${name}`, () => {
    let t: Collecting
    let site: Site
    let browser: Browser
    let place: Place
    before(async () => {
      t = await startCollecting()
      site = await openSite()
      browser = await open()
      place = await t.makePlace({ origins: [site.origin] })
    })
    after(async () => {
      await browser.close()
      site.close()
      await t.close()
    })

    test('every path of every flow has the count that it should', async (context: TestContext) => {
      const tag = (attributes = 'defer') =>
        `<script ${attributes} src="${t.address}/v1/script.js" data-site="${place.siteId}"></script>`
      const expected = new Map<string, number>()
      const expect = (counts: Readonly<Record<string, number>>) => {
        for (const [path, count] of Object.entries(counts)) if (count > 0) expected.set(path, count)
      }
      const page = (path: string, html = tag(), headers: Readonly<Record<string, string>> = {}) =>
        site.pages.set(path, { html: () => `<head>${html}</head><p>${path}`, headers })
      /** Opens the page; its views are stored before the next one. */
      const visit = async (path: string) => {
        await browser.goto(`${site.origin}${path}`)
        await stored()
      }
      const total = () => t.views(place).then(({ totals }) => totals.total)
      const wanted = () => [...expected.values()].reduce((sum, count) => sum + count, 0)
      const stored = async () => {
        for (let tries = 0; tries < 200 && (await total()) < wanted(); tries += 1) await delay(50)
      }
      const run = async (script: string, counts: Readonly<Record<string, number>>) => {
        await browser.read(`(${script}, true)`).catch(() => true)
        expect(counts)
        await stored()
      }
      const load = async (path: string, count = 1) => {
        expect({ [path]: count })
        await visit(path)
      }

      for (const path of ['/one', '/two', '/back', '/away', '/spa', '/reload', '/many', '/query']) page(path, tag())
      await load('/one')
      await run(`location.href = '/two'`, { '/two': 1 })
      await load('/back')
      await load('/away')
      await run('history.back()', { '/back': 2 })
      await waitFor(browser, `location.pathname === '/back'`)
      await load('/spa')
      await run(`history.pushState(null, '', '/spa/a')`, { '/spa/a': 1 })
      await run(`history.replaceState(null, '', '/spa/b')`, { '/spa/b': 1 })
      await run(`history.pushState(null, '', '/spa/b?tab=1')`, {})
      await run(`location.hash = 'part'`, {})
      await run(`history.pushState(null, '', '/spa/b/')`, {})
      await run('history.go(-4)', { '/spa': 2 })
      await load('/reload')
      await run('location.reload()', { '/reload': 2 })
      for (let count = 1; count <= 10; count += 1) await load('/many', count)
      await load('/query')
      page('/twice', tag() + tag() + tag('async'))
      page('/module', tag('type="module" crossorigin'))
      page('/blocking', tag(''))
      page('/quiet', tag(), { 'Referrer-Policy': 'no-referrer' })
      page('/no-store', tag(), { 'Cache-Control': 'no-store' })
      const policy = `default-src 'none'; script-src ${t.address}`
      page('/allowed', tag(), { 'Content-Security-Policy': `${policy}; connect-src ${t.address}` })
      for (const path of ['/twice', '/module', '/blocking', '/quiet', '/no-store', '/allowed']) await load(path)
      page('/mute', tag(), { 'Content-Security-Policy': policy })
      page('/framed', `<iframe srcdoc='${tag()}'></iframe>`)
      page('/silent', '<title>no tag</title>')
      for (const path of ['/mute', '/framed', '/silent']) await load(path, 0)
      page('/end')
      await load('/end')

      const { totals, views } = await t.views(place)
      const found = Object.fromEntries(views.map(({ path, total: count }) => [path, count]))
      assert.deepEqual(found, Object.fromEntries(expected))
      assert.equal(totals.total, wanted())
      const { totals: people } = await t.visitors(place)
      assert.deepEqual(people, { human: 1, ai: 0, total: 1 })
      context.diagnostic(`${name}: ${expected.size} paths, ${totals.total} page views, 0 differ`)
    })
  })
}
