import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { noise, plainGit, signal, testGit } from '../../../test/support/git-remote.ts'
import { servedSource, sourceId, within } from '../../../test/support/git-source.ts'
import { asksForObjects, type Fault } from '../../../test/support/git-server.ts'

const isVisible = within()
const wanted = { branch: 'main', isVisible }

test('a pin stays where it was set', async (t) => {
  const { source, remote } = await servedSource(t, { 'a.ts': 'a' })
  const { commit } = await source.fetch(wanted, signal())
  assert.equal(await source.pinned('run_1'), undefined)
  assert.equal(await source.pin('run_1', commit), commit)
  remote.commit('main', { 'a.ts': 'b' })
  const next = await source.fetch(wanted, signal())
  assert.notEqual(next.commit, commit)
  const both = await Promise.all([source.pin('run_1', next.commit), source.pin('run_2', next.commit)])
  assert.deepEqual(both, [commit, next.commit])
  assert.deepEqual(
    [...(await source.pins())],
    [
      ['run_1', commit],
      ['run_2', next.commit],
    ],
  )
  await source.unpin('run_1')
  await source.unpin('run_1')
  assert.equal(await source.pinned('run_1'), undefined)
  assert.equal(await source.pin('run_1', next.commit), next.commit)
  await assert.rejects(source.pin('../heads/main', commit), { code: 'internal' })
  await assert.rejects(source.pin('run_3', '1'.repeat(40)))
})

test('a source over its limit stays for runs that pin it, and goes after them', async (t) => {
  const { source, remote, mirror } = await servedSource(t, { 'a.ts': 'a' }, { maxRepositoryBytes: 100_000 })
  const { commit } = await source.fetch(wanted, signal())
  await source.pin('run_1', commit)
  remote.git(['config', 'uploadpack.allowFilter', 'false'])
  remote.commit('main', { 'b.bin': noise(300_000) })
  const isTooLarge = { code: 'repository_too_large' }
  await assert.rejects(source.fetch(wanted, signal()), isTooLarge)
  assert.equal(await source.pinned('run_1'), commit)
  assert.equal(String(Buffer.from((await (await source.tree(commit, within('*.ts'))).read('a.ts')) ?? [])), 'a')
  await source.unpin('run_1')
  await assert.rejects(source.fetch(wanted, signal()), isTooLarge)
  assert.equal(existsSync(mirror), false)
})

test('several that pin at once agree on one commit', async (t) => {
  const { source, remote } = await servedSource(t, { 'a.ts': 'a' })
  const { commit } = await source.fetch(wanted, signal())
  remote.commit('main', { 'a.ts': 'b' })
  const next = await source.fetch(wanted, signal())
  const pinned = await Promise.all([commit, next.commit, commit, next.commit].map((oid) => source.pin('run', oid)))
  assert.equal(new Set(pinned).size, 1)
  assert.equal(await source.pinned('run'), pinned[0])
})

test('repacking keeps pins, contents that no branch has, and works with missing ones', async (t) => {
  const { source, remote, mirror } = await servedSource(t, { 'src/a.ts': 'a', 'b.ts': 'b' })
  const paths = within('src/')
  const first = await source.fetch({ branch: 'main', isVisible: paths }, signal())
  await source.pin('run', first.commit)
  remote.git(['update-ref', '-d', 'refs/heads/main'])
  remote.commit('main', { 'src/c.ts': 'c', 'd.ts': 'd' })
  for (let n = 0; n < 51; n += 1) {
    const pack = plainGit(
      mirror,
      ['pack-objects', '--quiet', 'objects/pack/pack'],
      plainGit(mirror, ['hash-object', '-w', '--stdin'], `${n}`),
    )
    assert.match(pack, /^[0-9a-f]{40}$/)
  }
  const second = await source.fetch({ branch: 'main', isVisible: paths }, signal())
  assert.ok(readdirSync(`${mirror}/objects/pack`).filter((name) => name.endsWith('.pack')).length < 10)
  assert.equal(await source.pinned('run'), first.commit)
  for (const [commit, path] of [
    [first.commit, 'src/a.ts'],
    [second.commit, 'src/c.ts'],
  ] as const) {
    assert.equal((await (await source.tree(commit, paths)).read(path))?.length, 1)
  }
  remote.commit('main', { 'src/e.ts': 'e' })
  await source.fetch({ branch: 'main', isVisible: paths }, signal())
})

test('a pinned commit comes back after its mirror is gone and its branch has moved', async (t) => {
  const { source, git, remote, server } = await servedSource(t, { 'a.ts': 'a' })
  const { commit } = await source.fetch(wanted, signal())
  await source.pin('run', commit)
  remote.commit('main', { 'a.ts': 'b' })
  await git.remove(sourceId)
  const again = git.source(sourceId, server.address)
  await again.fetch(wanted, signal())
  assert.equal(await again.pinned('run'), undefined)
  await again.ensure(commit, wanted, signal())
  assert.equal(await again.pin('run', commit), commit)
  assert.equal((await (await again.tree(commit, isVisible)).read('a.ts'))?.toString(), Buffer.from('a').toString())
  assert.equal(await again.isAncestor(commit, remote.head('main') ?? '', signal()), true)
  await assert.rejects(again.ensure('1'.repeat(40), wanted, signal()), { code: 'not_found' })
})

test('a repack that is killed leaves pins and objects', async (t) => {
  const { source, remote, mirror } = await servedSource(t, { 'src/a.ts': 'a', 'b.ts': 'b' })
  const { commit } = await source.fetch({ branch: 'main', isVisible: within('src/') }, signal())
  await source.pin('run', commit)
  for (const milliseconds of [2, 6, 12, 20]) {
    for (let n = 0; n < 10; n += 1) {
      const blob = plainGit(mirror, ['hash-object', '-w', '--stdin'], `${milliseconds} ${n}`)
      plainGit(mirror, ['pack-objects', '--quiet', 'objects/pack/pack'], blob)
    }
    const child = spawn('git', ['--git-dir', mirror, 'repack', '--geometric=2', '-d', '--quiet'], { detached: true })
    const gone = once(child, 'close')
    await delay(milliseconds)
    try {
      process.kill(-(child.pid ?? 0), 'SIGKILL')
    } catch {
      // It was faster.
    }
    await gone
    assert.equal(await source.pinned('run'), commit)
    const tree = await source.tree(commit, within('src/'))
    assert.equal((await tree.read('src/a.ts'))?.length, 1)
  }
  remote.commit('main', { 'src/a.ts': 'new' })
  const next = await source.fetch({ branch: 'main', isVisible: within('src/') }, signal())
  assert.equal((await (await source.tree(next.commit, within('src/'))).read('src/a.ts'))?.length, 3)
  assert.equal(await source.pinned('run'), commit)
})

/** Each stops the host in the middle of one response, and then kills the process of the service. */
const kills: readonly (readonly [name: string, nth: number])[] = [
  ['the newest commit', 1],
  ['contents', 2],
  ['the next commit', 3],
]

for (const [name, nth] of kills) {
  test(`a service killed while it fetches ${name} leaves its mirror and its pins`, async (t) => {
    const { server, remote, directory, mirror } = await servedSource(t, { 'src/a.ts': 'a'.repeat(3_000), 'b.ts': 'b' })
    const reached = Promise.withResolvers<void>()
    let fetches = 0
    server.fault = async (request): Promise<Fault | undefined> => {
      if (!(await asksForObjects(request))) return undefined
      fetches += 1
      return fetches >= nth ? { kind: 'hold', bytes: 30, reached: reached.resolve } : undefined
    }
    const child = spawn(process.execPath, ['--input-type=module', '--eval', script(directory, server)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const gone = once(child, 'close')
    const lines: string[] = []
    child.stdout.on('data', (chunk: Buffer) => {
      lines.push(...chunk.toString().trim().split('\n'))
      if (lines.includes('pinned')) remote.commit('main', { 'src/a.ts': 'c'.repeat(3_000) })
    })
    await reached.promise
    child.kill('SIGKILL')
    await gone
    server.fault = undefined
    const git = await testGit(t, { directory, privateHosts: [server.host] })
    const source = git.source(sourceId, server.address)
    const { commit } = await source.fetch({ branch: 'main', isVisible }, signal())
    assert.equal((await (await source.tree(commit, isVisible)).read('src/a.ts'))?.length, 3_000)
    assert.deepEqual(
      readdirSync(directory).filter((entry) => entry.includes('.fetch-')),
      [],
    )
    const first = remote.git(['rev-list', '--max-parents=0', 'main'])
    assert.equal(await source.pinned('run'), nth > 2 ? first : undefined)
    if (nth > 2) assert.equal((await (await source.tree(first, isVisible)).read('src/a.ts'))?.length, 3_000)
    assert.equal(plainGit(mirror, ['rev-parse', 'main']), commit)
  })
}

/** Fetches, pins, and fetches again when the branch has moved. */
function script(directory: string, { host, address }: { readonly host: string; readonly address: string }): string {
  return `
    import { openGit } from '${new URL('../git.ts', import.meta.url).href}'
    import { setTimeout as delay } from 'node:timers/promises'
    const limits = { maxRepositoryBytes: 1e8, maxRepositoryFiles: 1000, maxFileBytes: 1e6, timeoutMs: 60000 }
    const log = { debug() {}, info() {}, warn() {}, error() {}, child: () => log }
    const git = await openGit({ directory: '${directory}', allowLocal: false, privateHosts: ['${host}'],
      identity: { name: 'x', email: 'x' }, log, ...limits })
    const source = git.source('${sourceId}', '${address}')
    const wanted = { branch: 'main', isVisible: () => true }
    const { commit } = await source.fetch(wanted, AbortSignal.timeout(60000))
    await source.pin('run', commit)
    console.log('pinned')
    for (;;) {
      await source.fetch(wanted, AbortSignal.timeout(60000))
      await delay(50)
    }
  `
}
