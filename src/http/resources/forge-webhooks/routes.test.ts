import assert from 'node:assert/strict'
import { before, beforeEach, suite, test } from 'node:test'
import { expectProblem, openTestApp, publicUrl, type TestApp } from '../../../../test/support/openapi-app.ts'
import { mostForgeWebhooks } from '../../../projects/forge-webhooks/forge-webhooks.ts'
import type { ShownForgeWebhook } from './contract.ts'

suite('webhooks of forges over HTTP', () => {
  let t: TestApp
  let all: string
  before(async () => {
    t = await openTestApp()
    all = `/v1/projects/${t.project.id}/forge-webhooks`
  })
  beforeEach(async () => {
    await t.db.deleteFrom('forge_webhooks').execute()
  })

  const admin = () => ({ key: t.keys.admin })
  const post = (json: unknown, key = t.keys.admin) => t.call(all, { key, json })
  const create = async (forge: string) => (await (await post({ forge })).json()) as ShownForgeWebhook

  test('a webhook is created, its secret is shown once and replaced, and it is deleted', async () => {
    const response = await post({ forge: 'gitlab' })
    assert.equal(response.headers.get('Cache-Control'), 'no-store')
    const made = (await response.json()) as ShownForgeWebhook
    assert.equal(response.headers.get('Location'), `${all}/${made.id}`)
    const { id, secret, createdAt: _, updatedAt: __, ...rest } = made
    assert.match(secret ?? '', /^whsec_[\w+/]{43}=$/)
    const url = `${publicUrl}/v1/hooks/gitlab/${id}`
    assert.deepEqual(rest, { forge: 'gitlab', url, deliveredAt: null, refused: 0, refusedAt: null })
    const shown = { ...made, secret: null }
    assert.deepEqual(await (await t.call(all, admin())).json(), { forgeWebhooks: [shown] })
    assert.deepEqual(await (await t.call(`${all}/${id}`, admin())).json(), shown)
    const stored = await t.db.selectFrom('forge_webhooks').select('secret').executeTakeFirstOrThrow()
    assert.doesNotMatch(stored.secret, /whsec_/)

    const path = `${all}/${id}/secret`
    const rotated = (await (await t.call(path, { ...admin(), method: 'POST' })).json()) as ShownForgeWebhook
    assert.match(rotated.secret ?? '', /^whsec_/)
    assert.notEqual(rotated.secret, secret)
    assert.equal((await t.call(`${all}/${id}`, { ...admin(), method: 'DELETE' })).status, 204)
    await expectProblem(await t.call(`${all}/${id}`, admin()), 404, 'not_found')
    await expectProblem(await t.call(path, { ...admin(), method: 'POST' }), 404, 'not_found')
    await expectProblem(await t.call(`${all}/${id}`, { ...admin(), method: 'DELETE' }), 404, 'not_found')
  })

  test('other kinds of forges, unknown fields and too many webhooks are refused', async () => {
    for (const json of [{}, { forge: 'bitbucket' }, { forge: 'github', secret: 'x' }]) {
      await expectProblem(await post(json), 400, 'invalid_input')
    }
    for (let at = 0; at < mostForgeWebhooks; at += 1) assert.equal((await post({ forge: 'github' })).status, 201)
    await expectProblem(await post({ forge: 'github' }), 409, 'too_many_webhooks')
  })

  test('a webhook belongs to its project', async () => {
    const { id } = await create('gitea')
    const path = `/v1/projects/${t.other.id}/forge-webhooks`
    assert.deepEqual(await (await t.call(path, admin())).json(), { forgeWebhooks: [] })
    for (const method of ['GET', 'DELETE']) {
      await expectProblem(await t.call(`${path}/${id}`, { ...admin(), method }), 404, 'not_found')
    }
    await expectProblem(await t.call(all, { key: t.keys.write }), 403, 'forbidden')
  })
})
