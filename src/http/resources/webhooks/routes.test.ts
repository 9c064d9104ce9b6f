import assert from 'node:assert/strict'
import { before, beforeEach, suite, test } from 'node:test'
import { expectProblem, openTestApp, type TestApp } from '../../../../test/support/openapi-app.ts'
import { notificationTypes } from '../../../notifications/notification.ts'
import { createWebhook } from '../../../notifications/webhooks/webhooks.ts'
import { createKey, operator } from '../../../projects/keys.ts'
import type { ShownWebhook } from './contract.ts'

const url = 'https://example.com/hooks?team=docs'

suite('webhooks over HTTP', () => {
  let t: TestApp
  let all: string
  before(async () => {
    t = await openTestApp()
    all = `/v1/projects/${t.project.id}/webhooks`
  })
  beforeEach(async () => {
    await t.db.deleteFrom('webhooks').execute()
  })

  const admin = () => ({ key: t.keys.admin })
  const post = (json: unknown, key = t.keys.admin) => t.call(all, { key, json })
  async function create(json: object = {}): Promise<ShownWebhook> {
    const response = await post({ url, ...json })
    const text = await response.text()
    assert.equal(response.status, 201, text)
    return JSON.parse(text) as ShownWebhook
  }
  const patch = (id: string, json: unknown, key = t.keys.admin) =>
    t.call(`${all}/${id}`, { key, method: 'PATCH', json })

  test('a webhook is created, changed, turned off and deleted; its secret is shown once', async () => {
    const made = await create()
    const { id, secret, createdAt, updatedAt, ...rest } = made
    assert.match(secret ?? '', /^whsec_[\w+/]{43}=$/)
    assert.deepEqual(rest, {
      url,
      events: [...notificationTypes],
      format: 'standard',
      enabled: true,
      disabledBecause: null,
      endsAt: null,
      deliveredAt: null,
    })
    const shown = { ...made, secret: null }
    assert.deepEqual(await (await t.call(all, admin())).json(), { webhooks: [shown] })
    assert.deepEqual(await (await t.call(`${all}/${id}`, admin())).json(), shown)
    const stored = await t.db.selectFrom('webhooks').select('secret').executeTakeFirstOrThrow()
    assert.doesNotMatch(stored.secret, /whsec_/)

    const changed = (await (
      await patch(id, { events: ['job.failed', 'job.failed'], enabled: false })
    ).json()) as ShownWebhook
    assert.deepEqual([changed.events, changed.enabled, changed.url, changed.secret], [['job.failed'], false, url, null])
    const other = (await (await patch(id, { url: 'https://example.org/x', enabled: true })).json()) as ShownWebhook
    assert.deepEqual([other.url, other.enabled, other.createdAt], ['https://example.org/x', true, createdAt])
    assert.ok(other.updatedAt > updatedAt)

    const rotated = (await (await t.call(`${all}/${id}/secret`, { ...admin(), method: 'POST' })).json()) as ShownWebhook
    assert.match(rotated.secret ?? '', /^whsec_/)
    assert.notEqual(rotated.secret, secret)
    assert.equal((await t.call(`${all}/${id}`, { ...admin(), method: 'DELETE' })).status, 204)
    await expectProblem(await t.call(`${all}/${id}`, admin()), 404, 'not_found')
    await expectProblem(await t.call(`${all}/${id}/deliveries`, admin()), 404, 'not_found')
  })

  test('the path of an address of Slack is stored encrypted and never shown', async () => {
    const path = '/services/T00000000/B00000000/abcdefghijklmnopqrstuvwx'
    const made = await create({ url: `https://hooks.slack.com${path}`, format: 'slack' })
    assert.deepEqual([made.url, made.secret], ['https://hooks.slack.com/…', null])
    const read = () => t.db.selectFrom('webhooks').selectAll().executeTakeFirstOrThrow()
    const stored = await read()
    assert.doesNotMatch(JSON.stringify(stored), /services|abcdefgh/)
    await expectProblem(await t.call(`${all}/${made.id}/secret`, { ...admin(), method: 'POST' }), 400, 'invalid_input')
    const moved = (await (
      await patch(made.id, { url: 'https://hooks.slack.com/services/other' })
    ).json()) as ShownWebhook
    assert.equal(moved.url, 'https://hooks.slack.com/…')
    assert.notEqual((await read()).secret, stored.secret)
  })

  test('addresses that the service must not connect to are refused', async () => {
    for (const [given, words] of [
      ['http://example.com/x', /plain http is only for hosts in DOCENT_PRIVATE_REPOSITORY_HOSTS/],
      ['https://127.0.0.1/x', /an IP address is only for hosts/],
      ['https://[::1]/x', /an IP address is only for hosts/],
      ['https://example.com:8443/x', /a port is only for hosts/],
      ['https://localhost/x', /the host is no full public name/],
      ['https://db.internal/x', /the host is no public name/],
      ['https://user:pass@example.com/x', /without a user name/],
      ['https://example.com/x#y', /a fragment/],
      ['ftp://example.com/x', /must be an https address/],
      ['example.com', /must be an https address/],
    ] as const) {
      const problem = await expectProblem(await post({ url: given }), 400, 'invalid_input')
      assert.match(problem.detail ?? '', words, given)
      const { id } = await create()
      await expectProblem(await patch(id, { url: given }), 400, 'invalid_input')
      await t.db.deleteFrom('webhooks').execute()
    }
    for (const json of [{ events: [] }, { events: ['job.started'] }, { format: 'xml' }, { secret: 'x' }, { url: '' }]) {
      await expectProblem(await post({ url, ...json }), 400, 'invalid_input')
    }
    const { id } = await create()
    await expectProblem(await patch(id, { format: 'slack' }), 400, 'invalid_input')
  })

  test('a webhook of a limited key is in its projects, and ends no later than it', async () => {
    const expiresAt = new Date(Date.now() + 3_600_000)
    const limits = { name: 'x', scope: 'admin', projectIds: [t.project.id], expiresAt, allowedAddresses: null } as const
    const { key } = await createKey(t.db, operator, limits)
    const made = (await (await post({ url }, key)).json()) as ShownWebhook
    assert.equal(made.endsAt, expiresAt.toISOString())
    const later = new Date(expiresAt.getTime() + 1).toISOString()
    for (const endsAt of [null, later]) {
      await expectProblem(await post({ url, endsAt }, key), 403, 'forbidden')
      await expectProblem(await patch(made.id, { endsAt }, key), 403, 'forbidden')
    }
    await expectProblem(await t.call(`/v1/projects/${t.other.id}/webhooks`, { key, json: { url } }), 404, 'not_found')
    const free = await create()
    await expectProblem(await patch(free.id, { url: 'https://example.org/' }, key), 403, 'forbidden')
    await expectProblem(await t.call(`${all}/${free.id}/secret`, { key, method: 'POST' }), 403, 'forbidden')
    assert.equal((await patch(free.id, { enabled: false }, key)).status, 200)

    const bound = { ...operator, allowedAddresses: ['192.0.2.0/24'] }
    await assert.rejects(createWebhook(t.deps.access, bound, t.project.id, { url }), { code: 'forbidden' })
  })

  test('a project has 20 webhooks, and one more is refused', async () => {
    for (let at = 0; at < 20; at += 1) await create()
    await expectProblem(await post({ url }), 409, 'too_many_webhooks')
  })

  test('a delivery of another webhook is not found', async () => {
    const { id } = await create()
    const path = `${all}/${id}/deliveries/dlv_0123456789abcdefghij/redeliver`
    await expectProblem(await t.call(path, { ...admin(), method: 'POST' }), 404, 'not_found')
    await patch(id, { enabled: false })
    await expectProblem(await t.call(path, { ...admin(), method: 'POST' }), 409, 'webhook_disabled')
    const query = `${all}/${id}/deliveries?cursor=x`
    await expectProblem(await t.call(query, admin()), 400, 'invalid_input')
  })
})
