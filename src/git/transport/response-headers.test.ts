// The headers of a host's responses: of those that git gets, and of the request that Docent makes itself.

import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { testGit, signal, temporaryFolder } from '../../../test/support/git-remote.ts'
import { servedRepository } from '../../../test/support/git-server.ts'
import { certificate, certificateHost } from '../../../test/support/loopback-certificate.ts'
import { type HttpServer, serveHttp } from '../../../test/support/scripted-http.ts'
import { createMirror, type Mirror } from '../cache/mirror.ts'
import { usualPath } from './env.ts'
import { listRemote } from './remote.ts'
import { createRunner, type Runner } from './run.ts'

const date = 'Sat, 21 Nov 2026 10:00:00 GMT'
const login = { username: 'x-access-token', password: 'ghs_0123456789abcdefABCDEF' }

/** A host over https that git trusts, and that has no repository. */
async function start(t: TestContext): Promise<{ server: HttpServer; url: string; runner: Runner; config: string[] }> {
  const server = await serveHttp(t, () => ({ status: 404, body: 'no', headers: { date } }), 'https')
  const home = temporaryFolder(t)
  const runner = createRunner({ home, path: usualPath, timeoutMs: 20_000 })
  t.after(async () => await runner.close())
  const authority = join(home, 'authority.pem')
  writeFileSync(authority, certificate)
  const [, port = ''] = server.host.split(':')
  const config = [`http.sslCAInfo=${authority}`, `http.curloptResolve=${certificateHost}:${port}:127.0.0.1`]
  return { server, url: `https://${certificateHost}:${port}`, runner, config }
}

test('git reports the headers of a response, and its messages stay as they are', async (t) => {
  const { server, url, runner, config } = await start(t)
  const call = { args: ['ls-remote', '--', url], config, protocol: 'https' } as const
  const plain = await runner.run(call)
  const credential = { ...login, origin: url }
  const { response, ...read } = await runner.run({ ...call, credential, readsResponses: true })
  assert.deepEqual(response, { status: 404, headers: { date, 'content-type': 'text/html' } })
  assert.match(plain.stderr, /not found/)
  assert.deepEqual(read, plain)
  assert.equal(server.requests.length, 2)
})

/** A mirror of an address over https, whose git is the runner of the test. */
function mirrorOver(t: TestContext, protocol: 'http' | 'https', wanted: boolean, reported: unknown[]): Mirror {
  const stdout = Buffer.from(`${'1'.repeat(40)}\tHEAD\n`)
  const headers = { date, 'content-type': 'application/x-git-upload-pack-result' }
  const response = { status: 200, headers }
  const run: Runner['run'] = async () => ({ ended: 'exit', code: 0, stdout, stderr: '', response })
  const runner = { run } as unknown as Runner
  const href = `${protocol}://git.example/docs.git`
  const address = { protocol, href, origin: `${protocol}://git.example`, hostname: 'git.example', port: 443 }
  const dateReport = () => (wanted ? (seen: unknown) => void reported.push(seen) : undefined)
  const options = { directory: temporaryFolder(t), resolve: async () => ['93.184.215.14'], dateReport }
  return createMirror(
    runner,
    options as unknown as Mirror['options'],
    'prj_test',
    address as unknown as Mirror['address'],
  )
}

test('the date is reported while it is wanted, and only over https', async (t) => {
  const reported: unknown[] = []
  await listRemote(mirrorOver(t, 'https', false, reported), [], signal())
  await listRemote(mirrorOver(t, 'http', true, reported), [], signal())
  assert.deepEqual(reported, [])
  await listRemote(mirrorOver(t, 'https', true, reported), [], signal())
  assert.deepEqual(reported, [{ url: 'https://git.example/docs.git', date }])
})

test('the check of rights reports the date of the host, and not over plain http', async (t) => {
  const before = getCACertificates('default')
  setDefaultCACertificates([...before, certificate])
  t.after(() => setDefaultCACertificates(before))
  const { server, url } = await start(t)
  const reported: unknown[] = []
  const dateReport = () => (seen: unknown) => void reported.push(seen)
  const host = `${certificateHost}:${server.host.split(':')[1]}`
  const git = await testGit(t, { privateHosts: [host], resolve: async () => ['127.0.0.1'], dateReport })
  assert.equal((await git.repository('prj_test', `${url}/docs.git`).probeAccess(signal())).read, 'no')
  const seen = ['git-receive-pack', 'git-upload-pack'].map((service) => {
    return { url: `${url}/docs.git/info/refs?service=${service}`, date }
  })
  assert.deepEqual(reported, seen)
  const plain = await servedRepository(t, { dateReport })
  await plain.repository.probeAccess(signal())
  assert.equal(reported.length, 2)
})
