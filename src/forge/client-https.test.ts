import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { certificate, certificateHost } from '../../test/support/loopback-certificate.ts'
import { type HttpAnswer, type HttpServer, serveHttp } from '../../test/support/scripted-http.ts'
import { createForgeClient, type ForgeClient, type ForgeClientOptions, type ForgeRequest } from './client.ts'

const signal = new AbortController().signal
const write: ForgeRequest = { method: 'POST', path: '/pulls', body: { title: 'Fix' } }
const date = 'Fri, 20 Nov 2026 09:00:00 GMT'

type Started = { readonly client: ForgeClient; readonly server: HttpServer; readonly url: string }

async function start(t: TestContext, answer: HttpAnswer, given: Partial<ForgeClientOptions> = {}): Promise<Started> {
  const server = await serveHttp(t, () => answer, 'https')
  const host = `${certificateHost}:${server.host.split(':')[1]}`
  const resolve = async (): Promise<string[]> => ['127.0.0.1']
  const url = `https://${host}`
  return { client: createForgeClient({ apiUrl: url, privateHosts: [host], resolve, ...given }), server, url }
}

function trust(t: TestContext): void {
  const before = getCACertificates('default')
  setDefaultCACertificates([...before, certificate])
  t.after(() => setDefaultCACertificates(before))
}

test('a response over https is read, and its date is reported', async (t) => {
  trust(t)
  const reported: unknown[] = []
  const answer = { status: 201, body: { number: 1 }, headers: { date } }
  const { client, url } = await start(t, answer, { report: (seen) => reported.push(seen) })
  const reply = await client.ask(write, signal)
  assert.deepEqual(reply.kind === 'response' && reply.body, { number: 1 })
  assert.deepEqual(reported, [{ url: `${url}/pulls`, date }])
})

test('a write that is reset over https has an unknown effect', async (t) => {
  trust(t)
  const { client } = await start(t, { broken: 'reset' })
  assert.equal((await client.ask(write, signal)).kind, 'unknown_effect')
})

test('a host with an unknown certificate never sees the write', async (t) => {
  const { client, server } = await start(t, { status: 201, body: {} })
  const reply = await client.ask(write, signal)
  assert.equal(reply.kind, 'unavailable')
  assert.match(reply.kind === 'unavailable' ? reply.reason : '', /DEPTH_ZERO_SELF_SIGNED_CERT/)
  assert.equal(server.requests.length, 0)
})

test('the date of a response over plain http is not reported', async (t) => {
  const reported: unknown[] = []
  const server = await serveHttp(t, () => ({ body: {}, headers: { date } }))
  const given = { apiUrl: server.url, privateHosts: [server.host] }
  const client = createForgeClient({ ...given, report: (seen) => reported.push(seen) })
  await client.ask(write, signal)
  assert.deepEqual(reported, [])
})
