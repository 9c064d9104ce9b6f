import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { openTestDatabase } from '../../test/support/engine.ts'
import { modelSettings } from '../../test/support/model-settings.ts'
import { type ModelServer, startModelServer } from '../../test/support/model-server.ts'
import { openModel } from '../agent/model/providers.ts'
import { systemClock } from '../lib/clock.ts'
import type { Postgres } from '../postgres/types.ts'
import { generateKey, parseKeys } from '../secrets/keys.ts'
import { createSecrets } from '../secrets/secrets.ts'
import { checkModelKey } from './check.ts'
import { deleteModelKey, listModelKeys, putModelKey } from './keys.ts'
import { listModels } from './list.ts'
import { explainModel, type ModelsContext, openConfigured, resolveSettings } from './settings.ts'

let postgres: Postgres
let server: ModelServer
before(async () => {
  postgres = await openTestDatabase()
  server = await startModelServer(() => ({ text: 'yes', finishReason: 'length' }))
})
after(async () => {
  await server.close()
  await postgres.close()
})
beforeEach(async () => {
  await postgres.db.deleteFrom('model_keys').execute()
  server.script = () => ({ text: 'yes', finishReason: 'length' })
})

const ring = parseKeys(generateKey())
const publicAddress = '93.184.215.14'

function context(changes: Partial<ModelsContext> = {}): ModelsContext {
  return {
    db: postgres.db,
    secrets: createSecrets(() => ring),
    settings: modelSettings({}),
    modelId: 'docent/rules',
    privateHosts: [],
    clock: systemClock,
    openModel: async (id, settings) => openModel(id, settings, systemClock),
    resolve: async () => [publicAddress],
    ...changes,
  }
}

const secret = 'sk-secret-0123456789'

test('a stored key completes the settings, and no row holds it', async () => {
  const models = context()
  const stored = await putModelKey(models, 'openai', { apiKey: secret, baseUrl: null })
  assert.deepEqual(
    [stored.source, stored.isStored, stored.hint, stored.problem, stored.baseUrl],
    ['stored', true, '6789', null, null],
  )
  assert.deepEqual((await resolveSettings(models)).openai, { apiKey: secret, baseUrl: undefined })
  assert.equal(await explainModel(models, 'openai/gpt-5.4'), null)
  const rows = await postgres.db.selectFrom('model_keys').selectAll().execute()
  assert.ok(!JSON.stringify([rows, stored]).includes('secret-'))
})

test('the environment wins over a stored key', async () => {
  const models = context({ settings: modelSettings({ openai: { apiKey: 'env', baseUrl: 'https://env.example/v1' } }) })
  const stored = await putModelKey(models, 'openai', { apiKey: secret, baseUrl: 'https://stored.example/v1' })
  assert.deepEqual([stored.source, stored.isStored, stored.baseUrl], ['environment', true, 'https://env.example/v1'])
  assert.deepEqual((await resolveSettings(models)).openai, { apiKey: 'env', baseUrl: 'https://env.example/v1' })
})

test('a stored key is never sent to another address than the one it was stored with', async () => {
  const elsewhere = context({ settings: modelSettings({ compatible: { baseUrl: 'https://env.example/v1' } }) })
  await putModelKey(elsewhere, 'compatible', { apiKey: secret, baseUrl: 'https://stored.example/v1' })
  assert.deepEqual((await resolveSettings(elsewhere)).compatible, {
    apiKey: undefined,
    baseUrl: 'https://env.example/v1',
  })
  const [listed] = await listModelKeys(elsewhere)
  assert.deepEqual([listed?.source, listed?.isStored], ['environment', true])
  // A row that was moved to another provider decrypts to nothing.
  const row = await postgres.db.selectFrom('model_keys').selectAll().executeTakeFirstOrThrow()
  await postgres.db
    .insertInto('model_keys')
    .values({ ...row, provider: 'google', base_url: null })
    .execute()
  assert.equal((await resolveSettings(context())).google.apiKey, undefined)
})

test('a key that cannot be decrypted is reported, and entering it again repairs it', async () => {
  await putModelKey(context(), 'anthropic', { apiKey: secret, baseUrl: null })
  const other = parseKeys(generateKey())
  const lost = context({ secrets: createSecrets(() => other) })
  const [listed] = await listModelKeys(lost)
  assert.match(
    listed?.problem ?? '',
    /cannot be decrypted.*Enter it again: docent model key set anthropic --key-file -$/,
  )
  const problem = await explainModel(lost, 'anthropic/claude-opus-5')
  assert.match(problem ?? '', /needs its key again.*docent model key set anthropic/)
  await assert.rejects(openConfigured(lost, 'anthropic/claude-opus-5'), {
    code: 'model_not_configured',
    message: /needs its key again/,
  })
  await putModelKey(lost, 'anthropic', { apiKey: secret, baseUrl: null })
  assert.deepEqual([(await listModelKeys(lost))[0]?.problem, await explainModel(lost, 'anthropic/x')], [null, null])
})

test('addresses over the API are public https, or hosts that the operator listed', async () => {
  const table: readonly (readonly [address: string, changes: Partial<ModelsContext>, isAllowed: boolean])[] = [
    ['https://models.example.com/v1', {}, true],
    ['http://models.example.com/v1', {}, false],
    ['https://models.example.com/v1', { resolve: async () => ['10.0.0.1'] }, false],
    ['https://models.example.com/v1', { resolve: () => Promise.reject(new Error('no DNS')) }, false],
    ['https://169.254.169.254/v1', {}, false],
    ['https://localhost/v1', {}, false],
    ['http://127.0.0.1:8000/v1', {}, false],
    ['http://127.0.0.1:8000/v1', { privateHosts: ['127.0.0.1:8000'] }, true],
    ['https://user:pass@models.example.com/v1', {}, false],
    ['https://models.example.com/v1?x=1', {}, false],
    ['ftp://models.example.com', {}, false],
    ['no address', {}, false],
  ]
  for (const [address, changes, isAllowed] of table) {
    const put = putModelKey(context(changes), 'compatible', { apiKey: null, baseUrl: address })
    if (isAllowed) await put
    else await assert.rejects(put, { code: 'invalid_input' }, address)
  }
})

test('a stored address that became private is not used', async () => {
  await putModelKey(context(), 'compatible', { apiKey: null, baseUrl: 'https://models.example.com/v1' })
  const opened: string[] = []
  const moved = context({
    resolve: async () => ['10.0.0.1'],
    openModel: (id) => {
      opened.push(id)
      return Promise.reject(new Error('opened'))
    },
  })
  await assert.rejects(openConfigured(moved, 'compatible/m'), { code: 'model_not_configured', message: /private/ })
  assert.deepEqual(opened, [])
  // A name without an address now is left to the request, which is tried again.
  const down = { ...moved, resolve: () => Promise.reject(new Error('no DNS')) }
  await assert.rejects(openConfigured(down, 'compatible/m'), { message: 'opened' })
})

test('only compatible does without a key, and only it needs an address', async () => {
  const models = context()
  await assert.rejects(putModelKey(models, 'openai', { apiKey: null, baseUrl: null }), {
    message: /`apiKey` is required/,
  })
  const put = putModelKey(models, 'compatible', { apiKey: null, baseUrl: null })
  await assert.rejects(put, { message: /`baseUrl` is required/ })
  await putModelKey(models, 'compatible', { apiKey: null, baseUrl: 'https://models.example.com/v1/' })
  assert.deepEqual((await resolveSettings(models)).compatible, {
    apiKey: undefined,
    baseUrl: 'https://models.example.com/v1',
  })
})

test('a check sends one request, and the list shows its result', async () => {
  const models = context({ privateHosts: [new URL(server.baseUrl).host] })
  await putModelKey(models, 'compatible', { apiKey: secret, baseUrl: server.baseUrl })
  await assert.rejects(checkModelKey(models, 'compatible', undefined), { message: /`model` is required/ })
  await assert.rejects(checkModelKey(models, 'compatible', 'openai/m'), { code: 'invalid_input' })
  const before = server.requests.length
  const right = await checkModelKey(models, 'compatible', 'compatible/m')
  assert.deepEqual([right.problem, right.model, server.requests.length], [null, 'compatible/m', before + 1])
  const [listed] = await listModelKeys(models)
  assert.deepEqual([listed?.problem, typeof listed?.checkedAt], [null, 'string'])
  server.script = () => ({ status: 401 })
  const wrong = await checkModelKey({ ...models, modelId: 'compatible/m' }, 'compatible', undefined)
  assert.match(wrong.problem ?? '', /refuses the key/)
  assert.ok(!JSON.stringify(wrong).includes(secret))
  assert.equal((await listModelKeys(models))[0]?.problem, wrong.problem)
})

test('a check without a key is refused, and deleting a key forgets it', async () => {
  const models = context()
  await assert.rejects(checkModelKey(models, 'google', undefined), { code: 'not_found' })
  await assert.rejects(deleteModelKey(models, 'google'), { code: 'not_found' })
  await putModelKey(models, 'google', { apiKey: secret, baseUrl: null })
  await deleteModelKey(models, 'google')
  assert.deepEqual(await listModelKeys(models), [])
  assert.match((await explainModel(models, 'google/x')) ?? '', /DOCENT_GOOGLE_API_KEY.*docent model key set google/)
})

test('the list of models follows the keys, with prices and context', async () => {
  const prices = { 'compatible/own': { input: 0.2, output: 0.8 } }
  const models = context({ settings: modelSettings({}, { prices }), modelId: 'openai/gpt-unknown' })
  const ids = async () => (await listModels(models)).map(({ id }) => id)
  assert.deepEqual(await ids(), ['docent/rules'])
  await putModelKey(models, 'openai', { apiKey: secret, baseUrl: null })
  const listed = await listModels(models)
  assert.ok(listed.every(({ provider }) => ['docent', 'openai'].includes(provider)))
  const { prices: known } = listed.find(({ id }) => id === 'openai/gpt-5.4') ?? {}
  const rate = { upToInputTokens: 272_000, input: 2.5, cachedInput: 0.25, cacheWrite: null, output: 15 }
  assert.deepEqual(known, [rate])
  const own = listed.find(({ isDefault }) => isDefault)
  assert.deepEqual([own?.id, own?.contextTokens, own?.prices], ['openai/gpt-unknown', null, []])
  await putModelKey(models, 'compatible', { apiKey: null, baseUrl: 'https://models.example.com/v1' })
  const compatible = (await listModels(models)).find(({ id }) => id === 'compatible/own')
  assert.deepEqual([compatible?.prices[0]?.upToInputTokens, compatible?.prices[0]?.output], [null, 0.8])
})
