import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { type HttpAnswer, type HttpServer, serveHttp } from '../../test/support/scripted-http.ts'
import { createForgeClient, type ForgeClient, type ForgeClientOptions, type ForgeRequest } from './client.ts'

const token = `glpat-${'Zq8Wm2Rt6Yb1'.repeat(4)}`
const signal = new AbortController().signal
const read: ForgeRequest = { method: 'GET', path: '/repos/a/b' }
const write: ForgeRequest = { method: 'POST', path: '/repos/a/b/pulls', body: { title: 'Fix' } }
const now = Date.parse('2026-11-20T09:00:00Z')
const date = 'Fri, 20 Nov 2026 09:00:00 GMT'

type Started = { readonly client: ForgeClient; readonly server: HttpServer }

async function start(
  t: TestContext,
  answers: readonly HttpAnswer[],
  given: Partial<ForgeClientOptions> = {},
): Promise<Started> {
  const left = [...answers]
  const server = await serveHttp(t, () => left.shift() ?? { status: 500 })
  const client = createForgeClient({
    apiUrl: `${server.url}/api/v1`,
    authorization: { scheme: 'token', token: async () => token },
    privateHosts: [server.host],
    now: () => now,
    limits: { deadlineMs: 2_000, maxBytes: 1_000 },
    ...given,
  })
  return { client, server }
}

const page = '<html><body>Down for maintenance</body></html>'
const unavailable = 'unavailable'
const unknown = 'unknown_effect'

type Row = readonly [name: string, answer: HttpAnswer, whenRead: string, whenWritten: string]

const faults: readonly Row[] = [
  ['JSON', { body: { number: 1 } }, 'response', 'response'],
  ['created', { status: 201, body: { number: 1 } }, 'response', 'response'],
  ['no content', { status: 204 }, 'response', 'response'],
  ['the last status of a success', { status: 299, body: {} }, 'response', 'response'],
  ['300', { status: 300, body: {} }, unavailable, unknown],
  ['a reset before the response', { broken: 'reset' }, unavailable, unknown],
  ['502 with a page', { status: 502, body: page }, unavailable, unknown],
  ['500 with JSON', { status: 500, body: { message: 'oops' } }, unavailable, unknown],
  ['503 with a time', { status: 503, headers: { 'retry-after': '7' } }, unavailable, unknown],
  ['201 and a cut body', { status: 201, body: { number: 1 }, broken: 'cut' }, unavailable, unknown],
  ['201 and half of the JSON', { status: 201, body: { number: 1 }, broken: 'drop' }, unavailable, unknown],
  ['201 with a page', { status: 201, body: page }, unavailable, unknown],
  ['200 with a page', { status: 200, body: page }, unavailable, unknown],
  ['a body that is too large', { body: { text: 'x'.repeat(1_000) } }, unavailable, unknown],
  ['302 to a sign-in page', { status: 302, headers: { location: '/login' } }, unavailable, unknown],
  ['303', { status: 303, headers: { location: '/done' } }, unavailable, unknown],
  ['301 without an address', { status: 301 }, unavailable, unknown],
  ['408', { status: 408, body: { message: 'slow' } }, unavailable, unknown],
  ['400', { status: 400, body: { message: 'bad' } }, 'response', 'response'],
  ['403', { status: 403, body: { message: 'no' } }, 'response', 'response'],
  ['403 with a page', { status: 403, body: page }, unavailable, unknown],
  ['403 without a body', { status: 403 }, 'response', 'response'],
  ['404', { status: 404, body: { message: 'Not Found' } }, 'response', 'response'],
  ['409 that is cut off', { status: 409, body: { message: 'exists' }, broken: 'drop' }, unavailable, unavailable],
  ['422', { status: 422, body: { message: 'no' } }, 'response', 'response'],
  ['429', { status: 429 }, 'limited', 'limited'],
  ['403 with a time', { status: 403, headers: { 'retry-after': '7' } }, 'limited', 'limited'],
  ['403 and nothing left', { status: 403, headers: { 'x-ratelimit-remaining': '0' } }, 'limited', 'limited'],
  [
    '403 in words',
    { status: 403, body: { message: 'You have exceeded a secondary rate limit.' } },
    'limited',
    'limited',
  ],
  ['301 to another host', { status: 301, headers: { location: 'https://example.com/x' } }, 'moved', 'moved'],
  ['308 to no web address', { status: 308, headers: { location: 'file:///etc/passwd' } }, unavailable, unknown],
]

for (const [name, answer, whenRead, whenWritten] of faults) {
  test(`${name}: a read is ${whenRead}, a write is ${whenWritten}`, async (t) => {
    const { client, server } = await start(t, [answer, answer, answer, answer])
    // A request without an effect is repeated once, unless the host names a time.
    const times = (kind: string) => (kind === unavailable && answer.headers?.['retry-after'] === undefined ? 2 : 1)
    assert.equal((await client.ask(read, signal)).kind, whenRead)
    assert.equal(server.requests.length, times(whenRead))
    assert.equal((await client.ask(write, signal)).kind, whenWritten)
    assert.equal(server.requests.length, times(whenRead) + times(whenWritten))
    assert.equal(client.countRequests(), server.requests.length)
  })
}

test('a response that stops in the middle ends at the deadline', async (t) => {
  const stalled: HttpAnswer = { status: 201, body: { number: 1 }, broken: 'stall' }
  const { client } = await start(t, [stalled, stalled, stalled], { limits: { deadlineMs: 50, maxBytes: 1_000 } })
  const reason = 'no response in 0.05 seconds'
  assert.deepEqual(await client.ask(read, signal), { kind: 'unavailable', reason, retryAfter: null })
  assert.deepEqual(await client.ask(write, signal), { kind: 'unknown_effect', reason })
})

test('a write to a host that refuses the connection had no effect', async (t) => {
  const { server } = await start(t, [])
  const { client } = await start(t, [], { apiUrl: 'http://127.0.0.1:9', privateHosts: ['127.0.0.1:9'] })
  const reason = 'the connection failed (ECONNREFUSED)'
  assert.deepEqual(await client.ask(write, signal), { kind: 'unavailable', reason, retryAfter: null })
  assert.equal(server.requests.length, 0)
})

test('an aborted request throws the reason', async (t) => {
  const stop = new AbortController()
  const { client, server } = await start(t, [], {})
  stop.abort(new Error('the run was cancelled'))
  await assert.rejects(client.ask(write, stop.signal), /the run was cancelled/)
  assert.equal(server.requests.length, 0)
  const late = new AbortController()
  const waiting = await serveHttp(t, async () => {
    late.abort(new Error('cancelled meanwhile'))
    return { broken: 'stall' }
  })
  const slow = createForgeClient({ apiUrl: waiting.url, privateHosts: [waiting.host] })
  await assert.rejects(slow.ask(write, late.signal), /cancelled meanwhile/)
})

test('a request has the path below the base, the query, JSON, and the token', async (t) => {
  const { client, server } = await start(t, [{ body: [] }, { body: {} }], { headers: { 'x-version': '7' } })
  const query = { head: 'acme:docent/a b&c', state: 'all', page: 2 }
  await client.ask({ method: 'GET', path: '/projects/g%2Fp/pulls', query, etag: '"abc"' }, signal)
  await client.ask({ ...write, body: { title: 'Größe' } }, signal)
  const [first, second] = server.requests
  assert.equal(first?.url, '/api/v1/projects/g%2Fp/pulls?head=acme%3Adocent%2Fa+b%26c&state=all&page=2')
  assert.equal(first.headers.authorization, `token ${token}`)
  assert.equal(first.headers['if-none-match'], '"abc"')
  assert.equal(first.headers['user-agent'], 'docent')
  assert.equal(first.headers['x-version'], '7')
  assert.equal(first.body, undefined)
  assert.deepEqual(second?.body, { title: 'Größe' })
})

test('a path that would leave the base is refused', async (t) => {
  const { client, server } = await start(t, [])
  for (const path of [
    '/repos/../../admin',
    '/repos/a/./b',
    '/a?b',
    '/a#b',

    '/a\\b',
    '@example.com',
  ]) {
    await assert.rejects(client.ask({ method: 'GET', path }, signal), { code: 'forge_refused' }, path)
  }
  const bare = createForgeClient({ apiUrl: server.url, privateHosts: [server.host] })
  await assert.rejects(bare.ask({ method: 'GET', path: '//example.com/' }, signal), { code: 'forge_refused' })
  assert.equal(server.requests.length, 0)
})

test('a read follows 301, 307 and 308 within its origin, and says where it ended', async (t) => {
  const to = (status: number, location: string): HttpAnswer => ({ status, headers: { location } })
  const hops = [to(301, '/api/v1/b'), to(307, '/api/v1/c'), to(308, '/api/v1/d'), { body: { id: 1 } }]
  const { client, server } = await start(t, hops)
  const reply = await client.ask(read, signal)
  assert.equal(reply.kind === 'response' && reply.movedTo, '/api/v1/d')
  assert.deepEqual(
    server.requests.map(({ headers }) => headers.authorization),
    [1, 2, 3, 4].map(() => `token ${token}`),
  )
  const endless = await start(
    t,
    Array.from({ length: 12 }, () => to(301, '/again')),
  )
  assert.equal((await endless.client.ask(read, signal)).kind, 'unavailable')
  assert.equal(endless.server.requests.length, 12)
})

test('a redirected write is not sent again, and the new address has no query', async (t) => {
  const location = '/api/v1/repositories/7/pulls?token=secret'
  const { client, server } = await start(t, [{ status: 307, headers: { location } }])
  const to = `${server.url}/api/v1/repositories/7/pulls`
  assert.deepEqual(await client.ask(write, signal), { kind: 'moved', to })
  assert.equal(server.requests.length, 1)
})

test('after a 401 the token is requested again, once', async (t) => {
  const refused: HttpAnswer = { status: 401, body: { message: 'Bad credentials' } }
  const asked: boolean[] = []
  const source = async (isRefused: boolean): Promise<string> => {
    asked.push(isRefused)
    return isRefused ? 'second-token' : 'first-token'
  }
  const authorization = { scheme: 'Bearer', token: source } as const
  const { client, server } = await start(t, [refused, { status: 201, body: {} }, refused, refused], { authorization })
  const reply = await client.ask(write, signal)
  assert.equal(reply.kind === 'response' && reply.status, 201)
  const second = await client.ask(write, signal)
  assert.equal(second.kind === 'response' && second.status, 401)
  assert.deepEqual(asked, [false, true, false, true])
  const sent = server.requests.map(({ headers }) => headers.authorization)
  assert.deepEqual(sent, ['Bearer first-token', 'Bearer second-token', 'Bearer first-token', 'Bearer second-token'])
})

test('a request is repeated after as many refusals as its credential asks for', async (t) => {
  const refused: HttpAnswer = { status: 401, body: { message: 'Bad credentials' } }
  const authorization = { scheme: 'Bearer', token: async () => token, repeats: 3 } as const
  const answers = [refused, refused, refused, { status: 201, body: {} }, refused, refused, refused, refused]
  const { client, server } = await start(t, answers, { authorization })
  const passed = await client.ask(write, signal)
  assert.equal(passed.kind === 'response' && passed.status, 201)
  const failed = await client.ask(write, signal)
  assert.equal(failed.kind === 'response' && failed.status, 401)
  assert.equal(server.requests.length, 8)
})

test('a client without a credential sends no Authorization header', async (t) => {
  const { client, server } = await start(t, [{ status: 401, body: {} }], { authorization: undefined })
  await client.ask(write, signal)
  assert.equal(server.requests.length, 1)
  assert.equal(server.requests[0]?.headers.authorization, undefined)
})

test('a failure of the token source and a token with a line break end the request', async (t) => {
  const broken = async (): Promise<string> => await Promise.reject(new Error('no token'))
  const failing = await start(t, [], { authorization: { scheme: 'Bearer', token: broken } })
  await assert.rejects(failing.client.ask(read, signal), /no token/)
  const split = await start(t, [], { authorization: { scheme: 'Bearer', token: async () => 'a\r\nHost: b' } })
  await assert.rejects(split.client.ask(read, signal), { code: 'repository_unauthorized' })
  assert.equal(split.server.requests.length, 0)
})

test('messages of a host show neither the token nor control characters', async (t) => {
  const quoted = [token, btoa(`oauth2:${token}`), encodeURIComponent(token)].join(' | ')
  const { client } = await start(t, [{ status: 403, body: { message: `\u001b[31mNo\u0000 ${quoted}`, errors: [] } }])
  const reply = await client.ask(read, signal)
  assert.ok(reply.kind === 'response')
  assert.match(reply.words, /^No .*\[redacted\]/)
  assert.ok(!reply.words.includes(token.slice(0, 20)))
  assert.ok(!reply.words.includes(btoa(`oauth2:${token}`).slice(8, 28)))
})

test('nothing of a response holds the token: fields, headers, and where it leads', async (t) => {
  const quoted = `${token}/${encodeURIComponent(token)}/${btoa(`oauth2:${token}`)}`
  const { client } = await start(t, [
    { body: { html_url: `/pull/1?t=${quoted}`, [token]: 1 }, headers: { etag: `"${quoted}"` } },
    { status: 301, headers: { location: `/api/v1/${quoted}` } },
    { body: {} },
    { status: 307, headers: { location: `https://example.com/${quoted}` } },
  ])
  for (const request of [read, read, write]) {
    const said = JSON.stringify(await client.ask(request, signal))
    assert.match(said, /\[redacted\]|%5Bredacted%5D/)
    assert.ok(!said.includes(token.slice(0, 20)) && !said.includes(btoa(`oauth2:${token}`).slice(12, 32)), said)
  }
})

test('a token that a host mints for a JWT keeps the parts that both have', async (t) => {
  const jwt = [btoa('{"alg":"RS256","typ":"JWT"}'), 'claims'.repeat(5), 'signature'.repeat(5)].join('.')
  const minted = `ghs_1_${jwt.replace('signature', 'another').replace(/\w+$/, 'x'.repeat(40))}`
  const authorization = { scheme: 'Bearer', token: async () => jwt } as const
  const { client } = await start(t, [{ body: { token: minted, said: jwt } }], { authorization })
  const reply = await client.ask(read, signal)
  const said = jwt.replace(/\w+$/, '[redacted]')
  assert.deepEqual(reply.kind === 'response' && reply.body, { token: minted, said })
})

test('a conditional read returns the ETag, and 304 is a response', async (t) => {
  const { client } = await start(t, [{ body: {}, headers: { etag: 'W/"1"' } }, { status: 304 }])
  const first = await client.ask(read, signal)
  assert.equal(first.kind === 'response' && first.etag, 'W/"1"')
  const second = await client.ask({ ...read, etag: 'W/"1"' }, signal)
  assert.equal(second.kind === 'response' && second.status, 304)
})

test('a host whose name leads to a private address is not connected to', async (t) => {
  const { server } = await start(t, [])
  const resolve = async (): Promise<string[]> => ['127.0.0.1']
  const open = { apiUrl: 'https://forge.example.com', privateHosts: [], resolve }
  const reply = await createForgeClient(open).ask(write, signal)
  assert.ok(reply.kind === 'unavailable')
  assert.match(reply.reason, /private network address/)
  for (const apiUrl of ['http://forge.example.com', 'https://10.0.0.1', 'https://localhost', 'file:///a', 'no']) {
    assert.throws(() => createForgeClient({ apiUrl, privateHosts: [] }), { code: 'forge_refused' }, apiUrl)
  }
  assert.equal(server.requests.length, 0)
})

test('the connection goes to the addresses that were checked', async (t) => {
  const { server } = await start(t, [])
  const port = server.host.split(':')[1]
  const resolved: string[] = []
  const client = createForgeClient({
    apiUrl: `http://forge.corp:${port}`,
    privateHosts: [`forge.corp:${port}`],
    resolve: async (host) => {
      resolved.push(host)
      return ['127.0.0.1']
    },
  })
  await client.ask(write, signal)
  assert.deepEqual(resolved, ['forge.corp'])
  assert.equal(server.requests[0]?.headers.host, `forge.corp:${port}`)
})

test('a limit has a time to wait, at least a second and at most an hour', async (t) => {
  const epoch = String(now / 1_000 + 90)
  const rows: readonly (readonly [headers: Record<string, string>, seconds: number])[] = [
    [{ 'retry-after': '7' }, 7],
    [{ 'retry-after': '0' }, 1],
    [{ 'retry-after': '99999999999999999999' }, 3_600],
    [{ 'retry-after': '-5' }, 60],
    [{ 'retry-after': 'soon' }, 60],
    [{ 'retry-after': 'Fri, 20 Nov 2026 09:00:30 GMT', date }, 30],
    [{ 'retry-after': 'Fri, 20 Nov 2020 09:00:30 GMT', date }, 1],
    [{ 'retry-after': '7', 'x-ratelimit-reset': epoch, date }, 7],
    [{ 'x-ratelimit-reset': epoch, date }, 90],
    [{ 'ratelimit-reset': epoch, date }, 90],
    [{ 'ratelimit-reset': '45' }, 45],
    [{ 'x-ratelimit-reset': '1e400' }, 60],
    [{}, 60],
  ]
  const { client } = await start(
    t,
    rows.map(([headers]) => ({ status: 429, headers })),
  )
  for (const [headers, seconds] of rows) {
    const reply = await client.ask(write, signal)
    assert.equal(reply.kind === 'limited' && reply.retryAfter, seconds, JSON.stringify(headers))
  }
})
