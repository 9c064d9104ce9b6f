import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { after, before, test } from 'node:test'
import { openTestDatabase } from '../../test/support/engine.ts'
import { createManualClock } from '../../test/support/manual-clock.ts'
import { refuseMergingReaders } from '../automations/outsiders.ts'
import type { ForgeHost, TokenSource } from '../forge/host.ts'
import type { LoginCredential } from '../git/types.ts'
import { Failure } from '../lib/failure.ts'
import type { Postgres } from '../postgres/types.ts'
import { generateKey, parseKeys } from '../secrets/keys.ts'
import { createSecrets } from '../secrets/secrets.ts'
import { type Connections, createConnections, type Installation } from './connections.ts'
import { type NewCredential, putCredential, readCredential, secretProblem, storeCheck } from './credentials.ts'
import { findInstallation, type ForgeAppsContext, openAppOfHost, storeForgeApp } from './forge-apps/forge-apps.ts'
import type { Place } from './places.ts'
import { createProject, type ProjectsContext, updateProject } from './projects.ts'
import { createSource } from './sources/sources.ts'

const signal = new AbortController().signal
const clock = createManualClock()
const newSecrets = () => {
  const ring = parseKeys(generateKey())
  return createSecrets(() => ring)
}
const secrets = newSecrets()
const minted: Installation[] = []
const opened: { place: Place; token: TokenSource; user: string | null }[] = []
let postgres: Postgres
let connections: Connections
let projects: ProjectsContext
before(async () => {
  postgres = await openTestDatabase()
  const none = () => null
  projects = {
    db: postgres.db,
    checkAddress: (address) => address,
    branchProblem: none,
    modelProblem: none,
    pageProblem: none,
    identity: { name: 'Docent', email: 'docent@localhost' },
  }
  connections = createConnections({
    db: postgres.db,
    secrets,
    clock,
    openHost: (place, token, { user }) => {
      opened.push({ place, token, user })
      return { kind: place.forge, repository: place.path } as ForgeHost
    },
    mintToken: (installation) => {
      minted.push(installation)
      const expiresAt = new Date(clock.now().getTime() + 3_600_000)
      return Promise.resolve({ token: `ghs_${minted.length}`, expiresAt })
    },
  })
})
after(() => postgres.close())

const repository = 'https://github.com/acme/docs.git'
/** The documentation cannot be read. */
const git = {
  repository: () => {
    throw new Failure('repository_unreachable', 'It is away.')
  },
}
const webUrl = 'https://github.com'
const apiUrl = 'https://api.github.com'
const token = { kind: 'token', forge: 'github', webUrl, apiUrl, secret: 'github_pat_1' } as const
const app = { kind: 'github_app', forge: 'github', webUrl, apiUrl, installationId: 7 } as const
const basic = { kind: 'basic', webUrl: 'https://git.example', user: 'writer', secret: 'p w' } as const

async function connect(credential?: NewCredential, address = repository) {
  const { id } = await createProject(projects, { name: 'x', repository: address })
  if (credential) await putCredential({ db: postgres.db, secrets }, id, credential)
  return id
}
async function ask(id: string, origin = webUrl, isRefused = false): Promise<LoginCredential | undefined> {
  const found = await connections.credentialOf({ id, origin, isRefused }, signal)
  assert.ok(!found || 'password' in found)
  return found
}

test('a project without a credential has no host, and git gets nothing', async () => {
  const id = await connect()
  const { kind, forge, host, credential } = await connections.of(id, signal)
  assert.deepEqual([kind, forge, host, await credential(false, signal)], [null, null, undefined, undefined])
  assert.equal(await ask(id), undefined)
  await assert.rejects(connections.of('prj_00000000000000000000', signal), { code: 'not_found' })
})

test('a token opens the forge and goes to git with the user of the forge', async () => {
  const id = await connect(token)
  const { kind, forge, host, credential } = await connections.of(id, signal)
  assert.deepEqual([kind, forge, host?.repository], ['token', 'github', 'acme/docs'])
  assert.deepEqual(opened.at(-1)?.place, { forge: 'github', webUrl, apiUrl, path: 'acme/docs' })
  assert.equal(await opened.at(-1)?.token(false, signal), 'github_pat_1')
  const sent = { username: 'x-access-token', password: 'github_pat_1' }
  assert.deepEqual(await credential(false, signal), sent)
  assert.deepEqual(await ask(id), sent)
})

test('an API token of Bitbucket has one user for the API, and another for git', async () => {
  const places = { webUrl: 'https://bitbucket.org', apiUrl: 'https://api.bitbucket.org/2.0' }
  const given = { kind: 'token', forge: 'bitbucket', ...places, secret: 'ATATT1' } as const
  const user = 'ada@acme.example'
  const id = await connect({ ...given, user }, 'https://bitbucket.org/acme/docs.git')
  await connections.of(id, signal)
  const { token: source, user: sent } = opened.at(-1) ?? assert.fail()
  assert.deepEqual([sent, await source(false, signal)], [user, 'ATATT1'])
  assert.equal((await ask(id, places.webUrl))?.username, 'x-bitbucket-api-token-auth')
  await putCredential({ db: postgres.db, secrets }, id, given)
  await assert.rejects(source(false, signal), { code: 'repository_unauthorized' })
  assert.equal((await ask(id, places.webUrl))?.username, 'x-token-auth')
})

test('only the origin of the repository gets the credential', async () => {
  const id = await connect(token)
  for (const origin of [
    'https://github.com:8443',
    'http://github.com',
    'https://github.com.evil',
    'https://x.example',
  ]) {
    assert.equal(await ask(id, origin), undefined, origin)
  }
})

test('a repository that moved to another host does not take the credential along', async () => {
  const id = await connect(token)
  await updateProject(projects, id, { repository: 'https://elsewhere.example/acme/docs.git' })
  await assert.rejects(connections.of(id, signal), { code: 'repository_unauthorized', message: /elsewhere.*Enter/s })
  await assert.rejects(ask(id, 'https://elsewhere.example'), { code: 'repository_unauthorized' })
  await assert.rejects(ask(id), { code: 'repository_unauthorized' })
})

test('user and password open no forge', async () => {
  const id = await connect(basic, 'https://git.example/docs.git')
  const { kind, forge, host } = await connections.of(id, signal)
  assert.deepEqual([kind, forge, host], ['basic', null, undefined])
  assert.deepEqual(await ask(id, 'https://git.example'), { username: 'writer', password: 'p w' })
})

test('a key opens no forge, and goes to the host of an address over ssh only', async () => {
  const key = { privateKey: 'private', hostKey: 'ssh-ed25519 AAAA' }
  const credential: NewCredential = { kind: 'ssh', webUrl: 'ssh://git.example', key }
  const id = await connect(credential, 'git@git.example:docs.git')
  const { kind, forge, host, credential: given } = await connections.of(id, signal)
  assert.deepEqual([kind, forge, host], ['ssh', null, undefined])
  assert.deepEqual(await connections.credentialOf({ id, origin: 'ssh://git.example', isRefused: false }, signal), key)
  assert.deepEqual(await given(false, signal), key)
  assert.equal(await ask(id, 'https://git.example'), undefined)
  const elsewhere = await connect(credential, 'https://git.example/docs.git')
  await assert.rejects(ask(elsewhere, 'https://git.example'), { code: 'repository_unauthorized' })
  const stored = await readCredential(postgres.db, id)
  assert.doesNotMatch(JSON.stringify(stored), /private|AAAA/)
})

test('a token of an App is kept until ten minutes before it expires', async () => {
  const id = await connect(app)
  const before = minted.length
  const first = await ask(id)
  assert.deepEqual(minted.at(-1), { installationId: 7, webUrl, path: 'acme/docs', use: 'jobs' })
  await clock.pass(3_000_000)
  assert.deepEqual(await ask(id), first)
  assert.equal(minted.length, before + 1)
  await clock.pass(1)
  assert.notDeepEqual(await ask(id), first)
  assert.equal(minted.length, before + 2)
})

test('a token of an App for a source may only read, and is not that of the project', async () => {
  const id = await connect(app)
  const { db } = postgres
  const source = await createSource({ ...projects, git, refuseMergingReaders }, id, { name: 'api', repository }, signal)
  assert.equal(await ask(source.id), undefined)
  await putCredential({ db, secrets }, source.id, app)
  const ofProject = await ask(id)
  const ofSource = await ask(source.id)
  assert.deepEqual(minted.at(-1), { installationId: 7, webUrl, path: 'acme/docs', use: 'reading' })
  assert.notEqual(ofSource?.password, ofProject?.password)
  assert.deepEqual([await ask(id), await ask(source.id)], [ofProject, ofSource])
  await connections.statusesOf(source.id, signal)
  await opened.at(-1)?.token(false, signal)
  assert.deepEqual(minted.at(-1), { installationId: 7, webUrl, path: 'acme/docs', use: 'statuses' })
  assert.deepEqual([await ask(id), await ask(source.id)], [ofProject, ofSource])
  await assert.rejects(connections.of('src_00000000000000000000', signal), { code: 'not_found', message: /source/ })
})

test('a refused token of an App is minted again, for git and the API together', async () => {
  const id = await connect(app)
  await connections.of(id, signal)
  const source = opened.at(-1)?.token
  const first = await source?.(false, signal)
  assert.equal((await ask(id))?.password, first)
  const refused = await ask(id, webUrl, true)
  assert.equal(refused?.isYoung, true)
  const second = refused.password
  assert.notEqual(second, first)
  assert.equal(await source?.(false, signal), second)
})

test('a replaced credential takes effect at once, and the old token is dropped', async () => {
  const id = await connect(app)
  const first = await ask(id)
  await connections.of(id, signal)
  const source = opened.at(-1)?.token
  await putCredential({ db: postgres.db, secrets }, id, { ...app, installationId: 8 })
  assert.notDeepEqual(await ask(id), first)
  assert.equal(minted.at(-1)?.installationId, 8)
  await putCredential({ db: postgres.db, secrets }, id, token)
  assert.equal(await source?.(true, signal), 'github_pat_1')
  await putCredential({ db: postgres.db, secrets }, id, { ...token, apiUrl: 'https://api.example' })
  await assert.rejects(async () => source?.(false, signal), { code: 'repository_unauthorized' })
})

test('a value under a lost key is to be entered again', async () => {
  const { id } = await createProject(projects, { name: 'x', repository })
  await putCredential({ db: postgres.db, secrets: newSecrets() }, id, token)
  await assert.rejects(ask(id), { code: 'repository_unauthorized', message: /Enter it again/ })
  assert.equal((await connections.of(id, signal)).kind, 'token')
  const stored = await readCredential(postgres.db, id)
  assert.ok(stored)
  assert.match(secretProblem(secrets, id, stored) ?? '', /Enter it again/)
  await putCredential({ db: postgres.db, secrets }, id, token)
  assert.equal((await ask(id))?.password, 'github_pat_1')
})

test('a secret moved to another project opens nothing', async () => {
  const [mine, other] = [await connect(token), await connect({ ...token, secret: 'github_pat_2' })]
  const { secret } = (await readCredential(postgres.db, other)) ?? {}
  // Only someone who writes to the database could do this.
  await postgres.db.updateTable('credentials').set({ secret }).where('project_id', '=', mine).execute()
  await assert.rejects(ask(mine), { code: 'repository_unauthorized' })
})

test('a check is stored with the credential that it checked', async () => {
  const id = await connect(token)
  const stored = await readCredential(postgres.db, id)
  assert.ok(stored)
  const found = {
    rights: { read: 'yes', push: 'no', pullRequests: 'unknown' },
    missing: [{ right: 'push', remedy: 'Grant it.' }],
    problem: null,
    account: 'octocat',
    expiresAt: '2027-01-01T00:00:00.000Z',
  } as const
  const place = { ownerId: id, updatedAt: stored.updatedAt }
  await storeCheck(postgres.db, place, found)
  const checked = await readCredential(postgres.db, id)
  assert.deepEqual([checked?.account, checked?.expiresAt], ['octocat', found.expiresAt])
  assert.deepEqual(checked?.checked, { rights: found.rights, missing: found.missing, problem: null })
  await putCredential({ db: postgres.db, secrets }, id, { ...token, secret: 'other' })
  await postgres.db
    .updateTable('credentials')
    .set({ updated_at: new Date(0) })
    .where('project_id', '=', id)
    .execute()
  await storeCheck(postgres.db, place, found)
  const replaced = await readCredential(postgres.db, id)
  assert.deepEqual([replaced?.checked, replaced?.account, replaced?.checkedAt], [null, null, null])
})

test('a missing App is reported with the command that creates it on that host', async () => {
  const context = { db: postgres.db, secrets, clock, openClient: () => assert.fail('needs no request') }
  await assert.rejects(openAppOfHost(context, 'https://ghe.example'), {
    code: 'repository_unauthorized',
    message: /: docent github create-app --url https:\/\/ghe\.example$/,
  })
})

test('an App whose key cannot be read does not hide the installation of another', async () => {
  const asked: string[] = []
  const installation = { id: 7, html_url: 'https://github.com/x', repository_selection: 'all', permissions: {} }
  const openClient: ForgeAppsContext['openClient'] = (apiUrl) => ({
    origin: apiUrl,
    basePath: '',
    countRequests: () => asked.length,
    readEnd: () => Promise.resolve(undefined),
    ask: ({ path }) => {
      asked.push(apiUrl + path)
      const body = { ...installation, account: { login: 'acme' } }
      const status = path.endsWith('/7') ? 200 : 404
      return Promise.resolve({ kind: 'response', status, body, words: '', headers: {}, etag: null, movedTo: null })
    },
  })
  const { db } = postgres
  const context = { db, secrets, clock, publicUrl: '', checkAddress: (address: string) => address, openClient }
  const { privateKey: key } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const privateKey = key.export({ type: 'pkcs1', format: 'pem' }).toString()
  const details = { appId: 1, slug: 'docent', name: 'Docent', owner: null, permissions: {} }
  const stored = { details, secrets: { privateKey, webhookSecret: null, clientId: null, clientSecret: null } }
  const lost = { ...context, secrets: newSecrets() }
  await storeForgeApp(lost, { ...stored, id: 'app_lost', webUrl: 'https://a.example' })
  await storeForgeApp(context, { ...stored, id: 'app_ours', webUrl })
  assert.equal((await findInstallation(context, 7, signal))?.app.id, 'app_ours')
  await assert.rejects(findInstallation(context, 8, signal), { code: 'repository_unauthorized', message: /set-app/ })
  assert.deepEqual(asked, [`${apiUrl}/app/installations/7`, `${apiUrl}/app/installations/8`])
})
