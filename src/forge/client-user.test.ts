import assert from 'node:assert/strict'
import { test } from 'node:test'
import { serveHttp } from '../../test/support/scripted-http.ts'
import { createForgeClient } from './client.ts'

test('a token can be the password of a user, and a list repeats its name', async (t) => {
  const token = 'a-token-of-the-test'
  const server = await serveHttp(t, () => ({ status: 403, body: { message: `no ${token}` } }))
  const client = createForgeClient({
    apiUrl: server.url,
    authorization: { scheme: 'Basic', user: 'ada@acme.example', token: () => Promise.resolve(token) },
    privateHosts: [server.host],
  })
  const query = { state: ['OPEN', 'MERGED'], page: 2 }
  const reply = await client.ask({ method: 'GET', path: '/pulls', query }, new AbortController().signal)
  const sent = server.requests[0]?.headers.authorization?.replace('Basic ', '')
  assert.equal(Buffer.from(sent ?? '', 'base64').toString(), `ada@acme.example:${token}`)
  assert.match(server.requests[0]?.url ?? '', /\?state=OPEN&state=MERGED&page=2$/)
  assert.ok(reply.kind === 'response' && !reply.words.includes(token))
})
