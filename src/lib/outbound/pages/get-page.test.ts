import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test, type TestContext } from 'node:test'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { certificate, certificateHost } from '../../../../test/support/loopback-certificate.ts'
import { type HttpAnswer, type HttpRequest, serveHttp } from '../../../../test/support/scripted-http.ts'
import { getPage, pageLimits, type PageNetwork } from './get-page.ts'

const signal = new AbortController().signal
const anyRedirect = () => Promise.resolve(undefined)

async function start(t: TestContext, answer: (request: HttpRequest) => HttpAnswer) {
  const server = await serveHttp(t, answer)
  const get = (
    path: string,
    more: Partial<PageNetwork> = {},
    refuseRedirect = anyRedirect as (to: URL) => Promise<string | undefined>,
  ) => getPage({ url: new URL(path, server.url), refuseRedirect }, { privateHosts: [server.host], ...more }, signal)
  return { server, get }
}

test('a page is read with its status, and nothing that names anybody is sent', async (t) => {
  const { server, get } = await start(t, () => ({ status: 404, body: 'no', headers: { 'set-cookie': 'a=b' } }))
  const got = await get('/x?q=1#part')
  assert.equal(got.kind === 'response' && got.status, 404)
  assert.deepEqual(
    server.requests.map(({ method, url }) => `${method} ${url}`),
    ['GET /x?q=1'],
  )
  const names = Object.keys(server.requests[0]?.headers ?? {}).toSorted()
  assert.deepEqual(names, ['accept', 'accept-encoding', 'connection', 'host', 'user-agent'])
})

test('redirects are judged one by one, and no cookie of one goes to the next', async (t) => {
  const { server, get } = await start(t, ({ url }) => {
    if (url === '/c') return { body: 'here' }
    const location = url === '/a' ? '/b' : '/c'
    return { status: url === '/a' ? 301 : 307, headers: { location, 'set-cookie': 'session=1', refresh: '0;url=/d' } }
  })
  const judged: string[] = []
  const got = await get('/a', {}, async (to) => void judged.push(to.pathname))
  assert.equal(got.kind === 'response' && `${got.url.pathname} ${got.body.toString()}`, '/c here')
  assert.deepEqual(judged, ['/b', '/c'])
  assert.ok(server.requests.every(({ headers }) => headers.cookie === undefined && headers.referer === undefined))
})

test('a redirect that is refused is not followed, whatever its form', async (t) => {
  for (const status of [301, 302, 303, 307, 308]) {
    const { server, get } = await start(t, () => ({ status, headers: { location: 'https://evil.example/?d=secret' } }))
    const got = await get('/a', {}, async ({ host }) => `nobody allows ${host}`)
    assert.deepEqual(got.kind === 'failed' && [got.status, got.reason], [
      status,
      'it redirects to https://evil.example/?d=secret, and nobody allows evil.example',
    ])
    assert.equal(server.requests.length, 1)
  }
  for (const location of ['file:///etc/passwd', 'http://', 'gopher://x/', undefined]) {
    const { get } = await start(t, () => ({ status: 302, headers: location === undefined ? {} : { location } }))
    const got = await get('/a')
    assert.equal(got.kind === 'failed' && got.reason, 'it redirects to no address of the web', location)
  }
})

test('redirects in a circle end after six requests', async (t) => {
  const { server, get } = await start(t, ({ url }) => ({ status: 302, headers: { location: `${url}x` } }))
  const got = await get('/a')
  assert.equal(got.kind === 'failed' && got.reason, 'it redirects again and again')
  assert.equal(server.requests.length, 6)
})

test('private addresses are connected to only at hosts that the service allows', async (t) => {
  const { server, get } = await start(t, () => ({ body: 'inside' }))
  const port = server.host.split(':')[1]
  for (const host of ['127.0.0.1', 'localhost', '[::1]', '[::ffff:127.0.0.1]', '169.254.169.254', '2130706433']) {
    const got = await get(`http://${host}:${port}/`, { privateHosts: ['gitea.internal'] })
    assert.equal(got.kind, 'failed', host)
  }
  const addresses = ['127.0.0.1', '10.1.2.3', '169.254.169.254', '::1', 'fd00::1', '::ffff:10.0.0.1', '64:ff9b::7f00:1']
  for (const address of addresses) {
    const got = await get('https://docs.example.com/', { privateHosts: [], resolve: async () => [address] })
    assert.match(got.kind === 'failed' ? got.reason : '', /resolves to a private network address/, address)
  }
  const mixed = await get('https://docs.example.com/', {
    privateHosts: [],
    resolve: async () => ['93.184.216.34', '127.0.0.1'],
  })
  assert.match(mixed.kind === 'failed' ? mixed.reason : '', /private/)
  const plain = await get('http://docs.example.com/', { privateHosts: [] })
  assert.match(plain.kind === 'failed' ? plain.reason : '', /plain http is only for hosts/)
  assert.equal(server.requests.length, 0)
})

test('a redirect into a private network is not followed, although it is allowed', async (t) => {
  const inside = await serveHttp(t, () => ({ body: 'inside' }))
  const { get } = await start(t, () => ({ status: 302, headers: { location: inside.url } }))
  const got = await get('/')
  assert.match(got.kind === 'failed' ? got.reason : '', /plain http is only for hosts/)
  assert.equal(inside.requests.length, 0)
})

test('a name that resolves to another address the second time leads nowhere else', async (t) => {
  const inside = await serveHttp(t, () => ({ body: 'inside' }))
  const port = inside.host.split(':')[1]
  const answers = [['127.0.0.2'], ['127.0.0.1']]
  const asked: string[] = []
  const resolve = async (host: string) => {
    asked.push(host)
    return answers[asked.length - 1] ?? []
  }
  // The first answer is what the connection goes to, and nobody listens there.
  const got = await getPage(
    { url: new URL(`http://rebinding.example:${port}/`), refuseRedirect: anyRedirect },
    { privateHosts: [`rebinding.example:${port}`], resolve },
    signal,
  )
  assert.equal(got.kind === 'failed' && got.reason, 'the connection failed (ECONNREFUSED)')
  assert.deepEqual(asked, ['rebinding.example'])
  assert.equal(inside.requests.length, 0)
})

test('one deadline holds for a name, a slow body and all redirects together', async (t) => {
  const limits = { ...pageLimits, deadlineMs: 300 }
  const stalled = await start(t, () => ({ body: 'x'.repeat(1_000), broken: 'stall' }))
  const late = /^there was no whole response in 0.3 seconds$/
  const reasonOf = (got: Awaited<ReturnType<typeof getPage>>) => (got.kind === 'failed' ? got.reason : got.kind)
  assert.match(reasonOf(await stalled.get('/', { limits })), late)
  const resolve = () => new Promise<never>(() => undefined)
  assert.match(reasonOf(await stalled.get('https://docs.example.com/', { privateHosts: [], resolve, limits })), late)
  // Each response comes within the limit.
  const slow = createServer((_, response) => {
    setTimeout(() => response.writeHead(302, { location: '/next' }).end(), 200)
  }).listen(0, '127.0.0.1')
  await once(slow, 'listening')
  t.after(() => {
    slow.closeAllConnections()
    slow.close()
  })
  const host = `127.0.0.1:${(slow.address() as AddressInfo).port}`
  const url = new URL(`http://${host}/`)
  assert.match(
    reasonOf(await getPage({ url, refuseRedirect: anyRedirect }, { privateHosts: [host], limits }, signal)),
    late,
  )
})

test('2 MB are read, and one byte more is not', async (t) => {
  const { get } = await start(t, ({ url }) => ({ body: 'x'.repeat(url === '/more' ? 2_000_001 : 2_000_000) }))
  const whole = await get('/')
  assert.equal(whole.kind === 'response' && whole.body.byteLength, 2_000_000)
  const more = await get('/more')
  assert.equal(more.kind === 'failed' && more.reason, 'the response is larger than 2 MB')
  assert.equal(pageLimits.deadlineMs, 10_000)
})

test('a body without end, and one that breaks off, end the request', async (t) => {
  const endless = createServer((_, response) => {
    const write = () => {
      while (!response.destroyed && response.write(Buffer.alloc(65_536))) continue
    }
    response.on('drain', write)
    write()
  }).listen(0, '127.0.0.1')
  await once(endless, 'listening')
  t.after(() => {
    endless.closeAllConnections()
    endless.close()
  })
  const host = `127.0.0.1:${(endless.address() as AddressInfo).port}`
  const got = await getPage(
    { url: new URL(`http://${host}/`), refuseRedirect: anyRedirect },
    { privateHosts: [host] },
    signal,
  )
  assert.equal(got.kind === 'failed' && got.reason, 'the response is larger than 2 MB')
  for (const broken of ['reset', 'cut'] as const) {
    const { get } = await start(t, () => ({ body: 'half', broken }))
    assert.match(String(Reflect.get(await get('/'), 'reason')), /^the connection failed \(\w+\)$/)
  }
})

test('over https the certificate of the host is checked', async (t) => {
  const server = await serveHttp(t, () => ({ body: 'secure' }), 'https')
  const host = `${certificateHost}:${server.host.split(':')[1]}`
  const network = { privateHosts: [host], resolve: async () => ['127.0.0.1'] }
  const get = () => getPage({ url: new URL(`https://${host}/`), refuseRedirect: anyRedirect }, network, signal)
  const unknown = await get()
  assert.match(unknown.kind === 'failed' ? unknown.reason : '', /DEPTH_ZERO_SELF_SIGNED_CERT/)
  assert.equal(server.requests.length, 0)
  const before = getCACertificates('default')
  setDefaultCACertificates([...before, certificate])
  t.after(() => setDefaultCACertificates(before))
  const trusted = await get()
  assert.equal(trusted.kind === 'response' && trusted.body.toString(), 'secure')
})

test('a caller that gives up gets its own reason', async (t) => {
  const { server } = await start(t, () => ({ body: 'x'.repeat(100), broken: 'stall' }))
  const caller = new AbortController()
  const asked = getPage(
    { url: new URL(server.url), refuseRedirect: anyRedirect },
    { privateHosts: [server.host] },
    caller.signal,
  )
  caller.abort(new Error('gone'))
  await assert.rejects(asked, /gone/)
})
