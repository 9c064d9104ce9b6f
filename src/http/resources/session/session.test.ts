import assert from 'node:assert/strict'
import { before, beforeEach, suite, test } from 'node:test'
import { sql } from 'kysely'
import { expectProblem, openTestApp, type TestApp } from '../../../../test/support/openapi-app.ts'
import { ada, cookieOf, createPeople, own, removePeople } from '../../../../test/support/signed-in.ts'
import { createSignInLink } from '../../../people/links.ts'
import { createSetupToken } from '../../../people/setup.ts'

suite('people who sign in', () => {
  let t: TestApp
  let people: ReturnType<typeof createPeople>
  before(async () => {
    t = await openTestApp()
    people = createPeople(t)
  })
  beforeEach(() => removePeople(t))
  const send: typeof people.send = (...request) => people.send(...request)
  const setUp = () => people.setUp()
  const join: typeof people.join = (...person) => people.join(...person)

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

  test('when twenty forms are sent at once, one creates the account', async () => {
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

  test('signing in again ends the session that the browser had', async () => {
    const first = await setUp()
    const { email, password } = ada
    const second = cookieOf(await send('/v1/session', { cookie: first, json: { email, password } }))
    assert.notEqual(second, first)
    await expectProblem(await send('/v1/projects', { cookie: first }), 401, 'unauthenticated')
    assert.equal((await send('/v1/projects', { cookie: second })).status, 200)
  })

  test('a person of any role sees and ends its own sessions, and nobody else does', async () => {
    const admin = await setUp()
    const viewer = await join(admin, 'viewer')
    const json = { email: 'viewer@example.com', password: 'four plain words together' }
    const other = cookieOf(await send('/v1/session', { json }, { ...own, 'User-Agent': 'Elsewhere/1.0' }))
    const list = async (cookie: string) => {
      const { sessions } = (await (await send('/v1/sessions', { cookie })).json()) as {
        sessions: readonly { id: string; current: boolean; userAgent: string }[]
      }
      return sessions
    }
    const elsewhere = (await list(viewer)).find(({ userAgent }) => userAgent === 'Elsewhere/1.0')
    assert.deepEqual([(await list(viewer)).length, elsewhere?.current], [2, false])
    const path = `/v1/sessions/${elsewhere?.id ?? ''}`
    await expectProblem(await send(path, { cookie: admin, method: 'DELETE' }), 404, 'not_found')
    await expectProblem(await send(path, { cookie: viewer, method: 'DELETE' }, {}), 403, 'forbidden')
    assert.equal((await send(path, { cookie: viewer, method: 'DELETE' })).status, 204)
    await expectProblem(await send('/v1/sessions', { cookie: other }), 401, 'unauthenticated')
    await expectProblem(await t.call('/v1/sessions', { key: t.keys.admin }), 401, 'unauthenticated')
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

  test('a password of 900 kB is refused before it is hashed', async () => {
    await setUp()
    const password = 'a'.repeat(900_000)
    const asked = { email: ada.email, password }
    await expectProblem(await send('/v1/session', { json: asked }), 400, 'invalid_input')
    await expectProblem(await send('/v1/setup', { json: { ...ada, token: 'a', password } }), 400, 'invalid_input')
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
      [`/v1/analytics/${t.project.id}/page-views?import=none`, [], [404, 404, 403]],
      [`/v1/analytics/${t.project.id}/imports/none/finish`, {}, [404, 404, 403]],
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

  test('a password change needs the current one', async () => {
    const cookie = await setUp()
    const change = (currentPassword: string) =>
      send('/v1/session/password', {
        cookie,
        method: 'PUT',
        json: { currentPassword, password: 'another four plain words' },
      })
    await expectProblem(await change('wrong'), 400, 'invalid_input')
    const changed = await change(ada.password)
    assert.equal(changed.status, 204)
    await expectProblem(await send('/v1/projects', { cookie }), 401, 'unauthenticated')
    assert.equal((await send('/v1/projects', { cookie: cookieOf(changed) })).status, 200)
    await expectProblem(
      await send('/v1/session', { json: { email: ada.email, password: ada.password } }),
      401,
      'sign_in_refused',
    )
  })
})
