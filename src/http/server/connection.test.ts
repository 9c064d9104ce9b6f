import assert from 'node:assert/strict'
import { Agent, request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { after, before, suite, test } from 'node:test'
import { openTestApp, type TestApp } from '../../../test/support/openapi-app.ts'
import { listen, type Listening } from './server.ts'

const megabyte = 1024 * 1024

suite('the app over a real connection', () => {
  let t: TestApp
  let jobs: string
  let listening: Listening
  before(async () => {
    t = await openTestApp()
    jobs = `/v2/agent/${t.project.id}/job`
    listening = await listen(t.app, { host: '127.0.0.1', port: 0 })
  })
  after(() => listening.close(0))

  const raw = (lines: readonly string[]) =>
    new Promise<string>((resolve, reject) => {
      const port = Number(new URL(listening.address).port)
      const socket = connect(port, '127.0.0.1', () =>
        socket.write([...lines, 'Connection: close', '', ''].join('\r\n')),
      )
      let text = ''
      socket.on('data', (chunk) => (text += String(chunk)))
      socket.on('error', reject)
      socket.on('close', () => resolve(text))
    })

  test('a body over 1 MiB is refused again and again on the same connection', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const ports = new Set<number | undefined>()
    for (const size of [2, 3, 6, 2]) {
      const { status, port } = await new Promise<{ status: number | undefined; port: number | undefined }>(
        (resolve, reject) => {
          const headers = { ...bearer(), 'Content-Type': 'application/json', 'Transfer-Encoding': 'chunked' }
          const sent = httpRequest(listening.address + jobs, { agent, method: 'POST', headers }, (response) => {
            const port = response.socket.localPort
            response.resume().on('end', () => resolve({ status: response.statusCode, port }))
          })
          sent.on('error', reject).end(Buffer.alloc(size * megabyte, ' '))
        },
      )
      assert.equal(status, 413)
      ports.add(port)
    }
    assert.equal(ports.size, 1)
    agent.destroy()
  })

  test('two Authorization headers are always refused', async () => {
    const line = `Authorization: Bearer ${t.keys.write}`
    assert.match(await raw([`GET ${jobs}s HTTP/1.1`, 'Host: x', line]), /^HTTP\/1.1 200 /)
    assert.match(await raw([`GET ${jobs}s HTTP/1.1`, 'Host: x', line, line]), /^HTTP\/1.1 401 /)
    assert.match(await raw([`GET ${jobs}s HTTP/1.1`, 'Host: x', line, 'authorization: Bearer x']), /^HTTP\/1.1 401 /)
  })

  test('methods and addresses that no client library sends are answered too', async () => {
    const line = `Authorization: Bearer ${t.keys.write}`
    assert.match(await raw([`TRACE ${jobs} HTTP/1.1`, 'Host: x', line]), /^HTTP\/1.1 405 [\s\S]*allow: POST/i)
    assert.match(await raw(['GET /healthz HTTP/1.0']), /^HTTP\/1.1 200 /)
    assert.match(await raw(['GET http://other.test/healthz HTTP/1.1', 'Host: x']), /^HTTP\/1.1 200 /)
    assert.match(await raw([`GET /v2/agent/%E0%A4%A/jobs HTTP/1.1`, 'Host: x', line]), /^HTTP\/1.1 404 /)
    assert.match(await raw([`GET /..%2f..%2fetc HTTP/1.1`, 'Host: x', line]), /^HTTP\/1.1 404 /)
  })

  test('requests that the platform would refuse silently get a problem response', async () => {
    const problem = (status: number) =>
      new RegExp(`^HTTP/1.1 ${status} [\\s\\S]*X-Request-Id: req_[\\s\\S]*"code":"invalid_input"`, 'i')
    assert.match(await raw(['GET /healthz HTTP/1.1']), problem(400))
    for (const version of ['1.0', '1.1']) {
      for (const second of ['x', 'y']) {
        assert.match(await raw([`GET /healthz HTTP/${version}`, 'Host: x', `host: ${second}`]), problem(400))
      }
    }
    assert.match(
      await raw(['POST /healthz HTTP/1.1', 'Host: x', 'Expect: a miracle', 'Content-Length: 0']),
      problem(417),
    )
    assert.match(await raw(['CONNECT other.test:443 HTTP/1.1', 'Host: other.test:443']), problem(400))
    assert.match(await raw(['GET /healthz HTTP/1.1', 'Host: x']), /^HTTP\/1.1 200 /)
  })

  test('the log has the address of the client', async () => {
    await fetch(`${listening.address}/healthz`, { headers: { 'X-Forwarded-For': '1.2.3.4' } })
    assert.equal(lastLine()['address'], '127.0.0.1')
  })

  const bearer = () => ({ Authorization: `Bearer ${t.keys.write}` })
  const lastLine = () => t.log.at(-1) ?? {}
})
