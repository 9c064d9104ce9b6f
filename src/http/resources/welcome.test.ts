import assert from 'node:assert/strict'
import { before, suite, test } from 'node:test'
import { expectProblem, openTestApp, type TestApp } from '../../../test/support/openapi-app.ts'

suite('the welcome page', () => {
  let t: TestApp
  before(async () => {
    t = await openTestApp()
  })

  test('people get a page at the root, callers that prefer JSON a 404', async () => {
    for (const accept of [undefined, '*/*', 'text/html,application/xhtml+xml,*/*;q=0.8']) {
      const response = await t.call('/', { key: null, headers: accept === undefined ? {} : { Accept: accept } })
      assert.equal(response.status, 200)
      assert.match(response.headers.get('Content-Security-Policy') ?? '', /^default-src 'none'; style-src 'self'/)
      assert.match(await response.text(), /href="\/reference"/)
    }
    for (const accept of ['application/json', 'application/problem+json', 'text/html;q=0.5, application/json']) {
      await expectProblem(await t.call('/', { key: null, headers: { Accept: accept } }), 404, 'not_found')
    }
    await expectProblem(await t.call('/', { method: 'POST' }), 405, 'method_not_allowed')
  })

  test('under a path of the public address the links of the page have it too', async () => {
    const app = await t.start({ publicUrl: 'https://docs.test/tools/docent' })
    const page = await (await app.app.request('https://docs.test/')).text()
    const links = [...page.matchAll(/href="([^"?]+)/g)].map(([, href]) => href ?? '')
    assert.ok(links.includes('/tools/docent/welcome.css'))
    for (const link of links) {
      assert.ok(link.startsWith('/tools/docent/'), link)
      assert.equal((await app.app.request(`https://docs.test${link.slice(13)}`)).status, 200, link)
    }
  })
})
