import assert from 'node:assert/strict'
import { after, before, test, type TestContext } from 'node:test'
import { openTestDatabase } from '../../../test/support/engine.ts'
import { type HttpAnswer, serveHttp } from '../../../test/support/scripted-http.ts'
import { Failure } from '../../lib/failure.ts'
import type { Postgres } from '../../postgres/types.ts'
import { generateKey, parseKeys } from '../../secrets/keys.ts'
import { createSecrets } from '../../secrets/secrets.ts'
import { keyOf, readCredential } from '../credentials.ts'
import { createProject } from '../projects.ts'
import { type EnterContext, enterCredential, type GivenCredential } from './enter.ts'

const signal = new AbortController().signal
const ring = parseKeys(generateKey())
const secrets = createSecrets(() => ring)
let postgres: Postgres
before(async () => {
  postgres = await openTestDatabase()
})
after(() => postgres.close())

async function enter(repository: string, given: GivenCredential, privateHosts: readonly string[] = []) {
  const { db } = postgres
  const none = () => null
  const projects = {
    db,
    checkAddress: (address: string) => address,
    branchProblem: none,
    modelProblem: none,
    pageProblem: none,
    identity: { name: 'Docent', email: 'docent@localhost' },
  }
  const { id } = await createProject(projects, { name: 'x', repository })
  await enterCredential({ db, secrets, privateHosts, git }, id, given, signal)
  const stored = await readCredential(db, id)
  assert.ok(stored)
  return stored
}

/** The pointer of the refusal. */
async function refusal(repository: string, given: GivenCredential): Promise<string | undefined> {
  try {
    await enter(repository, given)
    return undefined
  } catch (error) {
    assert.ok(error instanceof Failure && error.code === 'invalid_input', String(error))
    assert.doesNotMatch(error.message, /s3cret/)
    return error.details[0]?.pointer
  }
}

const github = 'https://github.com/acme/docs.git'
const bitbucket = 'https://bitbucket.org/acme/docs.git'
const token = 's3cret'
const overSsh = 'git@git.example:docs.git'
/** A substitute for the check by ssh-keygen, which has its own tests in the git engine. */
const git: EnterContext['git'] = {
  checkKey: async ({ privateKey, hostKey }) => {
    const details = [{ pointer: '#/hostKey', message: 'no' }]
    if (hostKey === 'refused') throw new Failure('invalid_input', 'no', { details })
    return { privateKey: `${privateKey}, checked`, hostKey }
  },
}

test('the forge and its addresses follow from a host that everybody knows', async () => {
  const table: [string, string, string][] = [
    [github, 'github', 'https://api.github.com'],
    ['https://gitlab.com/a/b/c.git', 'gitlab', 'https://gitlab.com/api/v4'],
    ['https://codeberg.org/a/b', 'gitea', 'https://codeberg.org/api/v1'],
    ['https://bitbucket.org/a/b.git', 'bitbucket', 'https://api.bitbucket.org/2.0'],
    ['https://dev.azure.com/a/_git/b', 'azure', 'https://dev.azure.com'],
    ['https://a.visualstudio.com/b%20c/_git/d', 'azure', 'https://a.visualstudio.com'],
  ]
  for (const [repository, forge, apiUrl] of table) {
    const stored = await enter(repository, { token })
    assert.deepEqual([stored.kind, stored.forge, stored.apiUrl], ['token', forge, apiUrl], repository)
    assert.equal(stored.webUrl, new URL(repository).origin)
  }
})

test('another forge is named, with its API where the caller says', async () => {
  const apiUrl = 'https://git.example/gitlab/api/v4/'
  const stored = await enter('https://git.example/gitlab/group/docs.git', { forge: 'gitlab', token, apiUrl })
  assert.deepEqual([stored.webUrl, stored.apiUrl], ['https://git.example/gitlab', 'https://git.example/gitlab/api/v4'])
  const enterprise = await enter('https://ghe.example/acme/docs', { forge: 'github', token })
  assert.equal(enterprise.apiUrl, 'https://ghe.example/api/v3')
})

test('plain git accepts a user and a password', async () => {
  const stored = await enter('https://git.example/docs.git', { forge: 'git', user: 'writer', token: `${token}\n` })
  const { kind, forge, webUrl, account } = stored
  assert.deepEqual([kind, forge, webUrl, account], ['basic', null, 'https://git.example', 'writer'])
  assert.doesNotMatch(JSON.stringify(stored), /s3cret/)
})

test('an API token of Bitbucket has a user, and an access token has none', async () => {
  const email = 'ada@acme.example'
  assert.equal((await enter(bitbucket, { token: `ATATT${token}`, user: email })).user, email)
  assert.equal((await enter(bitbucket, { token: `ATCTT${token}` })).user, null)
})

test('invalid fields are named, and the secret is not repeated', async () => {
  const table: [string, GivenCredential, string][] = [
    [github, {}, '#/token'],
    [github, { token, installationId: 7 }, '#/token'],
    [github, { token: ' \n' }, '#/token'],
    [github, { token: `${token}\n${token}` }, '#/token'],
    [github, { token, user: 'writer' }, '#/user'],
    [github, { token, forge: 'git' }, '#/user'],
    [bitbucket, { token: `ATATT${token}` }, '#/user'],
    [bitbucket, { token: `ATCTT${token}`, user: 'ada@acme.example' }, '#/user'],
    [bitbucket, { token: `ATBB${token}`, user: 'ada' }, '#/token'],
    [bitbucket, { token, user: 'ada' }, '#/user'],
    ['https://bitbucket.acme.example/scm/docs.git', { token, forge: 'bitbucket' }, '#/forge'],
    ['https://bitbucket.org/acme/docs/src', { token }, '#/forge'],
    ['https://dev.azure.com/acme/web', { token }, '#/forge'],
    ['https://tfs.acme.example/c/p/_git/docs', { token, forge: 'azure' }, '#/forge'],
    ['https://dev.azure.com/acme/_git/docs', { token, user: 'ada' }, '#/user'],
    [github, { token, forge: 'git', user: 'a:b' }, '#/user'],
    [github, { token, forge: 'git', user: 'a', apiUrl: 'https://x.example' }, '#/apiUrl'],
    [github, { token, apiUrl: 'http://api.github.com' }, '#/apiUrl'],
    [github, { token, apiUrl: 'https://127.0.0.1/api' }, '#/apiUrl'],
    [github, { token, apiUrl: 'https://u:p@api.example' }, '#/apiUrl'],
    [github, { token, apiUrl: 'not an address' }, '#/apiUrl'],
    [github, { installationId: 7 }, '#/installationId'],
    [github, { installationId: 7, forge: 'gitlab' }, '#/forge'],
    ['https://github.com/acme/docs/more', { token }, '#/forge'],
    ['https://gitlab.com/alone', { token }, '#/forge'],
    ['file:///srv/docs.git', { token }, '#'],
    [github, { token, privateKey: 's3cret', hostKey: 'x' }, '#/privateKey'],
    [github, { privateKey: 's3cret', hostKey: 'x' }, '#/privateKey'],
    [overSsh, {}, '#/privateKey'],
    [overSsh, { privateKey: 's3cret' }, '#/hostKey'],
    [overSsh, { hostKey: 'x' }, '#/privateKey'],
    [overSsh, { token }, '#/token'],
    [overSsh, { privateKey: 's3cret', hostKey: 'x', token }, '#/token'],
    [overSsh, { privateKey: 's3cret', hostKey: 'x', installationId: 7 }, '#/installationId'],
    [overSsh, { privateKey: 's3cret', hostKey: 'x', forge: 'github' }, '#/forge'],
    [overSsh, { privateKey: 's3cret', hostKey: 'refused' }, '#/hostKey'],
  ]
  for (const [repository, given, pointer] of table) {
    const words = `${repository} ${Object.entries(given).map(String).join(' ')}`
    assert.equal(await refusal(repository, given), pointer, words)
  }
  const missing = enterCredential({ ...postgres, secrets, privateHosts: [], git }, 'prj_0', { token }, signal)
  await assert.rejects(missing, { code: 'not_found' })
})

test('without an App, the message ends with the command that creates one on that host', async () => {
  const table = [
    [github, 'docent github create-app'],
    ['https://ghe.example/acme/docs', 'docent github create-app --url https://ghe.example'],
  ] as const
  for (const [repository, command] of table) {
    const message = new RegExp(`: ${command}$`)
    await assert.rejects(enter(repository, { installationId: 7, forge: 'github' }), { code: 'invalid_input', message })
  }
})

async function detected(t: TestContext, answer: (path: string) => HttpAnswer) {
  const server = await serveHttp(t, ({ url }) => answer(url))
  const stored = enter(`${server.url}/a/b.git`, { token }, [server.host])
  const forge = await stored.then(
    ({ forge }) => forge,
    () => 'unclear',
  )
  for (const { headers } of server.requests) assert.equal(headers.authorization, undefined)
  return forge
}

async function newestProject(): Promise<string> {
  const query = postgres.db.selectFrom('credentials').select('owner').orderBy('created_at', 'desc')
  return (await query.executeTakeFirstOrThrow()).owner
}

test('a key for an address over ssh is checked and stored', async () => {
  for (const forge of [undefined, 'git'] as const) {
    const stored = await enter(overSsh, { forge, privateKey: 's3cret', hostKey: 'ssh-ed25519 AAAA' })
    const { kind, webUrl, apiUrl, account } = stored
    assert.deepEqual([kind, stored.forge, webUrl, apiUrl, account], ['ssh', null, 'ssh://git.example', null, null])
    assert.deepEqual(keyOf(secrets, await newestProject(), stored), {
      privateKey: 's3cret, checked',
      hostKey: 'ssh-ed25519 AAAA',
    })
  }
})

test('an unknown host is probed, and gets no secret before it is recognised', async (t) => {
  const notFound = { status: 404, body: 'nothing' }
  const only = (path: string, answer: HttpAnswer) => detected(t, (url) => (url === path ? answer : notFound))
  const refused = { status: 401, body: { message: '401 Unauthorized' } }
  assert.equal(await only('/api/v4/version', refused), 'gitlab')
  assert.equal(await only('/api/v1/version', { body: { version: '1.22.0' } }), 'gitea')
  const headers = { 'x-github-enterprise-version': '3.14.0' }
  assert.equal(await only('/api/v3/meta', { status: 401, headers, body: { message: 'x' } }), 'github')
  assert.equal(await detected(t, () => notFound), 'unclear')
  assert.equal(await detected(t, () => ({ status: 401, body: 'Sign in' })), 'unclear')
  assert.equal(await detected(t, () => ({ body: '<html>Welcome</html>' })), 'unclear')
  assert.equal(await detected(t, () => ({ broken: 'reset' })), 'unclear')
})
