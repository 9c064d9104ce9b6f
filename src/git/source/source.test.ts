import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { noise, plainGit, signal } from '../../../test/support/git-remote.ts'
import { fetchesOf, objectsIn, servedSource, within } from '../../../test/support/git-source.ts'
import type { SearchQuery, SourceTree } from '../types.ts'

const all = within()
const product = {
  'README.md': 'Read me',
  'src/flags.ts': 'export const port = 8080\n',
  'src/deep/er/limits.ts': 'export const limit = 10\n',
  'docs/port.md': 'The port is 8080.\n',
  'data/table.bin': noise(50_000),
}

function query(given: Partial<SearchQuery>): SearchQuery {
  return { pattern: '8080', syntax: 'literal', ignoreCase: false, globs: [], limit: 100, ...given }
}

function pathsOf(tree: SourceTree): string[] {
  return tree.entries().map(({ path }) => path)
}

test('a source brings its newest commit with the contents of its paths only', async (t) => {
  const { source, remote, server, mirror } = await servedSource(t, product)
  remote.commit('main', { 'src/flags.ts': 'export const port = 9090 // 8080\n' })
  const paths = within('src/')
  const { branch, commit } = await source.fetch({ branch: null, isVisible: paths }, signal())
  assert.deepEqual([branch, commit], ['main', remote.head('main')])
  assert.equal(objectsIn(mirror).filter((line) => line.endsWith(' blob')).length, 2)
  assert.equal(plainGit(mirror, ['rev-list', '--count', 'main']), '1')
  const tree = await source.tree(commit, paths)
  assert.deepEqual(pathsOf(tree), ['src/deep/er/limits.ts', 'src/flags.ts'])
  assert.match(String(Buffer.from((await tree.read('src/flags.ts')) ?? [])), /9090/)
  assert.equal(await tree.read('README.md'), undefined)
  const before = server.requests.length
  const found = await tree.search(query({}), signal())
  assert.deepEqual(
    [found.matches.map(({ path, line }) => `${path}:${line}`), found.truncated, found.notSearched],
    [['src/flags.ts:1'], false, 0],
  )
  assert.equal(server.requests.length, before)
})

test('a second fetch asks only for what changed', async (t) => {
  const { source, remote, server, mirror } = await servedSource(t, product)
  const wanted = { branch: 'main', isVisible: all }
  await source.fetch(wanted, signal())
  const first = fetchesOf(server)
  await source.fetch(wanted, signal())
  assert.equal(fetchesOf(server) - first, 1, 'the refs are listed, and nothing is fetched')
  remote.commit('main', { 'src/flags.ts': 'export const port = 1\n' })
  const before = objectsIn(mirror).length
  const { commit } = await source.fetch(wanted, signal())
  // A commit, two folders and a content.
  assert.equal(objectsIn(mirror).length - before, 4)
  assert.match(String(Buffer.from((await (await source.tree(commit, all)).read('src/flags.ts')) ?? [])), /= 1/)
  assert.equal(plainGit(mirror, ['rev-list', '--count', 'main']), '2')
})

test('no command asks the host for a missing content', async (t) => {
  const { source, remote, server, mirror } = await servedSource(t, product)
  remote.commit('main', { 'docs/port.md': 'The port is 9090.\n' })
  const paths = within('src/')
  const { commit } = await source.fetch({ branch: 'main', isVisible: paths }, signal())
  assert.doesNotMatch(readFileSync(join(mirror, 'config'), 'utf8'), /promisor|partial/i)
  const before = server.requests.length
  const tree = await source.tree(commit, all)
  assert.deepEqual(pathsOf(tree).length, 5)
  await assert.rejects(tree.read('docs/port.md'), { code: 'path_refused', message: /not fetched/ })
  assert.equal((await tree.search(query({ pattern: 'port' }), signal())).notSearched, 3)
  assert.equal((await tree.search(query({ globs: ['docs/**'] }), signal())).notSearched, 1)
  assert.equal((await tree.search(query({ globs: ['src/**'] }), signal())).notSearched, 0)
  assert.equal(server.requests.length, before)
  // Not even a command of git that meets it.
  const parts = ['cat-file', 'grep', 'diff-tree'] as const
  const args = {
    'cat-file': ['-p', `${commit}:README.md`],
    grep: ['port', commit],
    'diff-tree': ['-p', '--root', commit],
  }
  for (const name of parts) {
    try {
      plainGit(mirror, [name, ...args[name]])
    } catch (error) {
      assert.match(String(error), /bad file|unable to read|not a valid object/i)
    }
  }
  assert.equal(server.requests.length, before)
})

test('a content of the past is fetched in one request, and then read', async (t) => {
  const { source, remote, server } = await servedSource(t, product)
  const first = remote.head('main') ?? ''
  remote.commit('main', { 'src/flags.ts': 'new\n', 'docs/port.md': 'new\n', 'README.md': 'new' })
  const { commit } = await source.fetch({ branch: 'main', isVisible: all }, signal())
  assert.equal(await source.isAncestor(first, commit, signal()), true)
  const tree = await source.tree(first, all)
  const missing = tree.entries().filter(({ isFetched }) => !isFetched)
  assert.deepEqual(
    missing.map(({ path }) => path),
    ['README.md', 'docs/port.md', 'src/flags.ts'],
  )
  await assert.rejects(tree.read('docs/port.md'), { code: 'path_refused' })
  const before = fetchesOf(server)
  await source.bringBlobs(
    missing.map(({ oid }) => oid),
    signal(),
  )
  assert.equal(fetchesOf(server) - before, 1)
  assert.match(String(Buffer.from((await tree.read('docs/port.md')) ?? [])), /8080/)
  await source.bringBlobs(
    missing.map(({ oid }) => oid),
    signal(),
  )
  assert.equal(fetchesOf(server) - before, 1)
  await assert.rejects(source.bringBlobs(['1'.repeat(40)], signal()), { code: 'not_found' })
})

test('a content over the limit is left out, and not asked for again', async (t) => {
  const files = { 'src/a.ts': 'a', 'src/big.bin': noise(300_000), 'src/b/big.txt': noise(200_000) }
  const { source, remote, server, mirror } = await servedSource(t, files, { maxFileBytes: 100_000 })
  const wanted = { branch: 'main', isVisible: all }
  const { commit } = await source.fetch(wanted, signal())
  assert.equal(objectsIn(mirror).filter((line) => line.endsWith(' blob')).length, 1)
  const tree = await source.tree(commit, all)
  await assert.rejects(tree.read('src/big.bin'), { code: 'path_refused', message: /not fetched/ })
  assert.equal((await tree.search(query({}), signal())).notSearched, 2)
  const before = fetchesOf(server)
  await source.fetch(wanted, signal())
  assert.equal(fetchesOf(server) - before, 1)
  // A content that was asked for by its id comes whole; it is not read either.
  await source.bringBlobs([tree.entry('src/b/big.txt')?.oid ?? ''], signal())
  await assert.rejects(tree.read('src/b/big.txt'), { code: 'path_refused', message: /200000 bytes/ })
  remote.commit('main', { 'src/a.ts': 'b' })
  const next = await source.fetch(wanted, signal())
  assert.equal(String(Buffer.from((await (await source.tree(next.commit, all)).read('src/a.ts')) ?? [])), 'b')
})

test('a host that leaves nothing out is fetched whole, within the limit', async (t) => {
  const { source, remote, server, mirror } = await servedSource(t, product, { maxRepositoryBytes: 150_000 })
  remote.git(['config', 'uploadpack.allowFilter', 'false'])
  const paths = within('src/')
  const { commit } = await source.fetch({ branch: 'main', isVisible: paths }, signal())
  assert.equal(objectsIn(mirror).filter((line) => line.endsWith(' blob')).length, 5)
  const tree = await source.tree(commit, paths)
  assert.equal(await tree.read('docs/port.md'), undefined)
  assert.deepEqual((await tree.search(query({}), signal())).matches.length, 1)
  const before = fetchesOf(server)
  await source.fetch({ branch: 'main', isVisible: all }, signal())
  assert.equal(fetchesOf(server) - before, 1)
  remote.commit('main', { 'data/more.bin': noise(400_000) })
  await assert.rejects(source.fetch({ branch: 'main', isVisible: paths }, signal()), { code: 'repository_too_large' })
})

test('a host with an old protocol is fetched', async (t) => {
  const { source, server, mirror } = await servedSource(t, product)
  server.fault = ({ headers }) => {
    headers['git-protocol'] = 'version=0'
    return undefined
  }
  const { commit } = await source.fetch({ branch: 'main', isVisible: within('src/') }, signal())
  const tree = await source.tree(commit, within('src/'))
  assert.match(String(Buffer.from((await tree.read('src/flags.ts')) ?? [])), /8080/)
  assert.equal(plainGit(mirror, ['rev-list', '--count', 'main']), '1')
})

test('a host that cannot leave out history is fetched without contents all the same', async (t) => {
  const { source, remote, server, mirror } = await servedSource(t, product)
  remote.commit('main', { 'src/flags.ts': 'new\n' })
  server.fault = async ({ method, url, headers }) => {
    if (method !== 'GET' || headers['x-plain'] !== undefined) return undefined
    const response = await fetch(`http://${server.host}${url}`, {
      headers: { 'git-protocol': 'version=2', 'x-plain': '1' },
    })
    const body = (await response.text()).replaceAll('shallow', 'shal1ow')
    return {
      kind: 'answer',
      status: 200,
      headers: { 'Content-Type': response.headers.get('content-type') ?? '' },
      body,
    }
  }
  const { commit } = await source.fetch({ branch: 'main', isVisible: within('src/') }, signal())
  assert.equal(plainGit(mirror, ['rev-list', '--count', 'main']), '2')
  assert.equal((await source.history(commit, 5))?.length, 2)
  assert.equal(objectsIn(mirror).filter((line) => line.endsWith(' blob')).length, 2)
  const tree = await source.tree(commit, within('src/'))
  assert.equal(String(Buffer.from((await tree.read('src/flags.ts')) ?? [])), 'new\n')
})

test('history comes without contents', async (t) => {
  const { source, remote, mirror } = await servedSource(t, product)
  const first = remote.head('main') ?? ''
  for (const text of ['1', '2', '3']) remote.commit('main', { 'data/table.bin': text, [`src/${text}`]: text })
  const { commit } = await source.fetch({ branch: 'main', isVisible: within('src/') }, signal())
  const before = objectsIn(mirror).filter((line) => line.endsWith(' blob')).length
  source.bringHistory()
  assert.equal(await source.isAncestor(first, commit, signal()), true)
  assert.equal((await source.history(commit, 10))?.length, 4)
  assert.equal(objectsIn(mirror).filter((line) => line.endsWith(' blob')).length, before)
  const newest = remote.commit('main', { 'src/4': '4' })
  const next = await source.fetch({ branch: 'main', isVisible: within('src/') }, signal())
  assert.equal(next.commit, newest)
  assert.equal((await source.history(newest, 10))?.length, 5)
})

test('a source and a repository that is written never share a mirror', async (t) => {
  const { git, server } = await servedSource(t, product)
  assert.throws(() => git.repository('src_test', server.address), { code: 'internal' })
  git.repository('prj_test', server.address)
  assert.throws(() => git.source('prj_test', server.address), { code: 'internal' })
  assert.equal('push' in git.source('src_other', server.address), false)
})

test('each fetch lists the refs with the credential of the source first', async (t) => {
  const asked: string[] = []
  const login = { username: 'x', password: 'a-secret-of-the-source' }
  const credentialOf = async ({ id }: { readonly id: string }) => {
    asked.push(id)
    return login
  }
  const { source, server } = await servedSource(t, product, { credentialOf })
  server.login = login
  const wanted = { branch: 'main', isVisible: all }
  await source.fetch(wanted, signal())
  assert.ok(asked.length > 0 && asked.every((id) => id === 'src_test'))
  server.login = { username: 'x', password: 'another-secret-by-now' }
  await assert.rejects(source.fetch(wanted, signal()), { code: 'repository_unauthorized' })
  assert.equal((await source.probeRead(signal())).read, 'no')
  server.login = login
  assert.deepEqual(await source.probeRead(signal()), {
    read: 'yes',
    push: 'unknown',
    code: null,
    isRefused: false,
    detail: 'Reading is allowed.',
  })
})
