import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { type TestRemote, createRemote, temporaryFolder } from '../../../test/support/git-remote.ts'
import { usualPath } from '../transport/env.ts'
import { type Objects, createObjects } from './objects.ts'
import { type Runner, createRunner } from '../transport/run.ts'

type Made = { remote: TestRemote; objects: Objects; runner: Runner; children: number[]; damage: { count: number } }

function made(t: TestContext): Made {
  const remote = createRemote(t)
  const inner = createRunner({ home: temporaryFolder(t), path: usualPath, timeoutMs: 10_000 })
  const children: number[] = []
  const start: Runner['start'] = (call) => {
    const child = inner.start(call)
    children.push(child.pid ?? 0)
    return child
  }
  const runner = { ...inner, start }
  const damage = { count: 0 }
  const objects = createObjects(runner, remote.directory, () => (damage.count += 1))
  t.after(async () => await inner.close())
  return { remote, objects, runner, children, damage }
}

const store = (remote: TestRemote, content: string | Uint8Array): string =>
  remote.git(['hash-object', '-w', '--stdin'], content)

test('thousands of reads share one process, and each gets its own bytes', async (t) => {
  const { remote, objects, children } = made(t)
  const contents = [
    '',
    '\n',
    '0'.repeat(40),
    `${'a'.repeat(40)} blob 3\nabc\n`,
    `${'b'.repeat(40)} missing\n`,
    'é\0\r\n',
  ].map((text) => Buffer.from(text))
  contents.push(randomBytes(300_000), randomBytes(65_536), randomBytes(65_535))
  const oids = contents.map((content) => store(remote, content))
  const reads = Array.from({ length: 3000 }, (_, index) => index % contents.length)
  const found = await Promise.all(reads.map(async (index) => await objects.read(oids[index] ?? '')))
  for (const [at, index] of reads.entries())
    assert.ok(contents[index]?.equals(found[at]?.content ?? Buffer.from('wrong')))
  assert.equal(children.length, 1)
})

test('sizes come without the objects, in step with reads', async (t) => {
  const { remote, objects, children, damage } = made(t)
  const contents = ['', '\n', 'x'.repeat(300_000), 'é'].map((text) => Buffer.from(text))
  const oids = contents.map((content) => store(remote, content))
  const asked = Array.from({ length: 400 }, (_, index) => index % (contents.length + 1))
  const found = await Promise.all(
    asked.map(async (index) => {
      const oid = oids[index] ?? 'f'.repeat(40)
      return [await objects.size(oid), index % 2 === 0 ? (await objects.read(oid))?.content.length : undefined]
    }),
  )
  const expected = asked.map((index) => {
    const length = contents[index]?.length
    return [length, index % 2 === 0 ? length : undefined]
  })
  assert.deepEqual(found, expected)
  assert.deepEqual([children.length, damage.count], [1, 0])
  await assert.rejects(objects.size('HEAD'), { code: 'internal' })
})

test('a missing object is undefined and does not affect other reads', async (t) => {
  const { remote, objects, damage } = made(t)
  const oid = store(remote, 'x')
  const found = await Promise.all([oid, 'f'.repeat(40), oid].map(async (id) => await objects.read(id)))
  assert.deepEqual(
    found.map((object) => object?.content.toString()),
    ['x', undefined, 'x'],
  )
  assert.equal(damage.count, 0)
  for (const id of ['HEAD', '', `${oid}\n${oid}`, `${oid}:x`, oid.toUpperCase()])
    await assert.rejects(objects.read(id), { code: 'internal' })
})

test('an object that arrives later is found by the same process', async (t) => {
  const { remote, objects, children } = made(t)
  await objects.read(store(remote, 'early'))
  assert.equal((await objects.read(store(remote, 'late')))?.content.toString(), 'late')
  assert.equal(children.length, 1)
})

test('a killed process is replaced unnoticed', async (t) => {
  const { remote, objects, children, damage } = made(t)
  const oid = store(remote, 'x')
  await objects.read(oid)
  process.kill(children[0] ?? 0, 'SIGKILL')
  assert.equal((await objects.read(oid))?.content.toString(), 'x')
  assert.equal(children.length, 2)
  await objects.end()
  assert.equal((await objects.read(oid))?.content.toString(), 'x')
  assert.equal(children.length, 3)
  assert.equal(damage.count, 0)
})

test('a corrupt object is damage, and the objects beside it are still read', async (t) => {
  const { remote, objects, damage } = made(t)
  const good = store(remote, 'good')
  const bad = store(remote, 'bad')
  const file = join(remote.directory, 'objects', bad.slice(0, 2), bad.slice(2))
  chmodSync(file, 0o644)
  writeFileSync(file, 'garbage')
  await assert.rejects(objects.read(bad), { code: 'unavailable', message: /damaged/ })
  assert.equal(damage.count, 1)
  assert.equal((await objects.read(good))?.content.toString(), 'good')
})

test('the process ends after half a minute without a read, and not while one waits', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { remote, objects, children } = made(t)
  const oid = store(remote, 'x')
  await objects.read(oid)
  t.mock.timers.tick(29_000)
  await objects.read(oid)
  t.mock.timers.tick(29_000)
  await objects.read(oid)
  assert.equal(children.length, 1)
  t.mock.timers.tick(30_001)
  await objects.read(oid)
  assert.equal(children.length, 2)
})

test('a branch is found by its name, which is never that of a described commit', async (t) => {
  const { remote, objects, damage } = made(t)
  const commit = remote.commit('main', { a: 'a' })
  const described = `v1-2-g${commit.slice(0, 7)}`
  assert.deepEqual([await objects.branch('main'), await objects.branch('other')], [commit, undefined])
  assert.equal(await objects.branch(described), undefined)
  remote.git(['branch', described])
  remote.git(['branch', 'deep/er'])
  remote.git(['pack-refs', '--all'])
  assert.deepEqual([await objects.branch(described), await objects.branch('deep/er')], [commit, commit])
  assert.equal(await objects.branch('deep'), undefined)
  const next = remote.commit('main', { a: 'b' })
  assert.deepEqual([await objects.branch('main'), damage.count], [next, 0])
  for (const name of ['a b', 'main^{tree}', '../x', 'HEAD']) await assert.rejects(objects.branch(name))
})
