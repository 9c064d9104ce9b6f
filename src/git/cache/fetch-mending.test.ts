import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import {
  createRemote,
  noise,
  plainGit,
  signal,
  temporaryFolder,
  testGit,
  testRepository,
} from '../../../test/support/git-remote.ts'
import { servedRepository } from '../../../test/support/git-server.ts'
import type { Repository } from '../types.ts'

const wantsMain = { branch: 'main', branches: [] }

const damages = [
  ['a truncated pack', (mirror: string) => truncateSync(packOf(mirror, '.pack'), 60)],
  ['a missing pack', (mirror: string) => rmSync(packOf(mirror, '.pack'))],
  ['a missing index', (mirror: string) => rmSync(packOf(mirror, '.idx'))],
  ['a missing HEAD', (mirror: string) => rmSync(join(mirror, 'HEAD'))],
  ['no objects', (mirror: string) => rmSync(join(mirror, 'objects'), { recursive: true })],
  ['no refs', (mirror: string) => rmSync(join(mirror, 'refs'), { recursive: true })],
  ['an empty ref', (mirror: string) => truncateSync(join(mirror, 'refs/heads/main'), 0)],
  ['a broken config', (mirror: string) => writeFileSync(join(mirror, 'config'), '[core\n')],
  ['an old lock', (mirror: string) => plantLock(mirror, 100)],
  ['a lock of this moment', (mirror: string) => plantLock(mirror, 0)],
] as const

for (const [name, damage] of damages) {
  test(`the next fetch repairs a mirror with ${name}`, async (t) => {
    const directory = temporaryFolder(t)
    const remote = createRemote(t)
    remote.commit('main', { 'a.md': 'a' })
    const before = await testGit(t, { directory })
    await before.repository('prj_a', remote.directory).fetch(wantsMain, signal())
    await before.close()
    damage(join(directory, 'prj_a.git'))
    const commit = name.includes('lock') ? remote.commit('main', { 'b.md': 'b' }) : remote.head('main')
    const repository = (await testGit(t, { directory })).repository('prj_a', remote.directory)
    assert.equal((await repository.fetch(wantsMain, signal())).base.commit, commit)
    assert.equal(Buffer.from((await (await repository.tree(commit ?? '')).read('a.md')) ?? []).toString(), 'a')
  })
}

for (const [name, damage] of damages.filter(([one]) => /HEAD|objects|refs|empty ref/.test(one))) {
  test(`the next fetch repairs a mirror with ${name} that a long-lived process reads`, async (t) => {
    const directory = temporaryFolder(t)
    const { remote, repository } = await testRepository(t, { directory })
    const commit = remote.commit('main', { 'a.md': 'a' })
    await repository.fetch(wantsMain, signal())
    await repository.tree(commit)
    damage(join(directory, 'prj_test.git'))
    assert.equal((await repository.fetch(wantsMain, signal())).base.commit, commit)
    const next = remote.commit('main', { 'a.md': 'b' })
    assert.equal((await repository.fetch(wantsMain, signal())).base.commit, next)
    await repository.ensure([commit, next], wantsMain)
    assert.equal(Buffer.from((await (await repository.tree(next)).read('a.md')) ?? []).toString(), 'b')
  })
}

test('damage found while reading fails once and is repaired by the next fetch', async (t) => {
  const directory = temporaryFolder(t)
  const { remote, repository } = await testRepository(t, { directory })
  const commit = remote.commit('main', { 'a.bin': noise(50_000) })
  await repository.fetch(wantsMain, signal())
  const tree = await repository.tree(commit)
  truncateSync(packOf(join(directory, 'prj_test.git'), '.pack'), 60)
  const again = (await testGit(t, { directory })).repository('prj_test', remote.directory)
  await assert.rejects(again.tree(commit), { code: 'unavailable', message: /mirror.*damaged/ })
  await again.fetch(wantsMain, signal())
  assert.equal((await (await again.tree(commit)).read('a.bin'))?.length, 50_000)
  assert.equal(tree.entries().length, 1)
})

test('a push finds objects that a power failure emptied, and the retry succeeds', async (t) => {
  const directory = temporaryFolder(t)
  const { remote, repository } = await testRepository(t, { directory })
  const parent = remote.commit('main', { 'a.md': 'a' })
  const attempt = async (): Promise<string> => {
    await repository.fetch(wantsMain, signal())
    const edits = [{ path: 'b.md', content: Buffer.from('b'), mode: '100644' as const }]
    const commit = await repository.commit({ parent, edits, message: 'x', date: new Date(0) })
    await repository.push({ branch: 'x', commit, expected: null }, signal())
    return commit
  }
  await repository.fetch(wantsMain, signal())
  // `b` as a blob, stored and never written out.
  const objects = join(directory, 'prj_test.git/objects')
  mkdirSync(join(objects, '63'))
  writeFileSync(join(objects, '63/d8dbd40c23542e740659a7168a0ce3138ea748'), '')
  await assert.rejects(attempt(), { code: 'unavailable', message: /damaged/ })
  assert.equal(await attempt(), remote.head('x'))
})

/** Two fetches and so two packs: the commit of the second needs the first for `docs`. */
async function twoPacks(t: TestContext): Promise<{
  directory: string
  remote: ReturnType<typeof createRemote>
  repository: Repository
  commit: string
  old: string
}> {
  const directory = temporaryFolder(t)
  const { remote, repository } = await testRepository(t, { directory })
  remote.commit('main', { 'docs/a.bin': noise(50_000), 'b.md': 'b' })
  await repository.fetch(wantsMain, signal())
  const old = packOf(join(directory, 'prj_test.git'), '.pack')
  const commit = remote.commit('main', { 'b.md': 'changed' })
  await repository.fetch(wantsMain, signal())
  return { directory, remote, repository, commit, old }
}

test('a mirror with a damaged older pack is repaired', async (t) => {
  const { directory, remote, commit, old } = await twoPacks(t)
  truncateSync(old, 60)
  const again = (await testGit(t, { directory })).repository('prj_test', remote.directory)
  assert.equal((await again.fetch(wantsMain, signal())).base.commit, commit)
  assert.equal((await (await again.tree(commit)).read('docs/a.bin'))?.length, 50_000)
})

for (const [name, damage] of [
  ['a truncated pack', (pack: string) => truncateSync(pack, 60)],
  [
    'a pack that is gone',
    (pack: string) => {
      rmSync(pack)
      rmSync(pack.replace(/pack$/, 'idx'))
    },
  ],
] as const) {
  test(`${name} that only a read has met is remembered until the next fetch`, async (t) => {
    const { directory, remote, commit, old } = await twoPacks(t)
    const repository = (await testGit(t, { directory })).repository('prj_test', remote.directory)
    const tree = await repository.tree(commit)
    const edits = [{ path: 'c.md', content: Buffer.from('c'), mode: '100644' as const }]
    const draft = await repository.commit({ parent: commit, edits, message: 'draft', date: new Date(0) })
    await repository.tree(draft)
    damage(old)
    await assert.rejects(tree.read('docs/a.bin'), { code: 'unavailable', message: /damaged/ })
    await repository.fetch(wantsMain, signal())
    assert.equal((await tree.read('docs/a.bin'))?.length, 50_000)
    // Commits that were only in the old mirror are gone with it, and the error says so.
    await assert.rejects(repository.tree(draft), { code: 'internal', message: /not in the mirror/ })
  })
}

test('a damaged remote is invalid and is not fetched again and again', async (t) => {
  const { server, repository, remote } = await servedRepository(t)
  const commit = remote.commit('main', { 'a.md': 'one' })
  const blob = remote.git(['rev-parse', `${commit}:a.md`])
  rmSync(join(remote.directory, 'objects', blob.slice(0, 2), blob.slice(2)))
  await assert.rejects(repository.fetch(wantsMain, signal()), (error: { code: string }) =>
    ['repository_invalid', 'repository_unreachable'].includes(error.code),
  )
  assert.ok(server.requests.length < 12, `${server.requests.length} requests`)
})

test('more than fifty packs become one, and a commit without a ref survives', async (t) => {
  const directory = temporaryFolder(t)
  const { remote, repository } = await testRepository(t, { directory })
  const base = remote.commit('main', { 'a.md': 'a' })
  await repository.fetch(wantsMain, signal())
  const edits = [{ path: 'b.md', content: Buffer.from('b'), mode: '100644' as const }]
  const draft = await repository.commit({ parent: base, edits, message: 'draft', date: new Date(0) })
  const mirror = join(directory, 'prj_test.git')
  const packed: string[] = []
  for (let index = 0; index < 51; index += 1) {
    const blob = plainGit(mirror, ['hash-object', '-w', '--stdin'], `blob ${index}`)
    plainGit(mirror, ['pack-objects', '--quiet', 'objects/pack/pack'], `${blob}\n`)
    rmSync(join(mirror, 'objects', blob.slice(0, 2), blob.slice(2)))
    packed.push(blob)
  }
  await repository.fetch(wantsMain, signal())
  assert.equal(readdirSync(join(mirror, 'objects/pack')).filter((name) => name.endsWith('.pack')).length, 1)
  assert.equal((await repository.tree(draft)).entry('b.md')?.size, 1)
  assert.equal(plainGit(mirror, ['cat-file', 'blob', packed[25] ?? '']), 'blob 25')
})

test('two engines make, fetch and repair the same mirror at the same time', async (t) => {
  const directory = temporaryFolder(t)
  const remote = createRemote(t)
  let commit = remote.commit('main', { 'a.md': 'a' })
  const engines = [await testGit(t, { directory }), await testGit(t, { directory })]
  for (let round = 0; round < 4; round += 1) {
    const found = await Promise.all(
      engines.map(async (git, index) => {
        const repository = git.repository('prj_a', remote.directory)
        const { base } = await repository.fetch(wantsMain, signal())
        const edits = [{ path: `${index}.md`, content: Buffer.from('x'), mode: '100644' as const }]
        return await repository.commit({ parent: base.commit, edits, message: 'x', date: new Date(0) })
      }),
    )
    assert.equal(new Set(found).size, 2)
    commit = remote.commit('main', { 'a.md': `a ${round}` })
  }
  assert.equal(commit, remote.head('main'))
})

test('a fetch recovers from a service that was killed during a transfer', async (t) => {
  const directory = temporaryFolder(t)
  const { server, remote } = await servedRepository(t)
  const commit = remote.commit('main', { 'big.bin': noise(200_000) })
  const arrived = Promise.withResolvers<undefined>()
  const reached = (): void => arrived.resolve(undefined)
  server.fault = (request) => (request.method === 'POST' ? { kind: 'hold', bytes: 100_000, reached } : undefined)
  const script = `
    import { openGit } from '${new URL('../git.ts', import.meta.url).href}'
    const limits = { maxRepositoryBytes: 1e8, maxRepositoryFiles: 1000, maxFileBytes: 1e6, timeoutMs: 60000 }
    const log = { debug() {}, info() {}, warn() {}, error() {}, child: () => log }
    const git = await openGit({ directory: '${directory}', allowLocal: false, privateHosts: ['${server.host}'],
      identity: { name: 'x', email: 'x' }, log, ...limits })
    await git.repository('prj_test', '${server.address}').fetch({ branch: 'main', branches: [] }, AbortSignal.timeout(60000))
  `
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], { stdio: 'ignore' })
  const gone = once(child, 'close')
  await arrived.promise
  child.kill('SIGKILL')
  await gone
  server.fault = undefined
  const repository = (await testGit(t, { directory, privateHosts: [server.host] })).repository(
    'prj_test',
    server.address,
  )
  assert.equal((await repository.fetch(wantsMain, signal())).base.commit, commit)
  assert.equal((await (await repository.tree(commit)).read('big.bin'))?.length, 200_000)
})

function packOf(mirror: string, ending: string): string {
  const packs = join(mirror, 'objects/pack')
  return join(packs, readdirSync(packs).find((name) => name.endsWith(ending)) ?? 'none')
}

function plantLock(mirror: string, secondsOld: number): void {
  const lock = join(mirror, 'refs/heads/main.lock')
  writeFileSync(lock, '')
  const time = Date.now() / 1000 - secondsOld
  utimesSync(lock, time, time)
}
