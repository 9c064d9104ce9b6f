import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, get, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { text } from 'node:stream/consumers'
import { createKeptPageViews, throwing } from '../../test/support/kept-page-views.ts'
import { openRecordingService } from '../../test/support/recording-service.ts'
import { type NodeOptions, recordPageViews } from './express.ts'
import { createRecorder, type Recorder } from './record.ts'

type Handler = (request: IncomingMessage, response: ServerResponse) => void
type Ask = (path: string, options?: { method?: string; headers?: Record<string, string> }) => Promise<string>

async function serve(recorder: Recorder, options: NodeOptions, handler: Handler, use: (ask: Ask) => Promise<void>) {
  const middleware = recordPageViews(recorder, options)
  const listener: RequestListener = (request, response) =>
    middleware(request, response, () => handler(request, response))
  const server = createServer(listener)
  const listening = Promise.withResolvers<void>()
  server.listen(0, '127.0.0.1', listening.resolve)
  await listening.promise
  const { port } = server.address() as AddressInfo
  const ask: Ask = async (path, options = {}) => {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
    get({ port, path, agent: false, ...options }, resolve).on('error', reject)
    return await text(await promise)
  }
  try {
    await use(ask)
  } finally {
    const closed = Promise.withResolvers<void>()
    server.close(() => closed.resolve())
    await closed.promise
  }
}

const html: Handler = (_request, response) => void response.setHeader('Content-Type', 'text/html').end('<p>hello')

test('a page is recorded after it was sent, with the client that requested it', async () => {
  const { recorder, recorded } = createKeptPageViews()
  await serve(recorder, {}, html, async (ask) => {
    const headers = {
      Host: 'docs.example.com',
      'User-Agent': 'curl/8',
      Accept: '*/*',
      'X-Forwarded-For': '203.0.113.9',
    }
    assert.equal(await ask('/guide?q=1', { headers }), '<p>hello')
  })
  const [{ id: _, timestamp, ...view } = { id: '', timestamp: 0 }] = recorded
  assert.ok(Math.abs(timestamp - Date.now()) < 60_000)
  assert.deepEqual(view, {
    url: 'http://docs.example.com/guide',
    method: 'GET',
    status: 200,
    userAgent: 'curl/8',
    address: '127.0.0.1',
    representation: 'html',
    headers: { accept: '*/*' },
  })
})

test('client address, scheme and full URL come from Express', async () => {
  const { recorder, recorded } = createKeptPageViews()
  const middleware = recordPageViews(recorder)
  const express: Handler = (request, response) => {
    Object.assign(request, { originalUrl: '/docs/guide', url: '/guide', ip: '198.51.100.1', protocol: 'https' })
    middleware(request, response, () => html(request, response))
  }
  await serve(throwing, {}, express, async (ask) => {
    await ask('/x', { headers: { Host: 'docs.example.com' } })
  })
  assert.deepEqual(
    recorded.map(({ url, address }) => [url, address]),
    [['https://docs.example.com/docs/guide', '198.51.100.1']],
  )
})

test('the caller can set the site and the client address', async () => {
  const { recorder, recorded } = createKeptPageViews()
  const address = (request: IncomingMessage) => String(request.headers['x-real-ip'])
  await serve(recorder, { origin: 'https://docs.example.com', address }, html, async (ask) => {
    await ask('//other.example/x', { headers: { 'X-Real-IP': '203.0.113.9' } })
    await ask('http://other.example/y')
  })
  assert.deepEqual(
    recorded.map(({ url, address }) => [url, address]),
    [
      ['https://docs.example.com//other.example/x', '203.0.113.9'],
      ['https://docs.example.com/y', 'undefined'],
    ],
  )
})

test('an invalid host name is left out', async () => {
  const { recorder, recorded } = createKeptPageViews()
  await serve(recorder, {}, html, async (ask) => void (await ask('/x', { headers: { Host: 'a/b?c' } })))
  const [view] = recorded
  assert.deepEqual([view?.url, view?.path], [undefined, '/x'])
})

test('the content type of a response is seen in every form in which it is set', async () => {
  const ways: Handler[] = [
    (_, response) => response.writeHead(200, { 'content-TYPE': 'image/png' }).end(),
    (_, response) => response.writeHead(200, 'fine', { 'Content-Type': 'image/png' }).end(),
    (_, response) => response.writeHead(200, ['Content-Type', 'image/png']).end(),
    (_, response) => response.writeHead(200, [['Content-Type', 'image/png']] as unknown as string[]).end(),
    (_, response) => response.setHeader('Content-Type', 'image/png').end(),
    (_, response) => response.setHeader('Content-Type', 'image/png').writeHead(200, { X: 'y' }).end(),
    (_, response) => response.writeHead(500).end(),
    (_, response) => response.writeHead(302, { Location: '/' }).end(),
    (request) => request.destroy(),
  ]
  const { recorder, recorded } = createKeptPageViews()
  for (const [index, way] of ways.entries()) {
    await serve(recorder, {}, way, async (ask) => void (await ask(`/${index}`).catch(() => '')))
  }
  assert.deepEqual(recorded, [])
})

test('a page is served even if recording fails', async () => {
  const address = () => {
    throw new Error('address')
  }
  await serve(throwing, { address }, html, async (ask) => assert.equal(await ask('/'), '<p>hello'))
  await serve(throwing, {}, html, async (ask) => assert.equal(await ask('/'), '<p>hello'))
})

test('an outage of the service delays no page and loses or repeats no view', async (t) => {
  const away = { kind: 'answer', status: 503, headers: { 'Retry-After': '0' } } as const
  const service = await openRecordingService([away, { kind: 'cut' }, { kind: 'cut-after' }, { kind: 'silent' }])
  t.after(() => service.close())
  const problems: string[] = []
  const pause = Promise.withResolvers<void>()
  const recorder = createRecorder({
    url: service.url,
    key: 'k',
    projectId: 'p',
    flushMs: 0,
    timeoutMs: 50,
    clock: {
      now: () => Date.now(),
      sleep: async (ms, signal) => {
        if (ms === deadlineMs) await whenAborted(signal)
        else if (ms > 0) await pause.promise
      },
    },
    onProblem: ({ kind }) => void problems.push(kind),
  })
  await serve(recorder, {}, html, async (ask) => {
    for (let n = 0; n < 50; n += 1) assert.equal(await ask(`/${n}`), '<p>hello')
    assert.equal(recorder.counts().accepted, 0, 'a page waited for the service')
  })
  pause.resolve()
  await recorder.close(deadlineMs)
  assert.deepEqual(recorder.counts(), { queued: 0, accepted: 50, rejected: 0, dropped: 0 })
  assert.equal(service.views().length, 50)
  assert.ok(problems.every((kind) => kind === 'away'))
})

/** Never reached: the test has all the time that it needs. */
const deadlineMs = 20_000

async function whenAborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort')
}
