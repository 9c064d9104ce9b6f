// The loopback forges keep to what the real ones do: rules, limits, tokens, faults. Every other test of forges relies
// on them.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createSign } from 'node:crypto'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { type Cleanup, plainEnvironment, plainGit, temporaryFolder } from '../support/git-remote.ts'
import { type ForgeOptions, type TestForge, startForge } from '../support/forge/forge.ts'
import { openGitHubSchemas } from '../support/forge/description.ts'

type Given = { readonly token?: string | undefined; readonly body?: unknown; readonly headers?: Record<string, string> }
type Got<T> = { readonly status: number; readonly headers: Headers; readonly body: T }

async function call<T>(forge: TestForge, route: string, given: Given = {}): Promise<Got<T>> {
  const [method = '', path = ''] = route.split(' ')
  const scheme = forge.kind === 'gitea' ? 'token' : 'Bearer'
  const headers = { ...(given.token ? { Authorization: `${scheme} ${given.token}` } : {}), ...given.headers }
  const body = given.body === undefined ? {} : { body: JSON.stringify(given.body) }
  const response = await fetch(`${forge.api}${path}`, { method, headers, redirect: 'manual', ...body })
  const said = await response.text()
  return { status: response.status, headers: response.headers, body: (said === '' ? null : JSON.parse(said)) as T }
}

type Message = { readonly message: string; readonly errors?: readonly { readonly message: string }[] }
type Pull = { readonly number: number; readonly state: string; readonly head: { readonly sha: string } }
type Installed = { readonly app: ReturnType<TestForge['createApp']>; readonly token: string }

const pulls = '/repos/acme/docs/pulls'
const proposal = { title: 'Say more', head: 'docent/a', base: 'main', body: 'Because.' }

async function github(t: Cleanup, options: Partial<ForgeOptions> = {}): Promise<TestForge & { token: string }> {
  const forge = await startForge(t, { kind: 'github', ...options })
  return Object.assign(forge, { token: forge.createToken().value })
}

function createJwt(app: Installed['app'], given: { readonly iat?: number; readonly exp?: number } = {}): string {
  const seconds = Math.floor(Date.now() / 1000)
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const claims = { iat: seconds - 60, exp: seconds + 500, iss: app.id, ...given }
  const signed = `${part({ alg: 'RS256', typ: 'JWT' })}.${part(claims)}`
  return `${signed}.${createSign('RSA-SHA256').update(signed).sign(app.privateKey, 'base64url')}`
}

async function install(forge: TestForge, body: unknown = {}): Promise<Installed> {
  const app = forge.createApp()
  const path = `/app/installations/${app.installationId}/access_tokens`
  const minted = await call<{ token: string }>(forge, `POST ${path}`, { token: createJwt(app), body })
  assert.equal(minted.status, 201)
  return { app, token: minted.body.token }
}

test('GitHub opens one pull request per branch, and refuses one without a commit', async (t) => {
  const forge = await github(t)
  const { token } = forge
  const missing = await call<Message>(forge, `POST ${pulls}`, { token, body: proposal })
  assert.equal(missing.status, 422)
  forge.push('docent/a', {}, 'Nothing')
  forge.remote.git(['update-ref', 'refs/heads/docent/a', 'refs/heads/main'])
  const none = await call<Message>(forge, `POST ${pulls}`, { token, body: proposal })
  assert.equal(none.body.errors?.[0]?.message, 'No commits between main and docent/a')
  forge.push('docent/a', { 'a.md': 'more' })
  const made = await call<Pull>(forge, `POST ${pulls}`, { token, body: proposal })
  assert.equal(made.status, 201)
  const again = await call<Message>(forge, `POST ${pulls}`, { token, body: proposal })
  assert.equal(again.body.errors?.[0]?.message, 'A pull request already exists for acme:docent/a.')
  forge.switches.hasUniqueRule = false
  assert.equal((await call(forge, `POST ${pulls}`, { token, body: proposal })).status, 201)
})

test('the head of an open pull request follows the branch until it is merged', async (t) => {
  const forge = await github(t)
  const { token } = forge
  forge.push('docent/a', { 'a.md': 'one' })
  await call(forge, `POST ${pulls}`, { token, body: proposal })
  const head = forge.push('docent/a', { 'a.md': 'two' })
  const got = await call<Pull>(forge, `GET ${pulls}/1`, { token })
  assert.equal(got.body.head.sha, head)
  const merged = forge.merge(1)
  assert.equal(forge.remote.head('main'), merged)
  forge.push('docent/a', { 'a.md': 'three' })
  const after = await call<Pull>(forge, `GET ${pulls}/1`, { token })
  assert.deepEqual([after.body.state, after.body.head.sha], ['closed', head])
})

test('GitHub answers 304 to an ETag until the pull request changes', async (t) => {
  const forge = await github(t)
  const { token } = forge
  forge.push('docent/a', { 'a.md': 'one' })
  await call(forge, `POST ${pulls}`, { token, body: proposal })
  await call(forge, `GET ${pulls}/1`, { token })
  const etag = (await call(forge, `GET ${pulls}/1`, { token })).headers.get('ETag') ?? ''
  const same = await call(forge, `GET ${pulls}/1`, { token, headers: { 'If-None-Match': etag } })
  assert.equal(same.status, 304)
  forge.close(1)
  const changed = await call<Pull>(forge, `GET ${pulls}/1`, { token, headers: { 'If-None-Match': etag } })
  assert.deepEqual([changed.status, changed.body.state], [200, 'closed'])
})

test('GitHub ignores a head filter without its owner, and a page has a next one', async (t) => {
  const forge = await github(t)
  const { token } = forge
  for (const branch of ['docent/a', 'docent/b']) {
    forge.push(branch, { 'a.md': branch })
    await call(forge, `POST ${pulls}`, { token, body: { ...proposal, head: branch } })
  }
  forge.openFromFork('docent/a')
  const numbers = async (query: string) =>
    (await call<Pull[]>(forge, `GET ${pulls}?${query}`, { token })).body.map((one) => one.number)
  assert.deepEqual(await numbers('head=acme:docent/a'), [1])
  assert.deepEqual(await numbers('head=docent/a'), [3, 2, 1])
  const first = await call<Pull[]>(forge, `GET ${pulls}?per_page=2`, { token })
  assert.match(first.headers.get('Link') ?? '', /page=2>; rel="next"/)
  assert.deepEqual(await numbers('per_page=2&page=2'), [1])
})

test('an installation token is narrowed, expires after an hour, and can be revoked', async (t) => {
  const forge = await startForge(t, { kind: 'github' })
  const { app, token } = await install(forge, { permissions: { contents: 'read', pull_requests: 'read' } })
  assert.equal(token.length, 520)
  assert.equal((await call(forge, `GET ${pulls}`, { token })).status, 200)
  const refused = await call<Message>(forge, `POST ${pulls}`, { token, body: proposal })
  assert.deepEqual([refused.status, refused.body.message], [403, 'Resource not accessible by integration'])
  forge.switches.hidesForbidden = true
  assert.equal((await call(forge, `POST ${pulls}`, { token, body: proposal })).status, 404)
  forge.advance(3_600_000)
  assert.equal((await call(forge, `GET ${pulls}`, { token })).status, 401)
  forge.advance(-3_600_000)
  assert.equal((await call(forge, 'DELETE /installation/token', { token })).status, 204)
  assert.equal((await call(forge, `GET ${pulls}`, { token })).status, 401)
  const path = `POST /app/installations/${app.installationId}/access_tokens`
  const tooMuch = { permissions: { workflows: 'write' } }
  assert.equal((await call(forge, path, { token: createJwt(app), body: tooMuch })).status, 422)
  assert.equal((await call(forge, path, { token: createJwt(app), body: { repositories: ['other'] } })).status, 422)
})

test('the JWT of an App is checked: signature, life and issuer', async (t) => {
  const forge = await startForge(t, { kind: 'github' })
  const app = forge.createApp()
  const other = forge.createApp({ name: 'Other' })
  const seconds = Math.floor(Date.now() / 1000)
  const ask = async (token: string) => (await call<Message>(forge, 'GET /app', { token })).body.message
  assert.equal(await ask(createJwt(app)), undefined)
  assert.equal(await ask(createJwt({ ...app, privateKey: other.privateKey })), 'A JSON web token could not be decoded')
  assert.match(await ask(createJwt(app, { exp: seconds + 3600 })), /too far in the future/)
  assert.match(await ask(createJwt(app, { exp: seconds - 1 })), /must be a numeric value/)
  assert.match(await ask(createJwt(app, { iat: seconds + 600 })), /Issued at/)
  assert.equal(await ask(createJwt({ ...app, id: 1 })), 'Integration not found')
})

test('GitHub creates commits and moves refs on the real repository', async (t) => {
  const forge = await startForge(t, { kind: 'github' })
  const { token } = await install(forge)
  const parent = forge.remote.head('main') ?? ''
  const tree = forge.remote.git(['rev-parse', `${forge.push('side', { 'a.md': 'a' })}^{tree}`])
  const git = '/repos/acme/docs/git'
  type Commit = { readonly sha: string; readonly verification: { readonly verified: boolean } }
  const body = { message: 'Say more', tree, parents: [parent] }
  const made = await call<Commit>(forge, `POST ${git}/commits`, { token, body })
  assert.deepEqual([made.status, made.body.verification.verified], [201, true])
  const { sha } = made.body
  assert.equal(forge.remote.git(['rev-parse', `${sha}^{tree}`, `${sha}^`]), `${tree}\n${parent}`)
  const create = { ref: 'refs/heads/docent/a', sha }
  assert.equal((await call(forge, `POST ${git}/refs`, { token, body: create })).status, 201)
  const again = await call<Message>(forge, `POST ${git}/refs`, { token, body: create })
  assert.equal(again.body.message, 'Reference already exists')
  const back = await call<Message>(forge, `PATCH ${git}/refs/heads/docent/a`, { token, body: { sha: parent } })
  assert.equal(back.body.message, 'Update is not a fast forward')
  const gone = await call<Message>(forge, `PATCH ${git}/refs/heads/none`, { token, body: { sha } })
  assert.equal(gone.body.message, 'Reference does not exist')
  assert.equal((await call(forge, `DELETE ${git}/refs/heads/docent/a`, { token })).status, 204)
  assert.equal(forge.remote.head('docent/a'), null)
})

test('git needs a token that may, and refuses protected branches and workflows', async (t) => {
  const forge = await startForge(t, { kind: 'github', switches: { protected: ['release/*'] } })
  const folder = temporaryFolder(t)
  const address = (token: string) => forge.repository.replace('//', `//x-access-token:${token}@`)
  const { value } = forge.createToken()
  const reader = forge.createToken({ rights: ['read'] }).value
  const git = (...args: string[]) => runGit(folder, args)
  assert.match(await git('clone', forge.repository, '.'), /could not read Username/)
  assert.equal(await git('clone', '--quiet', address(value), '.'), '')
  assert.match(await git('push', address(reader), 'HEAD:refs/heads/a'), /403|not granted/)
  assert.match(await git('push', address(value), 'HEAD:refs/heads/release/1'), /GH006/)
  assert.match(await git('push', address(value), 'HEAD:refs/docent/run_1'), /new reference/)
  plainGit(folder, ['checkout', '--quiet', '-b', 'w'])
  const blob = plainGit(folder, ['hash-object', '-w', '--stdin'], 'on: push')
  plainGit(folder, ['update-index', '--add', '--cacheinfo', `100644,${blob},.github/workflows/a.yml`])
  plainGit(folder, ['commit', '--quiet', '-m', 'A workflow'])
  assert.match(await git('push', address(value), 'w'), /refusing to allow/)
  forge.switches.isArchived = true
  assert.match(await git('push', address(value), 'HEAD:refs/heads/b'), /403|archived/)
  forge.revoke({ value })
  assert.match(await git('ls-remote', address(value)), /Authentication failed/)
})

test('a fault takes the response after the effect; a limit says how long', async (t) => {
  const forge = await github(t)
  const { token } = forge
  forge.push('docent/a', { 'a.md': 'more' })
  const route = 'POST /repos/:owner/:repo/pulls'
  forge.failOnce(route, { kind: 'lose answer' })
  await assert.rejects(call(forge, `POST ${pulls}`, { token, body: proposal }))
  assert.equal(forge.pulls.length, 1)
  forge.failOnce('GET /repos/:owner/:repo/pulls', { kind: 'truncate' })
  await assert.rejects(call(forge, `GET ${pulls}`, { token }), SyntaxError)
  forge.failOnce('GET /repos/:owner/:repo/pulls', { kind: 'answer', status: 502, body: '<html>' })
  await assert.rejects(call(forge, `GET ${pulls}`, { token }), SyntaxError)
  forge.switches.writesPerMinute = 1
  const limited = await call<Message>(forge, `POST ${pulls}`, { token, body: proposal })
  assert.deepEqual([limited.status, limited.headers.get('Retry-After') !== null], [403, true])
  forge.advance(60_000)
  assert.equal((await call(forge, `POST ${pulls}`, { token, body: proposal })).status, 422)
  assert.equal(forge.requests.filter((one) => one.route === route).length, 3)
})

test('a renamed repository is found by its number, and a lagging list shows it later', async (t) => {
  const forge = await github(t, { switches: { lag: 1 } })
  const { token } = forge
  forge.push('docent/a', { 'a.md': 'more' })
  await call(forge, `POST ${pulls}`, { token, body: proposal })
  assert.equal((await call<Pull[]>(forge, `GET ${pulls}`, { token })).body.length, 0)
  assert.equal((await call<Pull[]>(forge, `GET ${pulls}`, { token })).body.length, 1)
  forge.rename('acme/handbook')
  const moved = await call(forge, `GET ${pulls}`, { token })
  assert.equal(moved.status, 301)
  const location = (moved.headers.get('Location') ?? '').replace(forge.api, '')
  assert.equal((await call<Pull[]>(forge, `GET ${location}`, { token })).body.length, 1)
})

test('a request or response with a wrong field breaks the description of GitHub', async (t) => {
  const forge = await github(t)
  const { token } = forge
  forge.push('docent/a', { 'a.md': 'more' })
  await call(forge, `POST ${pulls}`, { token, body: { ...proposal, maintainer_can_modfy: true } })
  assert.match(forge.takeProblems().join('\n'), /must NOT have additional properties/)
  await call(forge, `GET ${pulls}?sate=all`, { token })
  assert.match(forge.takeProblems().join('\n'), /no query parameter sate/)
  const pull = await call<object>(forge, `GET ${pulls}/1`, { token })
  const schemas = openGitHubSchemas(forge.web)
  const name = 'GET /repos/{owner}/{repo}/pulls/{pull_number}'
  assert.equal(schemas.problemOfResponse(name, 200, pull.body), undefined)
  assert.match(schemas.problemOfResponse(name, 200, { ...pull.body, number: '1' }) ?? '', /number must be integer/)
  assert.match(schemas.problemOfResponse(name, 200, { ...pull.body, head: undefined }) ?? '', /head/)
  assert.match(schemas.problemOfResponse(name, 202, pull.body) ?? '', /does not respond with 202/)
})

for (const kind of ['gitlab', 'gitea'] as const) {
  test(`${kind} opens, edits and lists pull requests by its own rules`, async (t) => {
    const forge = await startForge(t, { kind })
    const token = forge.createToken().value
    forge.push('docent/a', { 'a.md': 'more' })
    const isGitLab = kind === 'gitlab'
    const path = isGitLab ? '/projects/acme%2Fdocs/merge_requests' : pulls
    const body = isGitLab
      ? { title: 'Draft: Say more', source_branch: 'docent/a', target_branch: 'main' }
      : { ...proposal, title: 'WIP: Say more' }
    type Made = { readonly draft: boolean; readonly iid?: number; readonly number?: number }
    const made = await call<Made>(forge, `POST ${path}`, { token, body })
    assert.deepEqual([made.status, made.body.draft, made.body.iid ?? made.body.number], [201, true, 1])
    const again = await call<{ message: unknown }>(forge, `POST ${path}`, { token, body })
    assert.equal(again.status, 409)
    assert.equal(Array.isArray(again.body.message), isGitLab)
    const edit = isGitLab ? `PUT ${path}/1` : `PATCH ${path}/1`
    const edited = await call<Made>(forge, edit, { token, body: { title: 'Say more' } })
    assert.deepEqual([edited.status, edited.body.draft], [isGitLab ? 200 : 201, false])
    assert.equal((await call<Made[]>(forge, `GET ${path}?state=all`, { token })).body.length, 1)
    const reader = forge.createToken({ rights: ['read'] }).value
    assert.equal((await call(forge, edit, { token: reader, body: { title: 'x' } })).status, 403)
    forge.revokeAll()
    assert.equal((await call(forge, `GET ${path}`, { token })).status, 401)
  })
}

test('a manifest becomes an App once, which is then installed', async (t) => {
  const forge = await startForge(t, { kind: 'github' })
  const manifest = {
    name: 'Docent of Ada',
    redirect_url: 'http://localhost:8080/github/created',
    setup_url: 'http://localhost:8080/github/installed',
    default_permissions: { contents: 'write', metadata: 'read' },
  }
  const form = new URLSearchParams({ manifest: JSON.stringify(manifest) })
  const address = `${forge.web}/settings/apps/new?state=abc`
  const pressed = await fetch(address, { method: 'POST', body: form, redirect: 'manual' })
  const back = new URL(pressed.headers.get('Location') ?? '')
  assert.equal(back.searchParams.get('state'), 'abc')
  const path = `POST /app-manifests/${back.searchParams.get('code')}/conversions`
  const made = await call<{ slug: string; pem: string; html_url: string }>(forge, path)
  assert.equal(made.status, 201)
  assert.match(made.body.pem, /BEGIN RSA PRIVATE KEY/)
  assert.equal((await call(forge, path)).status, 404)
  const installed = await fetch(`${made.body.html_url}/installations/new`, { redirect: 'manual' })
  assert.match(installed.headers.get('Location') ?? '', /installed\?installation_id=\d+/)
})

/** Returns what git says on its error output. */
async function runGit(cwd: string, args: readonly string[]): Promise<string> {
  const env = { ...plainEnvironment, GIT_TERMINAL_PROMPT: '0' }
  const child = spawn('git', args, { cwd, env, stdio: ['ignore', 'ignore', 'pipe'] })
  const said = text(child.stderr)
  await once(child, 'close')
  return await said
}
