import assert from 'node:assert/strict'
import { before, beforeEach, suite, test } from 'node:test'
import { expectProblem, openTestApp, publicUrl, type TestApp } from '../../../test/support/openapi-app.ts'
import { ada, createPeople, own, removePeople } from '../../../test/support/signed-in.ts'

suite('where a request of a browser comes from', () => {
  let t: TestApp
  let people: ReturnType<typeof createPeople>
  before(async () => {
    t = await openTestApp()
    people = createPeople(t)
  })
  beforeEach(() => removePeople(t))
  const send: typeof people.send = (...request) => people.send(...request)
  const setUp = () => people.setUp()

  test('a change needs a page of this service', async () => {
    const cookie = await setUp()
    const change = (headers: Record<string, string>) =>
      send('/v1/keys', { cookie, json: { name: 'x', scope: 'read' } }, headers)
    const refused: Record<string, string>[] = [
      {},
      { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.test' },
      { 'Sec-Fetch-Site': 'same-site', Origin: 'https://other.docs.test' },
      { 'Sec-Fetch-Site': 'none' },
      { 'Sec-Fetch-Site': 'same-origin', Origin: 'null' },
      { Origin: 'null' },
      { Origin: 'https://evil.test' },
      { Origin: `${publicUrl}.evil.test` },
      { Origin: 'http://docs.test' },
    ]
    for (const headers of refused) await expectProblem(await change(headers), 403, 'forbidden')
    for (const headers of [own, { Origin: publicUrl }, { 'Sec-Fetch-Site': 'same-origin' }])
      assert.equal((await change(headers)).status, 201, JSON.stringify(headers))
    for (const path of ['/v1/session', '/v1/setup'])
      await expectProblem(await send(path, { json: { ...ada, token: 'x' } }, refused[1]), 403, 'forbidden')
  })

  test('behind a proxy that ends TLS, a page that came over http changes nothing', async () => {
    const cookie = await setUp()
    const change = (Origin: string) =>
      t.app.request('http://docs.internal/v1/keys', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Cookie: cookie, Origin },
        body: JSON.stringify({ name: 'x', scope: 'read' }),
      })
    for (const [origin, status] of [
      [publicUrl, 201],
      ['https://docs.internal', 201],
      ['http://docs.internal', 403],
      ['http://docs.test', 403],
    ] as const)
      assert.equal((await change(origin)).status, status, origin)
  })

  test('a service under a path has a cookie of its own', async () => {
    await setUp()
    const address = 'https://docs.test/docent'
    const { app } = await t.start({ publicUrl: address })
    const response = await app.request(`${address}/v1/session`.replace('/docent', ''), {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Origin: publicUrl },
      body: JSON.stringify({ email: ada.email, password: ada.password }),
    })
    const set = response.headers.get('Set-Cookie') ?? ''
    assert.match(set, /^__Host-docent-[0-9a-f]{8}=[0-9A-Za-z]{43}; Path=\/; /)
    const headers = { Cookie: set.split(';')[0] ?? '' }
    assert.equal((await app.request('https://docs.test/v1/projects', { headers })).status, 200)
    await expectProblem(await t.call('/v1/projects', { key: null, headers }), 401, 'unauthenticated')
  })

  test('an admin who is signed in does not see the operations of the machine', async () => {
    const cookie = await setUp()
    for (const path of ['/local/status', '/local/backup'])
      await expectProblem(await send(path, { cookie }), 404, 'not_found')
    await expectProblem(await send('/local/accept-clock', { cookie, method: 'POST' }), 404, 'not_found')
  })

  test('a key decides alone, and no cookie helps it', async () => {
    const cookie = await setUp()
    await expectProblem(await t.call('/v1/keys', { key: t.keys.read, headers: { Cookie: cookie } }), 403, 'forbidden')
    const unknown = { Cookie: cookie, Authorization: 'Bearer docent_unknown' }
    await expectProblem(await t.call('/v1/keys', { key: null, headers: unknown }), 401, 'unauthenticated')
  })

  test('over plain http from another machine nobody signs in, unless it is allowed', async () => {
    await setUp()
    const json = { email: ada.email, password: ada.password }
    for (const [address, allowed, status] of [
      ['http://docent.lan', false, 403],
      ['http://docent.lan', true, 200],
      ['http://127.0.0.1:4100', false, 200],
      ['http://docs.localhost', false, 200],
    ] as const) {
      const { app } = await t.start({ publicUrl: address, allowHttpSignIn: allowed })
      const headers = { 'Content-Type': 'application/json', Origin: address }
      const response = await app.request(`${address}/v1/session`, {
        method: 'POST',
        headers,
        body: JSON.stringify(json),
      })
      assert.equal(response.status, status, address)
      if (status === 200) assert.match(response.headers.get('Set-Cookie') ?? '', /^docent=\w+; (?!.*Secure)/)
    }
    // A proxy without TLS on the same machine that passes another host on.
    const { app } = await t.start({ publicUrl: 'http://docent.lan' })
    const hidden = await app.request('http://127.0.0.1:4100/v1/session', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Origin: 'http://docent.lan' },
      body: JSON.stringify(json),
    })
    assert.equal(hidden.status, 403)
    assert.equal(((await hidden.json()) as { code: string }).code, 'sign_in_insecure')
  })
})
