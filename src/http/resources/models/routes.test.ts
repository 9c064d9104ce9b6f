import assert from 'node:assert/strict'
import { before, suite, test } from 'node:test'
import { expectProblem, openTestApp, type TestApp } from '../../../../test/support/openapi-app.ts'
import type { ModelKey } from '../../../models/keys.ts'

const secret = 'sk-canary-0123456789'

suite('models and keys of their providers', () => {
  let t: TestApp
  before(async () => {
    t = await openTestApp()
    await t.db.deleteFrom('model_keys').execute()
  })

  const put = (provider: string, json: unknown, key = t.keys.admin) =>
    t.call(`/v1/model-keys/${provider}`, { method: 'PUT', key, json })

  test('a key is stored, listed without its text, checked and deleted', async () => {
    const stored = await put('openai', { apiKey: secret })
    const text = await stored.text()
    assert.equal(stored.status, 200, text)
    assert.equal((JSON.parse(text) as ModelKey).hint, '6789')
    const listed = await (await t.call('/v1/model-keys', { key: t.keys.admin })).text()
    assert.ok(!(text + listed).includes('canary'))
    const models = await (await t.call('/v1/models', { key: t.keys.read })).text()
    assert.match(models, /"id":"openai\/gpt-5\.4"/)
    const path = '/v1/model-keys/openai/check?model=openai%2Fgpt-5.4'
    const checked = await t.call(path, { method: 'POST', key: t.keys.admin })
    assert.equal(checked.status, 200)
    assert.equal(((await checked.json()) as { problem: string }).problem, 'There is no model.')
    const gone = await t.call('/v1/model-keys/openai', { method: 'DELETE', key: t.keys.admin })
    assert.equal(gone.status, 204)
    const again = await t.call('/v1/model-keys/openai', { method: 'DELETE', key: t.keys.admin })
    await expectProblem(again, 404, 'not_found')
    assert.ok(!JSON.stringify(t.log).includes('canary'))
  })

  test('keys of models need the scope admin for all projects', async () => {
    const { adminOfProject, write, read } = t.keys
    for (const key of [adminOfProject, write]) {
      await expectProblem(await t.call('/v1/model-keys', { key }), 403, 'forbidden')
      await expectProblem(await put('openai', { apiKey: secret }, key), 403, 'forbidden')
      const gone = await t.call('/v1/model-keys/openai', { method: 'DELETE', key })
      await expectProblem(gone, 403, 'forbidden')
      await expectProblem(await t.call('/v1/model-keys/openai/check', { method: 'POST', key }), 403, 'forbidden')
    }
    assert.equal((await t.call('/v1/models', { key: read })).status, 200)
    await expectProblem(await t.call('/v1/models', { key: null }), 401, 'unauthenticated')
  })

  test('invalid keys are refused, and no message repeats one', async () => {
    const wrong = [
      { apiKey: `${secret}\n` },
      { apiKey: `${secret} x` },
      { apiKey: `${secret}ü` },
      { apiKey: secret.repeat(101) },
      { apiKey: 7 },
      {},
      { apiKey: secret, baseUrl: 'http://127.0.0.1/v1' },
    ]
    for (const json of wrong) {
      const problem = await expectProblem(await put('openai', json), 400, 'invalid_input')
      assert.ok(!JSON.stringify(problem).includes('canary'), JSON.stringify(problem))
    }
    await expectProblem(await put('azure', { apiKey: secret }), 404, 'not_found')
    assert.ok(!JSON.stringify(t.log).includes('canary'))
  })
})
