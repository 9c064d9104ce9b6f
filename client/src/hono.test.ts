import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { serve } from '@hono/node-server'
import { type ExecutionContext, Hono } from 'hono'
import { createKeptPageViews, throwing } from '../../test/support/kept-page-views.ts'
import { type HonoOptions, recordPageViews } from './hono.ts'
import type { Recorder } from './record.ts'

function createSite(recorder: Recorder, options: HonoOptions = {}) {
  const app = new Hono()
  app.use(recordPageViews(recorder, options))
  app.get('/guide', (c) => c.html('<p>hello'))
  app.get('/data', (c) => c.json({}))
  app.get('/broken', () => {
    throw new Error('of the page')
  })
  app.onError((_, c) => c.text('sorry', 500))
  return app
}

test('pages are recorded, data and failures are not', async () => {
  const { recorder, recorded, sent } = createKeptPageViews()
  const app = createSite(recorder, { address: (c) => c.req.header('CF-Connecting-IP') })
  const headers = { 'User-Agent': 'curl/8', 'CF-Connecting-IP': '203.0.113.9' }
  for (const path of ['/guide?q=1', '/data', '/broken', '/missing']) {
    await app.request(`https://docs.example.com${path}`, { headers })
  }
  assert.deepEqual(
    recorded.map(({ url, status, address, userAgent }) => [url, status, address, userAgent]),
    [
      ['https://docs.example.com/guide', 200, '203.0.113.9', 'curl/8'],
      ['https://docs.example.com/missing', 404, '203.0.113.9', 'curl/8'],
    ],
  )
  assert.deepEqual(sent, [])
})

test('on platforms where a request ends with its response, sending still completes', async () => {
  const { recorder, recorded, sent } = createKeptPageViews()
  const waiting: Promise<unknown>[] = []
  const context = { waitUntil: (promise: Promise<unknown>) => void waiting.push(promise), passThroughOnException() {} }
  const app = createSite(recorder, { origin: 'https://docs.example.com' })
  await app.request('http://10.0.0.1/guide', {}, {}, context as unknown as ExecutionContext)
  await Promise.all(waiting)
  assert.deepEqual(
    sent.map(({ url }) => url),
    ['https://docs.example.com/guide'],
  )
  assert.deepEqual([waiting.length, recorded.length], [1, 0])
})

test('on Node.js the client is the peer of the connection', async () => {
  const { recorder, recorded } = createKeptPageViews()
  // The other tests of this process keep the platform's own Request and Response.
  const own = { overrideGlobalObjects: false }
  const server = serve({ ...own, fetch: createSite(recorder).fetch, port: 0, hostname: '127.0.0.1' })
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await (await fetch(`http://127.0.0.1:${port}/guide`, { headers: { 'X-Forwarded-For': '203.0.113.9' } })).text()
  const closed = once(server, 'close')
  server.close()
  await closed
  assert.deepEqual(
    recorded.map(({ address, url }) => [address, url]),
    [['127.0.0.1', `http://127.0.0.1:${port}/guide`]],
  )
})

test('a page is served even if recording fails', async () => {
  const address = () => {
    throw new Error('address')
  }
  const context = { waitUntil: () => undefined, passThroughOnException() {} } as unknown as ExecutionContext
  for (const given of [undefined, context]) {
    const answer = await createSite(throwing, { address }).request('/guide', {}, {}, given)
    assert.deepEqual([answer.status, await answer.text()], [200, '<p>hello'])
  }
})
