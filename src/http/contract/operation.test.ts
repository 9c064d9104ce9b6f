import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRoute, OpenAPIHono } from '@hono/zod-openapi'
import type { App, AppEnv } from '../context.ts'
import { createOperations } from '../request/operations.ts'
import { needField, operation } from './operation.ts'

const route = {
  method: 'get',
  path: '/v1/things/{id}',
  operationId: 'getThing',
  responses: { 204: { description: 'Nothing.' } },
} as const

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
  declared.openapi(createRoute({ ...route, path: '/v1/undeclared' }), (c) => c.body(null, 204))
  declared.openapi(operation('read', route), (c) => c.body(null, 204))
  const refused = await app.request('/v1/undeclared')
  assert.deepEqual([refused.status, await refused.text()], [500, 'GET /v1/undeclared declares no need.'])
  for (const method of ['GET', 'HEAD']) assert.equal((await app.request('/v1/things/1', { method })).status, 204)
  assert.deepEqual(operations.at('/v1/things/1'), [{ id: 'getThing', need: 'read' }])
})

test('the need begins the description, and decides about the security scheme', () => {
  const whole = operation('whole service', { ...route, description: 'Does it.' })
  assert.equal(whole[needField], 'whole service')
  assert.match(whole.description, /^Needs an admin who is signed in, or a key .* addresses or time\. Does it\.$/)
  assert.equal('security' in operation('read', route), false)
  assert.deepEqual({ ...operation('public', route) }.security, [])
})
