import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { test } from 'node:test'
import {
  noise,
  plainGit,
  signal,
  temporaryFolder,
  testGit,
  testRepository,
  waitForHistory,
} from '../../../test/support/git-remote.ts'
import { type Fault, type Served, servedHistory, startOfBody } from '../../../test/support/git-server.ts'
import type { Repository } from '../types.ts'

const wantsMain = { branch: 'main', branches: [] }
const edit = { path: 'new.md', content: Buffer.from('new'), mode: '100644' as const }
const absent = '0'.repeat(40)

/** Whether the request is that for the history. */
async function asksForHistory(request: IncomingMessage): Promise<boolean> {
  return (await startOfBody(request))?.includes('deepen 2147483647') === true
}

/** Holds the request for the history until it is released. */
function holdHistory(server: Served['server']) {
  const [arrived, held] = [Promise.withResolvers<void>(), Promise.withResolvers<Fault | undefined>()]
  server.fault = async (request) => {
    if (!(await asksForHistory(request))) return undefined
    arrived.resolve()
    return await held.promise
  }
  return { arrived: arrived.promise, release: (fault?: Fault) => held.resolve(fault) }
}

function countCommits(mirror: string): number {
  return Number(plainGit(mirror, ['rev-list', '--count', 'main']))
}

async function commitOn(repository: Repository, parent: string): Promise<string> {
  return await repository.commit({ parent, edits: [edit], message: 'x', date: new Date(0) })
}

test('the first fetch brings the newest commit, and the history follows', async (t) => {
  const { repository, mirror, commits, server } = await servedHistory(t)
  const { base } = await repository.fetch(wantsMain, signal())
  assert.equal(base.commit, commits[3])
  assert.equal(countCommits(mirror), 1)
  assert.equal((await (await repository.tree(base.commit)).read('b.md'))?.length, 1)
  assert.equal(await repository.history(base.commit, 10), undefined)
  repository.bringHistory()
  repository.bringHistory()
  await waitForHistory(repository)
  assert.equal(countCommits(mirror), 4)
  assert.deepEqual(
    (await repository.history(base.commit, 10))?.map(({ commit }) => commit),
    commits.toReversed(),
  )
  const before = server.requests.length
  repository.bringHistory()
  await waitForHistory(repository)
  assert.equal(server.requests.length, before, 'it is fetched once')
})

for (const version of ['version=2', 'version=0']) {
  test(`a host that cannot leave out the history (${version}) is fetched whole`, async (t) => {
    const { repository, mirror, server } = await servedHistory(t)
    server.fault = async ({ method, url, headers }) => {
      headers['git-protocol'] = version
      if (method !== 'GET' || headers['x-plain'] !== undefined) return undefined
      const plain = { 'git-protocol': version, 'x-plain': '1' }
      const response = await fetch(`http://${server.host}${url}`, { headers: plain })
      const type = response.headers.get('content-type') ?? ''
      const body = (await response.text()).replaceAll('shallow', 'shal1ow')
      return { kind: 'answer', status: 200, headers: { 'Content-Type': type }, body }
    }
    await repository.fetch(wantsMain, signal())
    assert.equal(countCommits(mirror), 4)
    const before = server.requests.length
    await waitForHistory(repository)
    assert.equal(server.requests.length, before)
  })
}

test('a fetch, a commit and both ways to publish do not wait while history arrives', async (t) => {
  const { repository, remote, commits, server, mirror } = await servedHistory(t)
  const { base } = await repository.fetch(wantsMain, signal())
  const held = holdHistory(server)
  repository.bringHistory()
  await held.arrived
  const newest = remote.commit('main', { 'e.md': 'e' })
  const second = await repository.fetch({ branch: 'main', branches: ['side'] }, signal())
  assert.equal(second.base.commit, newest)
  assert.equal(await repository.mergeBase(newest, base.commit, signal()), base.commit)
  const own = await commitOn(repository, base.commit)
  assert.deepEqual(await repository.push({ branch: 'x', commit: own, expected: null }, signal()), { kind: 'pushed' })
  const other = await commitOn(repository, newest)
  await repository.pushObject({ commit: other, ref: 'refs/docent/run_1' }, signal())
  const hosted = remote.git(['commit-tree', `${other}^{tree}`, '-p', newest, '-m', 'Of the host'])
  remote.git(['update-ref', 'refs/heads/y', hosted])
  assert.deepEqual((await repository.fetchCommit(hosted, 'y', signal())).parents, [newest])
  assert.equal(existsSync(join(mirror, 'shallow')), true)
  held.release()
  await waitForHistory(repository)
  assert.equal(countCommits(mirror), 5)
  assert.equal(remote.git(['rev-list', '--count', 'x']), '5')
  assert.equal(await repository.isAncestor(commits[0] ?? '', hosted, signal()), true)
})

test('a branch rewritten before its history arrives leaves the run its base', async (t) => {
  const { repository, remote, commits, server, mirror } = await servedHistory(t)
  const { base } = await repository.fetch(wantsMain, signal())
  const held = holdHistory(server)
  repository.bringHistory()
  await held.arrived
  remote.git(['update-ref', 'refs/heads/main', commits[0] ?? ''])
  const rewritten = remote.commit('main', { 'z.md': 'z' })
  held.release()
  assert.equal((await repository.fetch(wantsMain, signal())).base.commit, rewritten)
  const own = await commitOn(repository, base.commit)
  assert.equal((await (await repository.tree(own)).read('d.md'))?.length, 1)
  assert.deepEqual(await repository.push({ branch: 'x', commit: own, expected: null }, signal()), { kind: 'pushed' })
  assert.equal(remote.git(['rev-list', '--count', 'x']), '5')
  assert.equal(await repository.mergeBase(own, rewritten, signal()), commits[0])
  assert.equal(plainGit(mirror, ['fsck', '--connectivity-only']), '')
})

for (const way of ['push', 'pushObject'] as const) {
  test(`${way} brings the history if the host no longer has the base in a branch`, async (t) => {
    const { repository, remote, commits } = await servedHistory(t)
    const { base } = await repository.fetch(wantsMain, signal())
    const own = await commitOn(repository, base.commit)
    remote.git(['update-ref', 'refs/heads/main', commits[0] ?? ''])
    if (way === 'push') await repository.push({ branch: 'x', commit: own, expected: null }, signal())
    else await repository.pushObject({ commit: own, ref: 'refs/docent/x' }, signal())
    const ref = way === 'push' ? 'refs/heads/x' : 'refs/docent/x'
    assert.equal(remote.git(['rev-list', '--count', ref]), '5')
  })
}

test('a history that breaks off fails only its readers, and comes the next time', async (t) => {
  const { repository, server, mirror } = await servedHistory(t)
  const { base } = await repository.fetch(wantsMain, signal())
  server.fault = async (request) => ((await asksForHistory(request)) ? { kind: 'reset' } : undefined)
  await assert.rejects(waitForHistory(repository), { code: 'repository_unreachable' })
  await repository.fetch(wantsMain, signal())
  const own = await commitOn(repository, base.commit)
  await repository.push({ branch: 'x', commit: own, expected: null }, signal())
  server.fault = undefined
  await waitForHistory(repository)
  assert.equal(countCommits(mirror), 4)
})

test('a history over the limit is not kept, and not fetched again', async (t) => {
  const { repository, remote, server, mirror } = await servedHistory(t, { maxRepositoryBytes: 500_000 })
  remote.commit('main', { 'big.bin': noise(1_000_000) })
  remote.commit('main', { 'big.bin': null })
  const { base } = await repository.fetch(wantsMain, signal())
  await assert.rejects(waitForHistory(repository), { code: 'repository_too_large' })
  const before = server.requests.length
  repository.bringHistory()
  await assert.rejects(waitForHistory(repository), { code: 'repository_too_large' })
  assert.equal(server.requests.length, before)
  const newest = remote.commit('main', { 'f.md': 'f' })
  assert.equal((await repository.fetch(wantsMain, signal())).base.commit, newest)
  const own = await commitOn(repository, base.commit)
  assert.deepEqual(await repository.push({ branch: 'x', commit: own, expected: null }, signal()), { kind: 'pushed' })
  assert.equal(countCommits(mirror), 2)
})

test('closing ends the fetch of the history and its process', async (t) => {
  const directory = temporaryFolder(t)
  const { server } = await servedHistory(t)
  const git = await testGit(t, { directory, privateHosts: [server.host] })
  const repository = git.repository('prj_test', server.address)
  await repository.fetch(wantsMain, signal())
  const held = holdHistory(server)
  repository.bringHistory()
  const waiting = assert.rejects(waitForHistory(repository), { code: 'unavailable' })
  await held.arrived
  await git.close()
  await waiting
  assert.deepEqual(foldersOfHistory(directory), [])
})

test('a mirror is made again while its history arrives', async (t) => {
  const { repository, remote, server, mirror } = await servedHistory(t)
  await repository.fetch(wantsMain, signal())
  const held = holdHistory(server)
  repository.bringHistory()
  await held.arrived
  writeFileSync(join(mirror, 'config'), '[core\n')
  const newest = remote.commit('main', { 'e.md': 'e' })
  assert.equal((await repository.fetch(wantsMain, signal())).base.commit, newest)
  const waiting = assert.rejects(waitForHistory(repository), { code: 'unavailable', message: /made again/ })
  held.release()
  await waiting
  await waitForHistory(repository)
  assert.equal(countCommits(mirror), 5)
})

test('a shallow copy as the remote has no more history than it has', async (t) => {
  const { remote, repository, git } = await testRepository(t)
  for (const text of ['a', 'b', 'c']) remote.commit('main', { 'a.md': text })
  const copy = join(temporaryFolder(t), 'copy.git')
  plainGit('/', ['clone', '--quiet', '--bare', '--depth=2', `file://${remote.directory}`, copy])
  const mine = git.repository('prj_copy', copy)
  const { base } = await mine.fetch(wantsMain, signal())
  await waitForHistory(mine)
  assert.equal((await mine.history(base.commit, 10))?.length, 2)
  assert.equal(await mine.contains(absent, signal()), false)
  assert.equal(await repository.has(base.commit), false)
})

test('a service fetches the history that the one before did not, because it was killed', async (t) => {
  const { server, directory, mirror, commits } = await servedHistory(t)
  const arrived = Promise.withResolvers<void>()
  const reached = (): void => arrived.resolve()
  server.fault = async (request) =>
    (await asksForHistory(request)) ? { kind: 'hold', bytes: 200, reached } : undefined
  const script = `
    import { openGit } from '${new URL('../git.ts', import.meta.url).href}'
    const limits = { maxRepositoryBytes: 1e8, maxRepositoryFiles: 1000, maxFileBytes: 1e6, timeoutMs: 60000 }
    const log = { debug() {}, info() {}, warn() {}, error() {}, child: () => log }
    const git = await openGit({ directory: '${directory}', allowLocal: false, privateHosts: ['${server.host}'],
      identity: { name: 'x', email: 'x' }, log, ...limits })
    const repository = git.repository('prj_test', '${server.address}')
    await repository.fetch({ branch: 'main', branches: [] }, AbortSignal.timeout(60000))
    repository.bringHistory()
    setTimeout(() => {}, 60000)
  `
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], { stdio: 'ignore' })
  const gone = once(child, 'close')
  await arrived.promise
  child.kill('SIGKILL')
  await gone
  server.fault = undefined
  assert.equal(foldersOfHistory(directory).length, 1)
  const git = await testGit(t, { directory, privateHosts: [server.host] })
  const repository = git.repository('prj_test', server.address)
  const { base } = await repository.fetch(wantsMain, signal())
  await waitForHistory(repository)
  assert.deepEqual(foldersOfHistory(directory), [])
  assert.equal(countCommits(mirror), commits.length)
  assert.equal(existsSync(join(mirror, 'shallow')), false)
  assert.equal(await repository.isAncestor(commits[0] ?? '', base.commit, signal()), true)
})

function foldersOfHistory(directory: string): string[] {
  return readdirSync(directory).filter((name) => name.includes('.history-'))
}
