import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { after, afterEach, before, suite, test } from 'node:test'
import { removeFolder, temporaryFolder } from '../../../test/support/temporary.ts'
import type { AppBindings } from '../context.ts'
import { type FetchHandler, listen, type Listening, slowSenders } from './server.ts'

suite('listening', () => {
  const open: Listening[] = []
  let folder: string
  before(async () => {
    folder = await temporaryFolder('server')
  })
  afterEach(async () => {
    for (const one of open.splice(0)) await one.close(0)
  })
  after(() => removeFolder(folder))

  const anyPort = { host: '127.0.0.1', port: 0 }
  const start = async (fetch: FetchHandler['fetch'], place: Parameters<typeof listen>[1] = anyPort) => {
    const listening = await listen({ fetch }, place)
    open.push(listening)
    return listening
  }
  const portOf = ({ address }: Listening) => Number(new URL(address).port)

  /** All that comes back for these bytes until the connection ends. */
  const send = (listening: Listening, bytes: string) =>
    new Promise<string>((resolve, reject) => {
      const socket = connect(portOf(listening), '127.0.0.1', () => socket.write(bytes))
      let text = ''
      socket.on('data', (chunk) => (text += chunk.toString()))
      socket.on('close', () => resolve(text))
      socket.on('error', reject)
    })

  test('requests reach the app with the address that they came from', async () => {
    const seen: AppBindings[] = []
    const listening = await start((_request, bindings) => {
      seen.push(bindings)
      return new Response('here')
    })
    assert.match(listening.address, /^http:\/\/127\.0\.0\.1:\d+$/)
    assert.equal(await (await fetch(listening.address)).text(), 'here')
    assert.equal(seen[0]?.incoming?.socket.remoteAddress, '127.0.0.1')
    assert.equal(seen[0]?.principal, undefined)
  })

  test('a place that is taken is an error', async () => {
    const listening = await start(() => new Response())
    await assert.rejects(
      listen({ fetch: () => new Response() }, { host: '127.0.0.1', port: portOf(listening) }),
      /another process has it/,
    )
  })

  test('two thousand connections at once wait to be accepted', { skip: mostWaiting() < 2_000 }, async () => {
    const port = portOf(await start(() => new Response()))
    const sockets = Array.from({ length: 2_000 }, () => connect(port, '127.0.0.1').on('error', () => undefined))
    // `connect` calls the system before this, and the server accepts only after it.
    const connecting = await new Promise<number>((resolve) => process.nextTick(() => resolve(countConnecting(port))))
    for (const socket of sockets) socket.destroy()
    assert.equal(connecting, 0)
  })

  test('the file of a socket is for its owner only, from its first moment', async () => {
    const socketPath = join(folder, 'docent.sock')
    const mask = process.umask()
    const listening = await start(() => new Response('by socket'), { socketPath })
    assert.equal(process.umask(), mask)
    assert.equal((await stat(socketPath)).mode & 0o777, 0o600)
    assert.equal(listening.address, socketPath)
    const text = await new Promise<string>((resolve, reject) => {
      const sent = httpRequest({ socketPath, path: '/', headers: { Connection: 'close' } }, (response) => {
        let body = ''
        response.on('data', (chunk) => (body += String(chunk)))
        response.on('end', () => resolve(body))
      })
      sent.on('error', reject).end()
    })
    assert.equal(text, 'by socket')
    await listening.close(0)
    await assert.rejects(stat(socketPath), /ENOENT/)
  })

  test('bytes that are no request are refused in the form of all problems', async () => {
    const listening = await start(() => new Response())
    const table: [string, number][] = [
      ['nonsense\r\n\r\n', 400],
      ['GET / HTTP/1.1\r\nHost: x\r\nContent-Length: x\r\n\r\n', 400],
      ['BREW / HTTP/1.1\r\nHost: x\r\n\r\n', 400],
      ['GET / HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n', 400],
      ['GET * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 400],
      [`GET / HTTP/1.1\r\nHost: x\r\nX: ${'y'.repeat(20_000)}\r\n\r\n`, 431],
      [`GET /${'y'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 431],
    ]
    for (const [bytes, status] of table) {
      const text = await send(listening, bytes)
      assert.match(text, new RegExp(`^HTTP/1.1 ${status} `), bytes.slice(0, 40))
      assert.match(text, /content-type: application\/problem\+json/i)
      assert.match(text, /x-request-id: req_/i)
      assert.equal((JSON.parse(text.slice(text.indexOf('\r\n\r\n') + 4)) as { status: number }).status, status)
    }
  })

  test('senders slower than the limits are refused, and found within two seconds', async () => {
    assert.deepEqual(slowSenders, {
      headersTimeout: 15_000,
      requestTimeout: 60_000,
      connectionsCheckingInterval: 2_000,
    })
    const limits = { headersTimeout: 30, requestTimeout: 60, connectionsCheckingInterval: 5 }
    const listening = await listen({ fetch: async (request) => new Response(await request.text()) }, anyPort, limits)
    open.push(listening)
    assert.match(await send(listening, 'GET / HTTP/1.1\r\nHost: x\r\nX: half'), /^HTTP\/1.1 408 /)
    const half = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nhalf'
    assert.match(await send(listening, half), /^HTTP\/1.1 408 /)
  })

  test('an app that throws is 500, a missing app 503, without a reason', async () => {
    const { Failure } = await import('../../lib/failure.ts')
    const thrown: unknown[] = [new Error('secret'), new Failure('unavailable', 'The service is starting.'), 'text']
    const listening = await start(() => {
      throw thrown.shift()
    })
    for (const status of [500, 503, 500]) {
      const response = await fetch(listening.address)
      assert.equal(response.status, status)
      assert.ok(!(await response.text()).includes('secret'))
      if (status === 503) assert.equal(response.headers.get('Retry-After'), '1')
    }
  })

  test('closing lets a request end and accepts no new one', async () => {
    const gate = Promise.withResolvers<void>()
    const started = Promise.withResolvers<void>()
    const listening = await listen(
      {
        fetch: async () => {
          started.resolve()
          await gate.promise
          return new Response('ended well')
        },
      },
      { host: '127.0.0.1', port: 0 },
    )
    const answer = fetch(listening.address)
    await started.promise
    const begun = performance.now()
    const closed = listening.close(30_000)
    await assert.rejects(fetch(listening.address))
    gate.resolve()
    assert.equal(await (await answer).text(), 'ended well')
    await closed
    assert.ok(performance.now() - begun < 15_000, 'it waits for a connection that is kept alive')
  })

  test('a request that does not end is cut off at the deadline', async () => {
    const started = Promise.withResolvers<void>()
    const never = new Promise<Response>(() => undefined)
    const listening = await listen(
      {
        fetch: () => {
          started.resolve()
          return never
        },
      },
      { host: '127.0.0.1', port: 0 },
    )
    const answer = fetch(listening.address)
    await started.promise
    await Promise.all([assert.rejects(answer), listening.close(50)])
  })
})

/** The connections to one port that the system lets wait; 0 on other systems than Linux. */
function mostWaiting(): number {
  return process.platform === 'linux' ? Number(readFileSync('/proc/sys/net/core/somaxconn', 'utf8')) : 0
}

/** The connections to this port that the system has not made yet. */
function countConnecting(port: number): number {
  const remote = `:${port.toString(16).toUpperCase().padStart(4, '0')} 02`
  return readFileSync('/proc/net/tcp', 'utf8').split(remote).length - 1
}
