import assert from 'node:assert/strict'
import { chmodSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { signal, testRepository } from '../../../test/support/git-remote.ts'
import {
  type Fault,
  type GitServer,
  type Served,
  serveGit,
  servedRepository,
} from '../../../test/support/git-server.ts'
import type { GitCredential, RepositoryAccess } from '../types.ts'

const login = { username: 'x-access-token', password: 'ghs_0123456789abcdefABCDEF' }
const plain = { 'Content-Type': 'text/plain; charset=utf-8' }

/** A repository that asks for the login, and an engine that has the credential. */
async function locked(t: TestContext, credential: GitCredential | undefined = login): Promise<Served> {
  const served = await servedRepository(t, { credentialOf: async () => credential })
  served.server.login = login
  return served
}

const isPush = (request: IncomingMessage): boolean => request.url?.endsWith('git-receive-pack') === true

function failPush(server: GitServer, fault: Fault): void {
  server.fault = (request) => (isPush(request) ? fault : undefined)
}

function failAll(server: GitServer, fault: Fault): void {
  server.fault = () => fault
}

async function rightsOf({ repository }: Served): Promise<Pick<RepositoryAccess, 'read' | 'push' | 'code'>> {
  const { read, push, code, detail } = await repository.probeAccess(signal())
  assert.match(detail, /^[A-Z].*\.$/)
  return { read, push, code }
}

test('a credential that may push is found with one request, and nothing is written', async (t) => {
  const served = await locked(t)
  assert.deepEqual(await rightsOf(served), { read: 'yes', push: 'yes', code: null })
  assert.deepEqual(served.server.requests, ['GET /remote.git/info/refs?service=git-receive-pack'])
  assert.equal(served.remote.git(['for-each-ref']).split('\n').length, 1)
})

test('a repository that anyone may push to needs no credential', async (t) => {
  const served = await servedRepository(t)
  assert.deepEqual(await rightsOf(served), { read: 'yes', push: 'yes', code: null })
})

test('a wrong credential has no rights, and a missing one is requested', async (t) => {
  const no = { read: 'no', push: 'no', code: 'repository_unauthorized' }
  const wrong = await locked(t, { ...login, password: 'ghs_fedcba9876543210FEDCBA' })
  assert.deepEqual(await rightsOf(wrong), no)
  const { detail } = await wrong.repository.probeAccess(signal())
  assert.match(detail, /^The host refused the credential: it is wrong, has expired, or was revoked\. .*Log in first\.$/)
  const missing = await servedRepository(t)
  missing.server.login = login
  assert.deepEqual(await rightsOf(missing), no)
  assert.match((await missing.repository.probeAccess(signal())).detail, /asks for a credential/)
})

test('an expired credential is requested again before it counts as refused', async (t) => {
  const served = await servedRepository(t, {
    credentialOf: async ({ isRefused }) => (isRefused ? login : { ...login, password: 'expired' }),
  })
  served.server.login = login
  assert.deepEqual(await rightsOf(served), { read: 'yes', push: 'yes', code: null })
})

test('a public repository can be read when a push asks for a login', async (t) => {
  const served = await servedRepository(t)
  failPush(served.server, { kind: 'answer', status: 401, headers: plain })
  assert.deepEqual(await rightsOf(served), { read: 'yes', push: 'no', code: 'repository_unauthorized' })
})

for (const [name, status, body, words] of [
  ['GitHub', 403, 'Permission to o/r.git denied to u.', /may read .*may not push.* denied to u\.$/],
  ['GitHub to an App', 403, 'Write access to repository not granted.', /not granted\.$/],
  ['GitLab', 403, 'You are not allowed to push code to this project.', /not allowed to push code/],
  ['a server without words', 403, '', /may not push to it\.$/],
  ['Gitea', 404, 'not found', /may not push to it\./],
] as const) {
  test(`a right to read only is found as ${name} says it`, async (t) => {
    const served = await locked(t)
    failPush(served.server, { kind: 'answer', status, headers: plain, body })
    assert.deepEqual(await rightsOf(served), { read: 'yes', push: 'no', code: 'forge_right_missing' })
    assert.match((await served.repository.probeAccess(signal())).detail, words)
  })
}

test('an archived repository is named so', async (t) => {
  const served = await locked(t)
  const body = 'This repository was archived so it is read-only.'
  failPush(served.server, { kind: 'answer', status: 403, headers: plain, body })
  assert.deepEqual(await rightsOf(served), { read: 'yes', push: 'no', code: 'repository_archived' })
})

for (const status of [403, 404]) {
  test(`a repository that the credential may not see (${status}) has no rights`, async (t) => {
    const served = await locked(t)
    failAll(served.server, { kind: 'answer', status, headers: plain, body: `with ${login.password}` })
    assert.deepEqual(await rightsOf(served), { read: 'no', push: 'no', code: 'repository_unauthorized' })
    const { detail } = await served.repository.probeAccess(signal())
    assert.ok(!detail.includes(login.password), detail)
  })
}

const html = { 'Content-Type': 'text/html' }
for (const [name, fault, code] of [
  ['a sign-in page', { status: 200, headers: html, body: '<h1>Sign in</h1>' }, 'repository_unreachable'],
  ['status 203', { status: 203, headers: html, body: '<h1>Sign in</h1>' }, 'repository_unreachable'],
  ['a redirect to a sign-in page', { status: 302, headers: { Location: '/users/sign_in' } }, 'repository_unreachable'],
  ['a redirect without an address', { status: 302 }, 'repository_unreachable'],
  ['the right type with another body', { status: 200, headers: offer(), body: '<html>' }, 'repository_unreachable'],
  [
    'the offer of a fetch',
    { status: 200, headers: offer(), body: offered('git-upload-pack') },
    'repository_unreachable',
  ],
  [
    'the right body as a page',
    { status: 200, headers: html, body: offered('git-receive-pack') },
    'repository_unreachable',
  ],
  ['a failure of the host', { status: 502, headers: html, body: '<h1>Bad</h1>' }, 'repository_unreachable'],
  ['too many requests', { status: 429, headers: { 'Retry-After': '7' } }, 'forge_rate_limited'],
  ['a 403 that asks to wait', { status: 403, headers: { ...plain, 'Retry-After': '7' } }, 'forge_rate_limited'],
  ['a 403 that names a limit', { status: 403, headers: plain, body: 'secondary rate limit' }, 'forge_rate_limited'],
] as const) {
  test(`${name} says nothing about rights`, async (t) => {
    const served = await locked(t)
    failAll(served.server, { kind: 'answer', ...fault })
    const retryAfter = code !== 'forge_rate_limited' ? undefined : 'body' in fault ? 60 : 7
    await assert.rejects(served.repository.probeAccess(signal()), { code, retryAfter })
    if (retryAfter !== undefined) await assert.rejects(served.repository.probe(null, signal()), { code })
  })
}

function offer(): Record<string, string> {
  return { 'Content-Type': 'application/x-git-receive-pack-advertisement' }
}

function offered(service: string): string {
  const line = `# service=${service}\n`
  return `${(line.length + 4).toString(16).padStart(4, '0')}${line}0000`
}

test('a long list of refs is not read to its end', async (t) => {
  const served = await locked(t)
  const body = offered('git-receive-pack') + 'x'.repeat(50_000_000)
  failAll(served.server, { kind: 'answer', status: 200, headers: offer(), body })
  assert.deepEqual(await rightsOf(served), { read: 'yes', push: 'yes', code: null })
})

test('a lost connection is no missing right', async (t) => {
  const served = await locked(t)
  failAll(served.server, { kind: 'reset' })
  await assert.rejects(served.repository.probeAccess(signal()), { code: 'repository_unreachable' })
})

test('a moved repository is named with its new address, for the probe and for git', async (t) => {
  const served = await locked(t)
  const to = { Location: `/new/name.git/info/refs?service=git-upload-pack` }
  const message = `The repository has moved to http://${served.server.host}/new/name.git.`
  failAll(served.server, { kind: 'answer', status: 301, headers: to })
  for (const work of [served.repository.probeAccess(signal()), served.repository.probe('main', signal())]) {
    await assert.rejects(work, { code: 'repository_moved', message })
  }
})

test('a repository that moved to another host is not followed, and no login goes there', async (t) => {
  const served = await locked(t)
  const other = await serveGit(t, served.remote.directory)
  const to = { Location: `${other.address}/info/refs?service=git-receive-pack` }
  failAll(served.server, { kind: 'answer', status: 308, headers: to })
  const moved = { code: 'repository_moved', message: `The repository has moved to another address, at ${other.host}.` }
  await assert.rejects(served.repository.probeAccess(signal()), moved)
  await assert.rejects(served.repository.probe('main', signal()), moved)
  assert.deepEqual(other.requests, [])
})

test('the host is only reached at the addresses that were checked', async (t) => {
  const served = await locked(t)
  const resolve = async (): Promise<string[]> => ['169.254.169.254']
  const credentialOf = async (): Promise<GitCredential> => login
  const { git } = await testRepository(t, { privateHosts: [], resolve, credentialOf })
  const elsewhere = git.repository('prj_other', 'https://git.example.com/o/r.git')
  await assert.rejects(elsewhere.probeAccess(signal()), { code: 'repository_unreachable', message: /private network/ })
  assert.deepEqual(served.server.requests, [])
})

test('a probe can be aborted', async (t) => {
  const served = await locked(t)
  const controller = new AbortController()
  served.server.fault = () => {
    controller.abort(new Error('given up'))
    return { kind: 'stall' }
  }
  await assert.rejects(served.repository.probeAccess(controller.signal), /given up/)
})

test('a folder may be pushed to when its objects and refs may be written', async (t) => {
  const { remote, repository } = await testRepository(t)
  remote.commit('main', { 'a.md': 'a' })
  assert.equal((await repository.probeAccess(signal())).push, 'yes')
  // Root may write everywhere.
  if (process.getuid?.() === 0) return
  chmodSync(join(remote.directory, 'refs'), 0o555)
  t.after(() => chmodSync(join(remote.directory, 'refs'), 0o755))
  const { push, code } = await repository.probeAccess(signal())
  assert.deepEqual([push, code], ['no', 'forge_right_missing'])
})

test('a folder without a repository is unreachable', async (t) => {
  const { remote, git } = await testRepository(t)
  const missing = git.repository('prj_missing', `${remote.directory}-missing`)
  await assert.rejects(missing.probeAccess(signal()), { code: 'repository_unreachable' })
})

test('a repository is public if its host offers it without the credential', async (t) => {
  const { server, repository } = await locked(t)
  assert.equal(await repository.isPublic(signal()), false)
  server.login = undefined
  assert.equal(await repository.isPublic(signal()), true)
  assert.deepEqual(new Set(server.logins), new Set([null]))
})

test('nobody can tell whether a repository is public if its host does not answer', async (t) => {
  const { server, repository } = await locked(t)
  const moved = { kind: 'answer', status: 302, headers: { Location: 'https://example.com/sign-in' }, body: '' } as const
  for (const fault of [
    { kind: 'reset' },
    { kind: 'answer', status: 503, headers: plain, body: 'busy' },
    moved,
  ] as const) {
    failAll(server, fault)
    assert.equal(await repository.isPublic(signal()), undefined)
  }
  await assert.rejects(repository.isPublic(AbortSignal.abort()), { name: 'AbortError' })
})

test('a folder of this machine is not public', async (t) => {
  const { repository } = await testRepository(t)
  assert.equal(await repository.isPublic(signal()), false)
})
