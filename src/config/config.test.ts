import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { parseEnv } from 'node:util'
import { listSettings, parseConfig } from './config.ts'

test('without variables, every setting has its default', () => {
  const config = parseConfig({})
  assert.equal(config.port, 4100)
  assert.equal(config.model.id, 'docent/rules')
  assert.equal(config.repositories.allowLocal, false)
  assert.ok(Object.isFrozen(config))
})

test('all mistakes are reported at once, each with its variable', () => {
  const environment = {
    DOCENT_DATA_DIR: `/srv/${'long/'.repeat(20)}`,
    DOCENT_PORT: '99999',
    DOCENT_MODEL: 'gpt',
    DOCENT_PUBLIC_URL: 'ftp://x',
    DOCENT_TRUSTED_PROXIES: '10.0.0.0/99',
    DOCENT_WORKER_CONCURENCY: '2',
    DOCENT_ALLOW_LOCAL_REPOSITORIES: 'maybe',
  }
  assert.throws(
    () => parseConfig(environment),
    (error: Error) => Object.keys(environment).every((name) => error.message.includes(name)),
  )
})

test('the address of a compatible server loses its last slash', () => {
  const config = parseConfig({ DOCENT_MODEL: 'compatible/a/b', DOCENT_COMPATIBLE_BASE_URL: 'http://h/v1/' })
  assert.equal(config.model.compatible.baseUrl, 'http://h/v1')
})

test('a model without a key in the environment is valid, because its key may be stored', () => {
  for (const provider of ['anthropic', 'openai', 'google', 'compatible']) {
    assert.equal(parseConfig({ DOCENT_MODEL: `${provider}/m` }).model.id, `${provider}/m`)
  }
  assert.throws(() => parseConfig({ DOCENT_MODEL: 'gpt' }), /DOCENT_MODEL must be docent\/rules, or anthropic\//)
})

test('a cost budget is an amount above 0, and without one there is no limit', () => {
  assert.equal(parseConfig({}).budget.costUsd, Infinity)
  assert.equal(parseConfig({ DOCENT_MAX_COST_USD: '2.50' }).budget.costUsd, 2.5)
  for (const wrong of ['0', '-1', '1e3', '$5', '1,5']) {
    assert.throws(() => parseConfig({ DOCENT_MAX_COST_USD: wrong }), /DOCENT_MAX_COST_USD must be an amount/)
  }
  assert.throws(() => parseConfig({ DOCENT_MODEL_PRICES: 'm=1' }), /DOCENT_MODEL_PRICES must be a list/)
})

test('a message about a setting never contains its value', () => {
  const secret = 'https://user:hunter2@example.com'
  assert.throws(
    () => parseConfig({ DOCENT_COMPATIBLE_BASE_URL: secret }),
    (error: Error) => !error.message.includes('hunter2'),
  )
})

test('proxies are a count or networks', () => {
  assert.deepEqual(parseConfig({ DOCENT_TRUSTED_PROXIES: '2' }).trustedProxies, { hops: 2 })
  const networks = ['10.0.0.0/8', '::1']
  assert.deepEqual(parseConfig({ DOCENT_TRUSTED_PROXIES: networks.join(', ') }).trustedProxies, { networks })
})

test('memory is an amount with a unit, or bytes', () => {
  const amounts = ['512m', '2G', '1572864k', '1gb', '536870912'].map(
    (text) => parseConfig({ DOCENT_MEMORY: text }).memory,
  )
  assert.deepEqual(amounts, [2 ** 29, 2 ** 31, 3 * 2 ** 29, 2 ** 30, 2 ** 29])
  assert.equal(parseConfig({}).memory, undefined)
  for (const text of ['511m', '2', '1.5g', '-2g', '2t', 'much'])
    assert.throws(() => parseConfig({ DOCENT_MEMORY: text }), /DOCENT_MEMORY must be an amount .* at least 512m/, text)
})

test('the usual OpenTelemetry variables configure traces', () => {
  assert.equal(parseConfig({}).traces, undefined)
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/' }
  assert.deepEqual(
    parseConfig({ ...endpoint, OTEL_EXPORTER_OTLP_HEADERS: 'Authorization=Basic%20eA==, x-y=z' }).traces,
    {
      url: 'http://collector:4318/v1/traces',
      headers: { Authorization: 'Basic eA==', 'x-y': 'z' },
      serviceName: 'docent',
    },
  )
  const whole = { ...endpoint, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://t.test/in', OTEL_SERVICE_NAME: 'docs' }
  assert.deepEqual(parseConfig(whole).traces, { url: 'https://t.test/in', headers: {}, serviceName: 'docs' })
  assert.throws(() => parseConfig({ OTEL_EXPORTER_OTLP_HEADERS: 'secret' }), /OTEL_EXPORTER_OTLP_HEADERS must be/)
})

test('the table in docs/operations.md is the table in the code', () => {
  const page = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8')
  const documented = [...page.matchAll(/^\| `([A-Z][A-Z_]+)` \| (.*?) \| (.*) \|$/gm)].map(([, ...cells]) => cells)
  const inCode = listSettings().map((one) => [one.name, one.fallback ? `\`${one.fallback}\`` : '', one.about])
  assert.deepEqual(documented, inCode)
})

test('.env.example has every setting with its default, and changes nothing unedited', () => {
  const example = readFileSync(new URL('../../.env.example', import.meta.url), 'utf8')
  const rows = [...example.matchAll(/^#([A-Z_]+)=(.*)$/gm)].map(([, ...cells]) => cells)
  const inCode = listSettings().map((one) => [one.name, one.fallback ?? ''])
  assert.deepEqual(rows, inCode)
  assert.deepEqual(parseEnv(example), {})
  const all = parseEnv(example.replaceAll(/^#(?=[A-Z_]+=)/gm, ''))
  assert.deepEqual(parseConfig(all), parseConfig({}))
})

test('with DATABASE_URL, DOCENT_SECRET_KEY is required and has a form', () => {
  const DATABASE_URL = 'postgres://127.0.0.1/docent'
  assert.throws(() => parseConfig({ DATABASE_URL }), {
    code: 'config_invalid',
    message: /\n {2}DOCENT_SECRET_KEY is required with DATABASE_URL.*openssl rand -base64 32/,
  })
  const key = Buffer.alloc(32, 1).toString('base64')
  assert.equal(parseConfig({ DATABASE_URL, DOCENT_SECRET_KEY: key }).secretKey?.length, 1)
  assert.throws(
    () => parseConfig({ DOCENT_SECRET_KEY: 'my-password' }),
    (error: Error) => {
      assert.match(error.message, /DOCENT_SECRET_KEY must be 32 bytes in base64/)
      return !error.message.includes('my-password')
    },
  )
})
