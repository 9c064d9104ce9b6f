import assert from 'node:assert/strict'
import { before, suite, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { expectProblem, startBareApp, type Started } from '../../../test/support/openapi-app.ts'
import { readScript } from './script.ts'

suite('the tracker over HTTP', () => {
  const script = readScript()
  let t: Started
  before(async () => {
    t = await startBareApp()
  })

  test('any page gets it without a key, for a day', async () => {
    const answer = await t.call('/v1/script.js')
    assert.equal(answer.status, 200)
    assert.equal(await answer.text(), script)
    const expected = {
      'Content-Type': 'text/javascript; charset=utf-8',
      'Cache-Control': 'public, max-age=86400',
      'Cross-Origin-Resource-Policy': 'cross-origin',
      'Access-Control-Allow-Origin': '*',
      'X-Content-Type-Options': 'nosniff',
      Vary: 'Accept-Encoding',
    }
    for (const [name, value] of Object.entries(expected)) assert.equal(answer.headers.get(name), value, name)
    assert.ok(!answer.headers.has('Content-Encoding') && !answer.headers.has('Set-Cookie'))
    assert.equal((await t.call('/v1/script.js', { method: 'HEAD' })).status, 200)
  })

  test('clients that accept gzip get gzip', async () => {
    const table: [string, string | null][] = [
      ['gzip, deflate, br, zstd', 'gzip'],
      ['br, GZIP;q=0.5', 'gzip'],
      ['gzip;q=1.0', 'gzip'],
      ['gzip;q=0', null],
      ['gzip; q=0.000, identity', null],
      ['br', null],
      ['gzipped', null],
      ['', null],
    ]
    for (const [accepted, coding] of table) {
      const answer = await t.call('/v1/script.js', { headers: { 'Accept-Encoding': accepted } })
      assert.equal(answer.headers.get('Content-Encoding'), coding, accepted)
      const bytes = Buffer.from(await answer.arrayBuffer())
      assert.equal(String(coding === 'gzip' ? gunzipSync(bytes) : bytes), script, accepted)
      assert.ok(coding === null || bytes.length < 1_000)
    }
  })

  test('a browser with the script gets 304; plain and gzip have their own tags', async () => {
    const plain = (await t.call('/v1/script.js')).headers.get('ETag') ?? ''
    const gzip = { 'Accept-Encoding': 'gzip' }
    const packed = (await t.call('/v1/script.js', { headers: gzip })).headers.get('ETag') ?? ''
    assert.notEqual(plain, packed)
    const ask = async (headers: Record<string, string>) => (await t.call('/v1/script.js', { headers })).status
    assert.equal(await ask({ 'If-None-Match': plain }), 304)
    assert.equal(await ask({ 'If-None-Match': packed, ...gzip }), 304)
    assert.equal(await ask({ 'If-None-Match': plain, ...gzip }), 200)
  })

  test('nothing else is open without a key, in any spelling of its address', async () => {
    const closed = [
      '/v1/keys',
      '/v1/script.js/',
      '/v1/script.js/x',
      '/v1/script.js%2f..%2fkeys',
      '/v1/collect',
      '/v1/collect/',
      '/v1/collect//',
      '/v1/collect/../keys',
      '/v1/collect/%2e%2e/keys',
      '/v1/collect/site_x/keys',
      '/v1//collect/site_x',
      '//v1/keys',
      '/v1/keys/script.js',
      '/v1/keys?/v1/script.js',
      '/v1/keys;/v1/script.js',
      '/v1/Collect/site_x',
      '/v1/projects/v1/collect/site_x',
    ]
    for (const address of closed) {
      // A Request normalises its address as the server does, before the app sees it.
      const answer = await t.app.request(new Request(`http://docs.test${address}`))
      assert.ok([401, 404].includes(answer.status), `${address}: ${answer.status}`)
      const isBehindKey = new URL(answer.url || `http://docs.test${address}`).pathname.startsWith('/v1/')
      if (isBehindKey) assert.equal(answer.status, 401, address)
    }
    await expectProblem(await t.call('/v1/keys'), 401, 'unauthenticated')
  })

  test('a malformed site id reaches only the collect operation, which returns 404', async () => {
    const ids = [
      '..%2fkeys',
      '..%5ckeys',
      '%2e%2e%2fkeys',
      'site_x%2fkeys',
      'site_x%252fkeys',
      'site_x%00',
      'site_x%0a',
    ]
    for (const id of ids) {
      const address = `http://docs.test/v1/collect/${id}`
      assert.equal((await t.app.request(new Request(address))).headers.get('Allow'), 'POST, OPTIONS', id)
      assert.equal((await t.app.request(new Request(address, { method: 'POST' }))).status, 404, id)
    }
  })
})
