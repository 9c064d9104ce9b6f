// The recipes of docs/guides/recipes.md: a site of each generator with the snippets of the guide, behind the servers of the
// guide, in a real Chromium, and counted by the real service.

import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { dirname, join } from 'node:path'
import { after, before, suite, test, type TestContext } from 'node:test'
import type { Page } from 'playwright-core'
import { type Chromium, startChromium } from '../../browser/chromium.ts'
import { chrome, type Collecting, type Place, startCollecting } from '../../support/collecting.ts'
import { needsInline, snippets } from './guide.ts'
import { caddy, findPort, next, nginx, type ServerOf } from './servers.ts'
import { nextSite, type Recipe, recipeSites, type RecipeSite } from './sites.ts'

const [ownPolicy = '', servicePolicy = ''] = snippets('Content Security Policy').map((code) => code.trim())

suite('the recipes of the guide', () => {
  let t: Collecting
  let chromium: Chromium
  before(async () => {
    t = await startCollecting({ DOCENT_TRUSTED_PROXIES: '127.0.0.1' })
    chromium = await startChromium({ userAgent: chrome })
  })
  after(async () => {
    await chromium.close()
    await t.close()
  })

  /** Builds the site for a new place. `isOwn`: the tag and the policy for the domain of the site. */
  const build = async (test: TestContext, site: RecipeSite, isOwn: boolean) => {
    const origin = `http://127.0.0.1:${await findPort()}`
    const place = await t.makePlace({ origins: [origin] })
    const service = t.address ?? ''
    const proxy = (code: string) =>
      code.replaceAll('https://docent.example.com', service).replaceAll('docent.example.com', new URL(service).host)
    const tag = (code: string) =>
      (isOwn ? code.replaceAll('https://docent.example.com', '/docent') : proxy(code)).replaceAll(
        'site_…',
        place.siteId,
      )
    const recipe: Recipe = { tag, proxy, origin, policy: isOwn ? ownPolicy : proxy(servicePolicy) }
    const folder = await mkdtemp(join(import.meta.dirname, '..', site.packages, '.built-'))
    test.after(() => rm(folder, { recursive: true }))
    for (const [path, text] of Object.entries(site.files(recipe))) {
      await mkdir(dirname(join(folder, path)), { recursive: true })
      await writeFile(join(folder, path), text)
    }
    const built = await site.build(folder)
    if ('failed' in built) throw new Error(`The build failed: ${built.failed}`)
    const own = join(folder, '.server')
    await mkdir(own)
    const serve = (server: ServerOf) => server(recipe, built.html, own)
    return { recipe, place, serve }
  }

  /** Reads the first page, follows the link to the second, and returns what the policy refused. */
  const visit = async ({ origin }: Recipe, isSinglePage: boolean) => {
    const { page, refused } = await openTab(chromium)
    const counted = async (act: () => Promise<unknown>) => {
      const response = page.waitForResponse((one) => one.url().includes('/v1/collect/'))
      await act()
      assert.equal((await response).status(), 202)
    }
    await counted(() => page.goto(`${origin}/`))
    await page.waitForLoadState('networkidle')
    await page.evaluate('window.first = true')
    await counted(() => page.getByRole('link', { name: 'Second' }).first().click())
    await page.waitForURL('**/second**')
    assert.equal(await page.evaluate('window.first === true'), isSinglePage)
    await page.close()
    return refused
  }
  const viewsOf = async (place: Place) =>
    (await t.views(place)).views.toSorted((a, b) => (a.path < b.path ? -1 : 1)).map(({ path, total }) => [path, total])

  const fromOwnDomain = async (test: TestContext, site: RecipeSite, servers: readonly ServerOf[]) => {
    const { recipe, place, serve } = await build(test, site, true)
    let times = 0
    for (const server of servers) {
      times++
      const served = await serve(server)
      try {
        assert.deepEqual(await visit(recipe, site.isSinglePage), [], server.name)
        assert.deepEqual(
          await viewsOf(place),
          [
            ['/', times],
            ['/second', times],
          ],
          server.name,
        )
        if (times < servers.length) continue
        await countReaders(t, recipe, place)
        const refused = await visitStrictly(chromium, recipe)
        assert.equal(refused.length > 0, needsInline(site.name), `without 'unsafe-inline': ${refused.join('\n')}`)
      } finally {
        await served.close()
      }
    }
  }
  const fromService = async (test: TestContext, site: RecipeSite, server: ServerOf) => {
    const { recipe, place, serve } = await build(test, site, false)
    const served = await serve(server)
    try {
      assert.deepEqual(await visit(recipe, site.isSinglePage), [])
      assert.deepEqual(await viewsOf(place), [
        ['/', 1],
        ['/second', 1],
      ])
    } finally {
      await served.close()
    }
  }

  for (const site of recipeSites) {
    test(`a site of ${site.name} counts through nginx and Caddy on its domain`, (test) =>
      fromOwnDomain(test, site, [nginx, caddy]))
    test(`a site of ${site.name} counts with the script of the service`, (test) => fromService(test, site, caddy))
  }
  test('a site of Next.js counts through its own server', (test) => fromOwnDomain(test, nextSite, [next]))
  test('a site of Next.js counts with the script of the service', (test) => fromService(test, nextSite, next))

  test("the search of Starlight needs 'wasm-unsafe-eval'", async (test) => {
    const site = recipeSites.find(({ name }) => name === 'Starlight') ?? assert.fail()
    const { recipe, serve } = await build(test, site, true)
    const search = async (source: string) => {
      const policy = ownPolicy.replace("script-src 'self'", `script-src 'self'${source}`)
      const served = await serve((one, html, own) => caddy({ ...one, policy }, html, own))
      const { page, refused } = await openTab(chromium)
      try {
        await page.goto(`${recipe.origin}/`, { waitUntil: 'networkidle' })
        await page.keyboard.press('Control+k')
        await page.locator('.pagefind-ui__search-input').fill('Second')
        while (refused.length === 0 && (await page.locator('.pagefind-ui__result').count()) === 0)
          await page.waitForTimeout(50)
        return refused
      } finally {
        await page.close()
        await served.close()
      }
    }
    assert.match((await search('')).join(), /WebAssembly/)
    assert.deepEqual(await search(" 'wasm-unsafe-eval'"), [])
  })

  test('a policy without the service loses the views', async (test) => {
    const site = recipeSites.find(({ name }) => name === 'Hugo') ?? assert.fail()
    const { recipe, place, serve } = await build(test, site, false)
    const served = await serve((one, html, own) => caddy({ ...one, policy: ownPolicy }, html, own))
    try {
      const { page, refused } = await openTab(chromium)
      await page.goto(`${recipe.origin}/`, { waitUntil: 'networkidle' })
      await page.close()
      assert.equal(refused.length, 1)
      assert.deepEqual(await viewsOf(place), [])
    } finally {
      await served.close()
    }
  })
})

type Tab = { readonly page: Page; readonly refused: readonly string[] }

/** `refused`: what the browser says that a policy refused, and errors of scripts. */
async function openTab({ context }: Chromium): Promise<Tab> {
  const page = await context.newPage()
  const refused: string[] = []
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) refused.push(message.text())
  })
  page.on('pageerror', (error) => refused.push(String(error)))
  return { page, refused }
}

/** The same page under the policy without `'unsafe-inline'` for scripts. */
async function visitStrictly(chromium: Chromium, { origin, policy }: Recipe): Promise<readonly string[]> {
  const strict = policy.replace("script-src 'self' 'unsafe-inline'", "script-src 'self'")
  assert.notEqual(strict, policy)
  const { page, refused } = await openTab(chromium)
  await page.route(`${origin}/`, async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, headers: { ...response.headers(), 'content-security-policy': strict } })
  })
  await page.goto(`${origin}/`, { waitUntil: 'networkidle' })
  await page.close()
  return refused
}

/** Two more readers behind the proxy, with the browser of the first: each is a visitor, by the address that the proxy names. */
async function countReaders(t: Collecting, { origin }: Recipe, place: Place): Promise<void> {
  for (const address of ['127.0.0.2', '127.0.0.3']) {
    const status = await new Promise((resolve, reject) => {
      const headers = { Origin: origin, 'User-Agent': chrome, 'Content-Type': 'text/plain' }
      const options = { method: 'POST', localAddress: address, headers, agent: false }
      const sent = request(`${origin}/docent/v1/collect/${place.siteId}`, options, (response) => {
        response.resume().once('end', () => resolve(response.statusCode))
      })
      sent.once('error', reject).end(JSON.stringify({ url: `${origin}/second` }))
    })
    assert.equal(status, 202)
  }
  assert.deepEqual((await t.visitors(place)).totals, { human: 3, ai: 0, total: 3 })
}
