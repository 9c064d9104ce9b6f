import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { before, suite, test } from 'node:test'
import { expectProblem, openTestApp, type TestApp } from '../../../../test/support/openapi-app.ts'
import type { Key, ShownKey } from '../../../projects/keys.ts'

const day = 86_400_000
const inDays = (days: number) => new Date(Date.now() + days * day).toISOString()

suite('rights and expiry of keys', () => {
  let t: TestApp
  before(async () => {
    t = await openTestApp()
  })

  const make = async (json: Record<string, unknown>, key = t.keys.admin) => {
    const response = await t.call('/v1/keys', { key, json: { name: 'x', ...json } })
    assert.equal(response.status, 201, await response.clone().text())
    return (await response.json()) as ShownKey
  }
  const rotate = (id: string, json: unknown = {}, key = t.keys.admin) => t.call(`/v1/keys/${id}/rotate`, { key, json })
  const opens = async (key: string) => (await t.call('/v1/projects', { key })).status === 200
  const shown = async (id: string) => {
    const { keys } = (await (await t.call('/v1/keys', { key: t.keys.admin })).json()) as { keys: Key[] }
    const key = keys.find((one) => one.id === id)
    assert.ok(key)
    return key
  }
  const change = (id: string, set: { expires_at?: Date; last_used_at?: Date }) =>
    t.db.updateTable('keys').set(set).where('id', '=', id).execute()
  const from = (remoteAddress: string | undefined, key: string, headers: Record<string, string> = {}, body = '') => ({
    init: { headers: { Authorization: `Bearer ${key}`, ...headers }, ...(body === '' ? {} : { method: 'POST', body }) },
    bindings: {
      incoming: Object.assign(Readable.from([Buffer.from(body)]), {
        socket: { remoteAddress },
      }) as unknown as IncomingMessage,
    },
  })

  test('no key grants more than it has: scope, projects, time, addresses', async () => {
    const { project, other } = t
    const all = { scope: 'admin' }
    const one = { scope: 'admin', projectIds: [project.id] }
    const short = { scope: 'admin', expiresAt: inDays(10) }
    const bound = { scope: 'admin', allowedAddresses: ['10.0.0.0/8', '2001:db8::/32'] }
    const table: [Record<string, unknown>, Record<string, unknown>, number][] = [
      [all, { scope: 'admin' }, 201],
      [all, { expiresAt: inDays(9_000), allowedAddresses: ['0.0.0.0/0'] }, 201],
      [{ scope: 'write' }, { scope: 'read' }, 403],
      [{ scope: 'read' }, { scope: 'read' }, 403],
      [one, { projectIds: [project.id], scope: 'admin' }, 201],
      [one, { projectIds: [project.id, project.id] }, 201],
      [one, { projectIds: null }, 403],
      [one, {}, 403],
      [one, { projectIds: [other.id] }, 403],
      [one, { projectIds: [project.id, other.id] }, 403],
      [one, { projectIds: ['prj_00000000000000000000'] }, 403],
      [short, { expiresAt: inDays(9) }, 201],
      [short, { expiresAt: inDays(11) }, 403],
      [short, { expiresAt: null }, 403],
      [short, {}, 403],
      [bound, { allowedAddresses: ['10.1.0.0/16'] }, 201],
      [bound, { allowedAddresses: ['10.0.0.7', '2001:db8:1::/48'] }, 201],
      [bound, { allowedAddresses: ['::ffff:10.0.0.7'] }, 201],
      [bound, { allowedAddresses: ['10.0.0.7', '192.0.2.1'] }, 403],
      [bound, { allowedAddresses: ['10.0.0.0/7'] }, 403],
      [bound, { allowedAddresses: ['2001::/16'] }, 403],
      [bound, { allowedAddresses: null }, 403],
      [bound, {}, 403],
    ]
    for (const [has, wanted, status] of table) {
      const { key } = await make(has)
      const body = JSON.stringify({ name: 'made', ...wanted })
      const { init, bindings } = from('10.0.0.1', key, { 'Content-Type': 'application/json' }, body)
      const response = await t.app.request('/v1/keys', init, bindings)
      assert.equal(response.status, status, `${JSON.stringify(has)} makes ${JSON.stringify(wanted)}`)
    }
  })

  test('nor does a rotation', async () => {
    const short = await make({ scope: 'admin', expiresAt: inDays(10) })
    const bound = await make({ scope: 'admin', allowedAddresses: ['10.0.0.0/8'] })
    const long = await make({ scope: 'admin' })
    const open = await make({ scope: 'write', expiresAt: inDays(90) })
    await expectProblem(await rotate(long.id, {}, short.key), 403, 'forbidden')
    await expectProblem(await rotate(open.id, { expiresAt: null }, short.key), 403, 'forbidden')
    await expectProblem(await rotate(open.id, { expiresAt: inDays(11) }, short.key), 403, 'forbidden')
    const { init, bindings } = from('10.0.0.1', bound.key, { 'Content-Type': 'application/json' }, '{}')
    const refused = await t.app.request(`/v1/keys/${open.id}/rotate`, init, bindings)
    await expectProblem(refused, 403, 'forbidden')
    await expectProblem(await rotate(open.id, {}, t.keys.write), 403, 'forbidden')
    await expectProblem(await rotate(open.id, {}, t.keys.adminOfProject), 404, 'not_found')
    await expectProblem(await rotate(open.id, {}, short.key), 403, 'forbidden')
    await expectProblem(await rotate(open.id, { expiresAt: inDays(1) }, short.key), 403, 'forbidden')
    assert.equal((await shown(open.id)).state, 'active')
    const within = await make({ scope: 'write', expiresAt: inDays(10) }, short.key).catch(() => undefined)
    assert.equal(within, undefined, 'a moment later than its maker')
    const sooner = await make({ scope: 'write', expiresAt: inDays(9) }, short.key)
    assert.equal((await rotate(sooner.id, {}, short.key)).status, 201)
    const itself = (await (await rotate(short.id, {}, short.key)).json()) as ShownKey
    assert.equal(itself.expiresAt, short.expiresAt)
  })

  test('nor does a shared link: it lies in the projects of the key, and ends no later', async () => {
    const share = (key: string, json: object, project = t.project) => {
      const body = JSON.stringify({ name: 'Team', ...json })
      const { init, bindings } = from('10.0.0.1', key, { 'Content-Type': 'application/json' }, body)
      return t.app.request(`/v1/projects/${project.id}/shares`, init, bindings)
    }
    const short = await make({ scope: 'admin', expiresAt: inDays(10) })
    const bound = await make({ scope: 'admin', allowedAddresses: ['10.0.0.0/8'] })
    const one = await make({ scope: 'admin', projectIds: [t.project.id] })
    const refused = await expectProblem(await share(short.key, {}), 403, 'forbidden')
    assert.match(refused.detail ?? '', /^A key cannot grant more than it has: it expires at /)
    await expectProblem(await share(short.key, { expiresAt: null }), 403, 'forbidden')
    await expectProblem(await share(short.key, { expiresAt: inDays(11) }), 403, 'forbidden')
    await expectProblem(await share(bound.key, { expiresAt: inDays(1) }), 403, 'forbidden')
    await expectProblem(await share(one.key, {}, t.other), 404, 'not_found')
    assert.equal((await share(short.key, { expiresAt: short.expiresAt })).status, 201)
    assert.equal((await share(one.key, {})).status, 201)
    assert.equal((await share(t.keys.admin, {})).status, 201)
  })

  test('a rotated key has the same rights, and the old one works on for the overlap', async () => {
    const wanted = { name: 'CI', scope: 'read', projectIds: [t.project.id], expiresAt: inDays(90) }
    const old = await make(wanted)
    const response = await rotate(old.id, { overlapSeconds: 3_600 })
    assert.equal(response.status, 201)
    assert.equal(response.headers.get('Cache-Control'), 'no-store')
    const fresh = (await response.json()) as ShownKey
    assert.notEqual(fresh.key, old.key)
    assert.deepEqual([fresh.name, fresh.scope, fresh.projectIds], [old.name, old.scope, old.projectIds])
    const lifetime = Date.parse(fresh.expiresAt ?? '') - Date.parse(fresh.createdAt)
    assert.ok(Math.abs(lifetime - 90 * day) < 5_000, `it lives for ${lifetime} ms`)
    const replaced = await shown(old.id)
    assert.deepEqual([replaced.state, replaced.replacedBy], ['replaced', fresh.id])
    const left = Date.parse(replaced.expiresAt ?? '') - Date.now()
    assert.ok(left > 3_590_000 && left <= 3_600_000, `${left} ms are left`)
    assert.ok((await opens(old.key)) && (await opens(fresh.key)))
    await change(old.id, { expires_at: new Date(Date.now() - 1_000) })
    assert.ok(!(await opens(old.key)) && (await opens(fresh.key)))
    assert.equal((await shown(old.id)).state, 'expired')
  })

  test('the overlap is one day by default, ends with the old key, and can be zero', async () => {
    const long = await make({})
    await rotate(long.id)
    const left = Date.parse((await shown(long.id)).expiresAt ?? '') - Date.now()
    assert.ok(left > day - 10_000 && left <= day)
    const ending = await make({ expiresAt: inDays(1) })
    await rotate(ending.id, { overlapSeconds: 604_800, expiresAt: null })
    assert.equal((await shown(ending.id)).expiresAt, ending.expiresAt)
    const leaked = await make({})
    const { key } = (await (await rotate(leaked.id, { overlapSeconds: 0 })).json()) as ShownKey
    assert.ok(!(await opens(leaked.key)) && (await opens(key)))
  })

  test('only an active key is rotated, and of many rotations at once one is done', async () => {
    const { id } = await make({})
    const answers = await Promise.all(Array.from({ length: 5 }, () => rotate(id)))
    assert.equal(answers.filter((one) => one.status === 201).length, 1)
    assert.equal(answers.filter((one) => one.status === 409).length, 4)
    await expectProblem(await rotate(id), 409, 'key_not_active')
    const revoked = await make({})
    await t.call(`/v1/keys/${revoked.id}`, { key: t.keys.admin, method: 'DELETE' })
    await expectProblem(await rotate(revoked.id), 409, 'key_not_active')
    const expired = await make({})
    await change(expired.id, { expires_at: new Date(0) })
    await expectProblem(await rotate(expired.id), 409, 'key_not_active')
    for (const none of ['key_00000000000000000000', 'x', '%00']) {
      await expectProblem(await rotate(none), 404, 'not_found')
    }
  })

  test('an expired key is refused; a replaced one can be revoked in its overlap', async () => {
    const { id, key } = await make({ expiresAt: inDays(1) })
    assert.ok(await opens(key))
    await change(id, { expires_at: new Date(Date.now() - 1) })
    const refused = await t.call('/v1/projects', { key })
    assert.match(refused.headers.get('WWW-Authenticate') ?? '', /error="invalid_token"/)
    await expectProblem(refused, 401, 'unauthenticated')
    const old = await make({})
    await rotate(old.id)
    await t.call(`/v1/keys/${old.id}`, { key: t.keys.admin, method: 'DELETE' })
    assert.ok(!(await opens(old.key)))
    assert.equal((await shown(old.id)).state, 'revoked')
  })

  test('a revocation holds at once on every server', async () => {
    const other = await t.start()
    const { id, key } = await make({})
    assert.equal((await other.call('/v1/projects', { key })).status, 200)
    await t.call(`/v1/keys/${id}`, { key: t.keys.admin, method: 'DELETE' })
    await expectProblem(await other.call('/v1/projects', { key }), 401, 'unauthenticated')
  })

  test('a key is refused from other addresses, and that does not count as use', async () => {
    const { id, key } = await make({ allowedAddresses: ['10.0.0.0/8', '2001:db8::7'] })
    const table: [string | undefined, string | undefined, number][] = [
      ['192.0.2.1', undefined, 403],
      ['2001:db8::8', undefined, 403],
      ['192.0.2.1', '10.0.0.1', 403],
      [undefined, undefined, 403],
      ['', undefined, 403],
      ['10.1.2.3', undefined, 200],
      ['::ffff:10.1.2.3', undefined, 200],
      ['2001:db8:0::7', undefined, 200],
    ]
    for (const [peer, forwardedFor, status] of table) {
      const headers: Record<string, string> = forwardedFor === undefined ? {} : { 'X-Forwarded-For': forwardedFor }
      const { init, bindings } = from(peer, key, headers)
      const response = await t.app.request('/v1/projects', init, bindings)
      assert.equal(response.status, status, `${peer} for ${forwardedFor}`)
      assert.equal((await shown(id)).lastUsedAt === null, status === 403)
    }
    const refused = await expectProblem(await t.call('/v1/projects', { key }), 403, 'forbidden')
    assert.equal(refused.detail, 'This key may not be used from this address.')
  })

  test('behind trusted proxies the address is the one that they vouch for', async () => {
    const { key } = await make({ allowedAddresses: ['203.0.113.7'] })
    const table: [number, string, number][] = [
      [0, '203.0.113.7', 403],
      [1, '203.0.113.7', 200],
      [1, '203.0.113.7, 192.0.2.9', 403],
      [1, '192.0.2.9, 203.0.113.7', 200],
      [2, '203.0.113.7, 192.0.2.9', 200],
      [1, 'nonsense', 403],
    ]
    for (const [hops, forwardedFor, status] of table) {
      const { app } = await t.start({ trustedProxies: { hops } })
      const { init, bindings } = from('10.0.0.1', key, { 'X-Forwarded-For': forwardedFor })
      const response = await app.request('/v1/projects', init, bindings)
      assert.equal(response.status, status, `${hops} hops: ${forwardedFor}`)
    }
  })

  test('the last use is noted once a minute at most', async () => {
    const { id, key } = await make({})
    assert.equal((await shown(id)).lastUsedAt, null)
    assert.ok(await opens(key))
    const first = (await shown(id)).lastUsedAt
    assert.ok(first !== null)
    assert.ok(await opens(key))
    assert.equal((await shown(id)).lastUsedAt, first)
    await change(id, { last_used_at: new Date(Date.now() - 61_000) })
    await Promise.all([opens(key), opens(key)])
    assert.ok(((await shown(id)).lastUsedAt ?? '') >= first)
  })

  test('impossible dates and addresses are refused; others are normalised', async () => {
    const table: [string, unknown, string][] = [
      ['/v1/keys', { expiresAt: '2020-01-01T00:00:00Z' }, '#/expiresAt'],
      ['/v1/keys', { expiresAt: '2030-02-30T00:00:00Z' }, '#/expiresAt'],
      ['/v1/keys', { expiresAt: '2030-01-01' }, '#/expiresAt'],
      ['/v1/keys', { expiresAt: 1_900_000_000 }, '#/expiresAt'],
      ['/v1/keys', { expiresAt: '+275760-09-13T00:00:00Z' }, '#/expiresAt'],
      ['/v1/keys', { allowedAddresses: [] }, '#/allowedAddresses'],
      ['/v1/keys', { allowedAddresses: '10.0.0.1' }, '#/allowedAddresses'],
      ['/v1/keys', { allowedAddresses: ['10.0.0.1', 'localhost'] }, '#/allowedAddresses/1'],
      ['/v1/keys', { allowedAddresses: ['10.0.0.1/33'] }, '#/allowedAddresses/0'],
      ['/v1/keys', { allowedAddresses: ['fe80::1%eth0'] }, '#/allowedAddresses/0'],
      ['/v1/keys', { allowedAddresses: Array(101).fill('10.0.0.1') }, '#/allowedAddresses'],
      ['/v1/keys', { projectIds: Array(1_001).fill(t.project.id) }, '#/projectIds'],
      ['rotate', { overlapSeconds: -1 }, '#/overlapSeconds'],
      ['rotate', { overlapSeconds: 604_801 }, '#/overlapSeconds'],
      ['rotate', { overlapSeconds: 1.5 }, '#/overlapSeconds'],
      ['rotate', { overlapSeconds: '60' }, '#/overlapSeconds'],
      ['rotate', { expiresAt: 'soon' }, '#/expiresAt'],
      ['rotate', { expiresAt: '2020-01-01T00:00:00Z' }, '#/expiresAt'],
      ['rotate', [], '#'],
      ['rotate', { overlap: 60 }, '#'],
      ['/v1/keys', { scopes: ['read'] }, '#'],
      ['/v1/keys', { projects: [t.project.id] }, '#'],
    ]
    const { id } = await make({})
    for (const [path, json, pointer] of table) {
      const to = path === 'rotate' ? `/v1/keys/${id}/rotate` : path
      const sent = Array.isArray(json) ? json : { name: 'x', ...(json as object) }
      const problem = await expectProblem(await t.call(to, { key: t.keys.admin, json: sent }), 400, 'invalid_input')
      assert.equal(problem.details?.[0]?.pointer, pointer, JSON.stringify(json).slice(0, 80))
      if ('scopes' in sent)
        assert.match(problem.detail, /an unknown field: it takes name, scope, projectIds, expiresAt,/)
    }
    assert.equal((await shown(id)).state, 'active')
    const made = await make({
      expiresAt: '2099-01-01T01:00:00+01:00',
      allowedAddresses: ['10.9.9.9/8', '10.0.0.0/8', '2001:DB8:0::1'],
    })
    assert.equal(made.expiresAt, '2099-01-01T00:00:00.000Z')
    assert.deepEqual(made.allowedAddresses, ['10.0.0.0/8', '2001:db8::1'])
    const bare = await t.call(`/v1/keys/${id}/rotate`, { key: t.keys.admin, method: 'POST', body: 'x=1' })
    await expectProblem(bare, 415, 'unsupported_media_type')
    await expectProblem(await t.call(`/v1/keys/${id}/rotate`, { key: t.keys.admin }), 405, 'method_not_allowed')
    await expectProblem(await t.call(`/v1/keys/${id}/rotate`, { key: null, json: {} }), 401, 'unauthenticated')
  })
})
