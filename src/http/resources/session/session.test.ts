import assert from 'node:assert/strict'
import { before, beforeEach, suite, test } from 'node:test'
import { sql } from 'kysely'
import { expectProblem, openTestApp, publicUrl, type TestApp } from '../../../../test/support/openapi-app.ts'
import { createSignInLink } from '../../../people/links.ts'
import { createSetupToken } from '../../../people/setup.ts'

const ada = { email: 'ada@example.com', name: 'Ada Lovelace', password: 'four plain words together' }
const own = { 'Sec-Fetch-Site': 'same-origin', Origin: publicUrl }

suite('people who sign in', () => {
  let t: TestApp
  before(async () => {
    t = await openTestApp()
  })
  beforeEach(async () => {
    for (const table of ['people', 'setup', 'setup_tokens', 'invitations', 'shares', 'audit', 'rate_limits'] as const)
      await t.db.deleteFrom(table).execute()
  })

  type Options = { readonly cookie?: string; readonly json?: unknown; readonly method?: string }
  const send = (path: string, { cookie, ...options }: Options = {}, headers: Record<string, string> = own) =>
    t.call(path, {
      key: null,
      ...options,
      headers: { ...headers, ...(cookie === undefined ? {} : { Cookie: cookie }) },
    })
  const cookieOf = (response: Response) => (response.headers.get('Set-Cookie') ?? '').split(';')[0] ?? ''
  const setUp = async () => {
    const response = await send('/v1/setup', { json: { token: await createSetupToken(t.db), ...ada } })
    assert.equal(response.status, 201, await response.clone().text())
    return cookieOf(response)
  }
  const join = async (cookie: string, role: string) => {
    const invited = await send('/v1/invitations', { cookie, json: { email: `${role}@example.com`, role } })
    const { link } = (await invited.json()) as { link: string }
    const token = link.split('#')[1] ?? ''
    const json = { name: role, password: 'four plain words together' }
    return cookieOf(await send(`/v1/invitations/${token}/accept`, { json }))
  }

  test('the first account is created once, and its cookie opens the API', async () => {
    assert.equal(((await (await send('/v1/session')).json()) as { setup: boolean }).setup, true)
    const token = await createSetupToken(t.db)
    const response = await send('/v1/setup', { json: { token, ...ada } })
    assert.equal(response.status, 201)
    assert.match(
      response.headers.get('Set-Cookie') ?? '',
      /^__Host-docent=[0-9A-Za-z]{43}; Path=\/; Expires=[^;]+ GMT; HttpOnly; Secure; SameSite=Lax$/,
    )
    const cookie = cookieOf(response)
    const session = (await (await send('/v1/session', { cookie })).json()) as { person: unknown; setup: boolean }
    assert.deepEqual(session.setup, false)
    assert.equal((await send('/v1/keys', { cookie })).status, 200)
    await expectProblem(await send('/v1/setup', { json: { token, ...ada } }), 409, 'setup_done')
  })

  test('of twenty forms sent at once, one creates the account', async () => {
    const token = await createSetupToken(t.db)
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        send('/v1/setup', { json: { token, ...ada, email: `ada${n}@example.com` } }),
      ),
    )
    const statuses = responses.map(({ status }) => status).sort((a, b) => a - b)
    assert.deepEqual(statuses, [201, ...Array.from({ length: 19 }, () => 409)])
    const { count } = await t.db
      .selectFrom('people')
      .select((select) => select.fn.countAll<string>().as('count'))
      .executeTakeFirstOrThrow()
    assert.equal(Number(count), 1)
  })

  test('a link signs its person in, once', async () => {
    await setUp()
    const { token } = await createSignInLink(t.db, 'ADA@example.com', 'sign_in')
    await expectProblem(await send('/v1/session/link', { json: { token } }, {}), 403, 'forbidden')
    const opened = await send('/v1/session/link', { json: { token } })
    assert.equal(opened.status, 200)
    assert.equal((await send('/v1/keys', { cookie: cookieOf(opened) })).status, 200)
    await expectProblem(await send('/v1/session/link', { json: { token } }), 404, 'not_found')
    const { action, fields } = await t.db
      .selectFrom('audit')
      .selectAll()
      .where('action', '=', 'signInByLink')
      .executeTakeFirstOrThrow()
    assert.deepEqual([action, fields], ['signInByLink', []])
  })

  test('a link for a lost password takes a good one, and ends the other sessions', async () => {
    const before = await setUp()
    const first = await createSignInLink(t.db, ada.email, 'password')
    const { token } = await createSignInLink(t.db, ada.email, 'password')
    await expectProblem(await send('/v1/session/link', { json: { token: first.token } }), 404, 'not_found')
    for (const password of [undefined, 'short'])
      await expectProblem(await send('/v1/session/link', { json: { token, password } }), 400, 'invalid_input')
    const password = 'quite another long password'
    const opened = await send('/v1/session/link', { json: { token, password } })
    assert.equal((await send('/v1/keys', { cookie: cookieOf(opened) })).status, 200)
    await expectProblem(await send('/v1/keys', { cookie: before }), 401, 'unauthenticated')
    assert.equal((await send('/v1/session', { json: { email: ada.email, password } })).status, 200)
    await assert.rejects(createSignInLink(t.db, 'nobody@example.com', 'password'), /Nobody has an account/)
  })

  test('a link that is older than an hour is refused', async () => {
    await setUp()
    const { token } = await createSignInLink(t.db, ada.email, 'sign_in')
    await sql`update sign_in_links set expires_at = now()`.execute(t.db)
    await expectProblem(await send('/v1/session/link', { json: { token } }), 404, 'not_found')
  })

  test('signing in and out', async () => {
    await setUp()
    const { email, password } = ada
    await expectProblem(await send('/v1/session', { json: { email, password: 'no' } }), 401, 'sign_in_refused')
    const cookie = cookieOf(await send('/v1/session', { json: { email, password } }))
    assert.equal((await send('/v1/projects', { cookie })).status, 200)
    const left = await send('/v1/session', { cookie, method: 'DELETE' })
    assert.match(left.headers.get('Set-Cookie') ?? '', /^__Host-docent=; Max-Age=0;/)
    await expectProblem(await send('/v1/projects', { cookie }), 401, 'unauthenticated')
  })

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

  test('a key decides alone, and no cookie helps it', async () => {
    const cookie = await setUp()
    await expectProblem(await t.call('/v1/keys', { key: t.keys.read, headers: { Cookie: cookie } }), 403, 'forbidden')
    const unknown = { Cookie: cookie, Authorization: 'Bearer docent_unknown' }
    await expectProblem(await t.call('/v1/keys', { key: null, headers: unknown }), 401, 'unauthenticated')
  })

  test('roles open what their scope opens', async () => {
    const admin = await setUp()
    const [editor, viewer] = [await join(admin, 'editor'), await join(admin, 'viewer')]
    const jobs = `/v2/agent/${t.project.id}/job`
    const table: readonly (readonly [string, unknown, readonly number[]])[] = [
      [`${jobs}s`, undefined, [200, 200, 200]],
      [jobs, { prompt: 'x' }, [201, 201, 403]],
      ['/v1/people', undefined, [200, 403, 403]],
      ['/v1/audit', undefined, [200, 403, 403]],
      [`/v1/analytics/${t.project.id}/page-views`, [], [403, 403, 403]],
    ]
    for (const [path, json, expected] of table) {
      for (const [index, cookie] of [admin, editor, viewer].entries()) {
        const response = await send(path, { cookie, ...(json === undefined ? {} : { json }) })
        assert.equal(response.status, expected[index], `${path} ${index}: ${await response.text()}`)
      }
    }
  })

  test('a shared link reads the exports of its project and nothing else', async () => {
    const cookie = await setUp()
    const shares = `/v1/projects/${t.project.id}/shares`
    const created = await send(shares, { cookie, json: { name: 'Team' } })
    const { id, link } = (await created.json()) as { id: string; link: string }
    const key = link.split('#')[1] ?? ''
    const visitors = (project: string) => `/v1/analytics/${project}/visitors?dateFrom=2026-11-01&dateTo=2026-11-02`
    // The store of this app refuses: the caller got that far.
    for (const path of [visitors(t.project.id), `/v1/analytics/${t.project.id}`])
      assert.equal((await t.call(path, { key })).status, 500, path)
    await expectProblem(await t.call(visitors(t.other.id), { key }), 404, 'not_found')
    for (const path of ['/v1/projects', shares, `/v2/agent/${t.project.id}/jobs`])
      await expectProblem(await t.call(path, { key }), 403, 'forbidden')
    const views = { key, method: 'POST', json: [] }
    await expectProblem(await t.call(`/v1/analytics/${t.project.id}/page-views`, views), 403, 'forbidden')
    assert.equal((await send(`${shares}/${id}`, { cookie, method: 'DELETE' })).status, 204)
    await expectProblem(await t.call(visitors(t.project.id), { key }), 401, 'unauthenticated')
  })

  test('every change is in the audit record, with its fields and without values', async () => {
    const cookie = await setUp()
    await send(`/v1/projects/${t.project.id}`, { cookie, method: 'PATCH', json: { name: 'Renamed', branch: 'trunk' } })
    await send('/v1/keys', { cookie, json: { name: 'secret name', scope: 'read' } })
    await send('/v1/keys', { cookie, json: { name: '' } })
    const page = (await (await send('/v1/audit?limit=1', { cookie })).json()) as {
      entries: readonly Record<string, unknown>[]
      nextCursor: string
    }
    assert.deepEqual([page.entries[0]?.['action'], page.entries[0]?.['fields']], ['createKey', ['name', 'scope']])
    const next = (await (await send(`/v1/audit?cursor=${page.nextCursor}`, { cookie })).json()) as typeof page
    const [entry] = next.entries
    assert.deepEqual([entry?.['action'], entry?.['subject']], ['updateProject', t.project.id])
    assert.deepEqual((entry?.['actor'] as { name: string } | undefined)?.name, ada.name)
    assert.ok(!JSON.stringify([page, next]).includes('secret name'))
    assert.equal(next.nextCursor, null)
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
  })

  test('a password change needs the current one', async () => {
    const cookie = await setUp()
    const change = (currentPassword: string) =>
      send('/v1/session/password', {
        cookie,
        method: 'PUT',
        json: { currentPassword, password: 'another four plain words' },
      })
    await expectProblem(await change('wrong'), 400, 'invalid_input')
    assert.equal((await change(ada.password)).status, 204)
    await expectProblem(
      await send('/v1/session', { json: { email: ada.email, password: ada.password } }),
      401,
      'sign_in_refused',
    )
  })
})
