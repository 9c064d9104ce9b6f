import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi'
import type { App, AppEnv } from '../context.ts'
import { ignoreBody, readJson, readOptionalJson } from '../request/body.ts'
import { createOperations } from '../request/operations.ts'
import { needField } from './need.ts'
import { operationsOn } from './operation.ts'

const path = '/v1/things/{id}'
const described = { operationId: 'getThing', responses: { 204: { description: 'Nothing.' } } }
const things = operationsOn('Things')

test('an operation without a declared need does not compile, and never responds', async () => {
  const app = new OpenAPIHono<AppEnv>()
  const operations = createOperations(app)
  app.use('/v1/*', async (c, next) => {
    operations.of(c)
    await next()
  })
  app.onError((error, c) => c.text(error.message, 500))
  const declared: App = app
  // @ts-expect-error -- if this compiled, an operation could lack its need
  declared.openapi(createRoute({ ...described, method: 'get', path: '/v1/undeclared' }), (c) => c.body(null, 204))
  declared.openapi(things.get('read', path, described), (c) => c.body(null, 204))
  const refused = await app.request('/v1/undeclared')
  assert.deepEqual([refused.status, await refused.text()], [500, 'GET /v1/undeclared declares no need.'])
  for (const method of ['GET', 'HEAD']) assert.equal((await app.request('/v1/things/1', { method })).status, 204)
  assert.deepEqual(operations.at('/v1/things/1'), [{ id: 'getThing', need: 'read', parameters: [] }])
})

test('the need begins the description, and decides about the security scheme', () => {
  const whole = things.get('whole service', path, { ...described, description: 'Does it.' })
  assert.equal(whole[needField], 'whole service')
  assert.match(whole.description, /^Needs an admin who is signed in, or a key .* addresses or time\. Does it\.$/)
  assert.equal('security' in things.get('read', path, described), false)
  assert.deepEqual({ ...things.get('public', path, described) }.security, [])
})

test('refusals, and how a body is read, follow from need, path and request', () => {
  const json = { content: { 'application/json': { schema: z.object({}) } } }
  const statusesOf = ({ responses }: { readonly responses: object }) => Object.keys(responses).join(' ')
  const read = things.get('read', path, described)
  assert.deepEqual([statusesOf(read), read.middleware], ['204 401 403 404 431 500 503', []])
  const created = things.post('public', '/v1/things', { ...described, request: { body: { ...json, required: true } } })
  assert.deepEqual([statusesOf(created), created.middleware], ['204 400 413 415 431 500 503', [readJson]])
  const changed = things.patch('write', path, { ...described, request: { body: json } })
  assert.deepEqual(changed.middleware, [readOptionalJson])
  const ended = things.delete('session', '/v1/session', { ...described, codes: ['rate_limited'] })
  assert.deepEqual([statusesOf(ended), ended.middleware], ['204 401 403 413 415 429 431 500 503', [ignoreBody]])
  assert.equal('codes' in ended, false)
})
