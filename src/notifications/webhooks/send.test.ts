import assert from 'node:assert/strict'
import { test } from 'node:test'
import { serveHttp } from '../../../test/support/scripted-http.ts'
import { sendRequest, type WebhookNetwork } from './send.ts'

const { signal } = new AbortController()
const redact = (text: string) => text
const request = (url: string) => ({ url: new URL(url), headers: {}, body: '{}', secret: 'whsec_0123456789abcdefghij' })
const network: WebhookNetwork = { privateHosts: [] }

test('a receiver that responds slowly, or never to its end, is not waited for', async (t) => {
  const never = new Promise<never>(() => undefined)
  const silent = await serveHttp(t, () => never)
  const stalled = await serveHttp(t, () => ({ body: 'x'.repeat(100), broken: 'stall' }))
  for (const { url, host } of [silent, stalled]) {
    const done = await sendRequest(request(url), { privateHosts: [host], deadlineMs: 50, redact }, signal)
    assert.deepEqual([done.kind, done.why, done.status], ['failed', 'no response in 0.05 seconds', null])
  }
})

test('a public name that leads into a private network is refused before a connection', async () => {
  for (const address of ['127.0.0.1', '10.0.0.1', '169.254.169.254', '::1', 'fd00::1']) {
    const resolve = () => Promise.resolve([address])
    const done = await sendRequest(request('https://hooks.example.com/'), { ...network, resolve, redact }, signal)
    assert.match(done.why ?? '', /^hooks\.example\.com resolves to a private network address/, address)
  }
  const resolve = () => Promise.reject(new Error('ENOTFOUND'))
  const done = await sendRequest(request('https://hooks.example.com/'), { ...network, resolve, redact }, signal)
  assert.match(done.why ?? '', /could not be resolved/)
})

test('a response may ask to wait, and one that repeats the secret is not shown', async (t) => {
  const { secret } = request('https://example.com/')
  const { url, host } = await serveHttp(t, () => ({
    status: 429,
    headers: { 'retry-after': '120' },
    body: `You sent ${secret}. \u001b[31mGo\u0000 away\n${'x'.repeat(500)}`,
  }))
  const done = await sendRequest(request(url), { privateHosts: [host], redact }, signal)
  assert.deepEqual([done.status, done.waitSeconds], [429, 120])
  assert.doesNotMatch(done.excerpt ?? '', /whsec|abcdefghij|\u001b|\u0000|\n/)
  assert.ok((done.excerpt ?? '').length <= 201)
})
