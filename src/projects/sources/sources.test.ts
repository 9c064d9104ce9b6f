import assert from 'node:assert/strict'
import { dirname, join } from 'node:path'
import { after, before, test, type TestContext } from 'node:test'
import { openTestDatabase } from '../../../test/support/engine.ts'
import { createRemote, plainGit, testGit } from '../../../test/support/git-remote.ts'
import { type Fault, type Login, serveGit } from '../../../test/support/git-server.ts'
import { refuseMergingReaders } from '../../automations/outsiders.ts'
import { branchProblem } from '../../git/write/refname.ts'
import { systemClock } from '../../lib/clock.ts'
import { Failure } from '../../lib/failure.ts'
import type { Postgres } from '../../postgres/types.ts'
import { generateKey, parseKeys } from '../../secrets/keys.ts'
import { createSecrets } from '../../secrets/secrets.ts'
import { openForges } from '../../service/forges.ts'
import { reportCredential } from '../access/access.ts'
import { enterCredential } from '../access/enter.ts'
import { examineSource } from './source-access.ts'
import { deleteCredential, readCredential } from '../credentials.ts'
import { createProject, deleteProject } from '../projects.ts'
import { createSource, deleteSource, listSources, readSource, updateSource } from './sources.ts'

const signal = new AbortController().signal
const ring = parseKeys(generateKey())
const secrets = createSecrets(() => ring)
let postgres: Postgres
before(async () => {
  postgres = await openTestDatabase()
})
after(() => postgres.close())

const ofDocs: Login = { username: 'docs', password: 'secret-of-the-docs' }
const ofProduct: Login = { username: 'product', password: 'secret-of-product' }

/** The documentation and a product at one git host, and another host. `may`: who may read the product; null: everybody. */
async function world(t: TestContext, may: readonly Login[] | null = null) {
  const { db } = postgres
  const docs = createRemote(t)
  docs.commit('main', { 'guide/a.md': 'a', '@cli/b.md': 'b', 'index.md': 'c' })
  const product = join(dirname(docs.directory), 'product.git')
  plainGit(dirname(docs.directory), ['clone', '--quiet', '--bare', docs.directory, product])
  const server = await serveGit(t, docs.directory)
  server.fault = ({ url = '', headers }) => {
    if (may === null || !url.includes('product.git')) return undefined
    const isMay = may.some((login) => headers.authorization === `Basic ${toBasic(login)}`)
    return isMay ? undefined : refusal
  }
  const elsewhere = await serveGit(t, docs.directory)
  const privateHosts = [server.host, elsewhere.host]
  const { connections } = openForges({ config: toConfig(privateHosts), db, secrets, clock: systemClock })
  const git = await testGit(t, { privateHosts, credentialOf: (ask, signal) => connections.credentialOf(ask, signal) })
  const context = {
    db,
    secrets,
    connections,
    git,
    clock: systemClock,
    privateHosts,
    branchProblem,
    refuseMergingReaders,
    checkAddress: (address: string) => git.checkAddress(address),
    modelProblem: () => null,
    pageProblem: () => null,
    identity: git.identity,
  }
  const project = await createProject(context, { name: 'Docs', repository: server.address })
  const add = (name: string, more: object = {}) =>
    createSource(context, project.id, { name, repository: `http://${server.host}/product.git`, ...more }, signal)
  const enter = ({ username: user, password: token }: Login, ownerId: string) =>
    enterCredential(context, ownerId, { forge: 'git', user, token }, signal)
  /** The logins that came with requests of the product, each once. */
  const sent = () => {
    const found = server.requests.flatMap((line, at) => (line.includes('product.git') ? [server.logins[at]] : []))
    server.requests.length = 0
    server.logins.length = 0
    return [...new Set(found.map((login) => login?.username ?? null))]
  }
  return { context, db, git, server, elsewhere, docs, project, add, enter, sent }
}

const refusal: Fault = { kind: 'answer', status: 401, headers: { 'WWW-Authenticate': 'Basic realm="loopback"' } }
const toBasic = ({ username, password }: Login) => Buffer.from(`${username}:${password}`).toString('base64')

function toConfig(privateHosts: readonly string[]): Parameters<typeof openForges>[0]['config'] {
  return { repositories: { allowLocal: true, privateHosts, maxBytes: 1e8, maxFiles: 20_000 } }
}

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: unknown) => (error instanceof Failure ? error.code : String(error)),
  )

test('a source is created, read, changed and deleted, with its credential', async (t) => {
  const { context, db, project, add, enter, server } = await world(t)
  const made = await add('api', { branch: 'main', paths: ['src/', '*.md'] })
  assert.match(made.id, /^src_[0-9a-z]{20}$/)
  assert.deepEqual([made.projectId, made.branch, made.paths, made.access], [project.id, 'main', ['src/', '*.md'], null])
  assert.deepEqual(await readSource(db, project.id, 'api'), made)
  const access = await examineSource(context, made.id, signal)
  assert.deepEqual((await listSources(db, project.id))[0]?.access, access)
  const renamed = await updateSource(context, made, { name: 'server', paths: null }, signal)
  assert.deepEqual([renamed.name, renamed.paths, renamed.access], ['server', [], access])
  const moved = await updateSource(context, made, { repository: server.address, branch: null }, signal)
  assert.deepEqual([moved.repository, moved.branch, moved.access], [server.address, null, null])
  await enter(ofProduct, made.id)
  await deleteSource(db, made)
  assert.deepEqual([await listSources(db, project.id), await readCredential(db, made.id)], [[], undefined])
  assert.equal(await codeOf(readSource(db, project.id, 'server')), 'not_found')
  const again = await add('api')
  await enter(ofProduct, again.id)
  await deleteProject(db, project.id)
  assert.equal(await readCredential(db, again.id), undefined)
})

test('a name is plain, unused, and no top folder of the documentation', async (t) => {
  const { context, add, docs } = await world(t)
  for (const name of ['', 'API', 'a_b', 'ä', 'a'.repeat(41), 'guide', 'cli']) {
    const error: unknown = await add(name).catch((error: unknown) => error)
    assert.ok(error instanceof Failure && error.details[0]?.pointer === '#/name', name)
  }
  const made = await add('a'.repeat(40))
  await add('index')
  assert.equal(await codeOf(add('index')), 'source_exists')
  assert.equal(await codeOf(updateSource(context, made, { name: 'index' }, signal)), 'source_exists')
  assert.equal(await codeOf(updateSource(context, made, { name: 'guide' }, signal)), 'invalid_input')
  docs.git(['update-ref', '-d', 'refs/heads/main'])
  assert.equal((await add('guide')).name, 'guide')
})

test('branches and globs that cannot be are refused', async (t) => {
  const { add } = await world(t)
  const table: [object, string][] = [
    [{ branch: 'a..b' }, '#/branch'],
    [{ paths: ['src/', '{a,b}'.repeat(7)] }, '#/paths/1'],
    [{ paths: ['x'.repeat(501)] }, '#/paths/0'],
    [{ repository: 'ftp://x/y' }, '#/repository'],
  ]
  for (const [more, pointer] of table) {
    const error: unknown = await add('api', more).catch((error: unknown) => error)
    assert.ok(error instanceof Failure && error.code === 'invalid_input', pointer)
    if (pointer !== '#/repository') assert.equal(error.details[0]?.pointer, pointer)
  }
})

test('a project has 20 sources at most, however many are added at once', async (t) => {
  const { db, add, project, context } = await world(t)
  const codes = await Promise.all(Array.from({ length: 25 }, (_, at) => codeOf(add(`s-${at}`))))
  assert.equal(codes.filter((code) => code === 'done').length, 20)
  assert.equal(codes.filter((code) => code === 'too_many_sources').length, 5)
  assert.equal((await listSources(db, project.id)).length, 20)
  const same = await Promise.all([1, 2, 3].map(() => codeOf(add('s-0'))))
  assert.deepEqual([...new Set(same)], ['source_exists'])
  const [first] = await listSources(db, project.id)
  assert.ok(first)
  await deleteSource(context.db, first)
  assert.equal(await codeOf(add('one-more')), 'done')
})

test('the credential of the project is never sent for a source of the same host', async (t) => {
  const { context, project, add, enter, sent, git, server } = await world(t, [ofDocs, ofProduct])
  await enter(ofDocs, project.id)
  const made = await add('api')
  sent()
  const without = await examineSource(context, made.id, signal)
  assert.deepEqual([without.read, without.credential, without.base], ['no', null, null])
  assert.match(without.missing[0]?.remedy ?? '', /: docent source credential set api --project \S+ --token-file -$/)
  const source = git.source(made.id, made.repository)
  const wanted = { branch: null, isVisible: () => true }
  await assert.rejects(source.fetch(wanted, signal), { code: 'repository_unauthorized' })
  assert.deepEqual(sent(), [null])

  await enter(ofProduct, made.id)
  const allowed = await examineSource(context, made.id, signal)
  assert.deepEqual([allowed.read, allowed.credential, allowed.base?.branch], ['yes', 'basic', 'main'])
  await source.fetch(wanted, signal)
  // Git asks without a login first.
  assert.deepEqual(new Set(sent()), new Set([null, 'product']))
  await git.repository(project.id, server.address).fetch({ branch: null, branches: [] }, signal)
  assert.ok(server.logins.every((login) => login?.username !== 'product'))

  await deleteCredential(context.db, made.id)
  assert.equal((await readSource(context.db, project.id, 'api')).access, null)
  assert.equal((await examineSource(context, made.id, signal)).read, 'no')
  assert.deepEqual(sent(), [null])
})

test('a check of a source asks nothing about a push', async (t) => {
  const { context, add, server, enter } = await world(t, [ofProduct])
  const made = await add('api')
  await enter(ofProduct, made.id)
  server.requests.length = 0
  await examineSource(context, made.id, signal)
  assert.ok(server.requests.length > 0 && !server.requests.some((line) => line.includes('receive-pack')))
  const stored = await reportCredential(context, made.id)
  assert.deepEqual(stored?.rights, { read: 'yes', push: 'unknown', pullRequests: 'unknown' })
})

test('a secret moved from a project to a source opens nothing', async (t) => {
  const { context, db, project, add, enter } = await world(t, [ofDocs])
  await enter(ofDocs, project.id)
  const made = await add('api')
  await enter(ofDocs, made.id)
  const { secret = null } = (await readCredential(db, project.id)) ?? {}
  // Only someone who writes to the database could do this.
  await db.updateTable('credentials').set({ secret }).where('source_id', '=', made.id).execute()
  const { read, problem } = await examineSource(context, made.id, signal)
  assert.equal(read, 'unknown')
  assert.match(problem ?? '', /credential of the source api cannot be decrypted.*docent source credential set api/)
})

test('a source with another address does not take its credential to another host', async (t) => {
  const { context, add, enter, sent, project, db, elsewhere } = await world(t, [ofProduct])
  const made = await add('api')
  await enter(ofProduct, made.id)
  await updateSource(context, made, { repository: `http://${elsewhere.host}/product.git` }, signal)
  sent()
  const { problem } = await examineSource(context, made.id, signal)
  assert.match(problem ?? '', /credential of the source api is for http:\/\/.* and the repository is elsewhere/)
  assert.deepEqual([sent(), elsewhere.logins], [[], []])
  assert.equal((await readSource(db, project.id, 'api')).access?.read, 'unknown')
})

test('a branch that does not exist is a finding', async (t) => {
  const { context, add } = await world(t)
  const made = await add('api', { branch: 'release' })
  const { read, base, problem } = await examineSource(context, made.id, signal)
  assert.deepEqual([read, base], ['yes', null])
  assert.match(problem ?? '', /has no branch release: .* change the branch of the source/)
})
