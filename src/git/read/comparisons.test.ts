import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { writeObject } from '../../../test/support/git-objects.ts'
import { createRemote, temporaryFolder } from '../../../test/support/git-remote.ts'
import { usualPath } from '../transport/env.ts'
import { createRunner, type Runner } from '../transport/run.ts'
import { createComparisons } from './comparisons.ts'
import { createObjects } from './objects.ts'
import { patchFlags, rawFlags } from './tree-flags.ts'

function made(t: TestContext, flags: readonly string[]) {
  const remote = createRemote(t)
  const inner = createRunner({ home: temporaryFolder(t), path: usualPath, timeoutMs: 10_000 })
  t.after(async () => await inner.close())
  const children: number[] = []
  const start: Runner['start'] = (call) => {
    const child = inner.start(call)
    children.push(child.pid ?? 0)
    return child
  }
  const comparisons = createComparisons(
    { ...inner, start },
    remote.directory,
    flags,
    createObjects(inner, remote.directory, () => undefined),
  )
  const treeOf = (commit: string) => remote.git(['rev-parse', `${commit}^{tree}`])
  /** The output of a process of its own. */
  const printed = async (before: string, after: string) => {
    const args = ['diff-tree', ...flags, '--end-of-options', before, after]
    return (await inner.run({ gitDir: remote.directory, args })).stdout
  }
  return { remote, comparisons, children, treeOf, printed }
}

for (const [name, flags] of [
  ['files', rawFlags],
  ['patches', patchFlags],
] as const) {
  test(`${name} of trees are those that a process of its own prints`, async (t) => {
    const { remote, comparisons, children, treeOf, printed } = made(t, flags)
    const odd = {
      'end-1\nend-2': 'a\n',
      'dir/ü\t"x"': 'no line break',
      'dir/kept': 'same\n',
      binary: Buffer.from([0, 255, 10]),
    }
    const commits = [
      remote.commit('main', { 'a.md': 'one\n' }),
      remote.commit('main', odd),
      remote.commit('main', { 'a.md': null, 'b.md': 'one\n', binary: Buffer.from([0, 1, 10]) }),
      remote.commit('main', { 'end-1\nend-2': null, 'dir/ü\t"x"': 'changed' }),
    ]
    const trees = commits.map(treeOf)
    const pairs = trees.flatMap((before) => trees.map((after) => [before, after] as const))
    const found = await Promise.all(pairs.map(async ([before, after]) => await comparisons.ofTrees(before, after)))
    for (const [at, [before, after]] of pairs.entries()) {
      assert.equal(
        found[at]?.toString('latin1'),
        (await printed(before, after)).toString('latin1'),
        `${before} ${after}`,
      )
    }
    assert.equal(children.length, 1)
  })
}

test('a missing tree, a long response and a killed process leave it to the caller', async (t) => {
  const { remote, comparisons, children, treeOf, printed } = made(t, patchFlags)
  const [first, second] = [treeOf(remote.commit('main', { a: 'one\n' })), treeOf(remote.commit('main', { a: 'two\n' }))]
  const long = treeOf(remote.commit('main', { b: 'line\n'.repeat(1_000_000) }))
  const expected = (await printed(first, second)).toString()
  const isFound = async () => assert.equal((await comparisons.ofTrees(first, second))?.toString(), expected)
  await isFound()
  for (const oid of ['f'.repeat(40), 'main', `${first}\n${first}`, '']) {
    assert.equal(await comparisons.ofTrees(first, oid), undefined)
    assert.equal(await comparisons.ofTrees(oid, first), undefined)
    await isFound()
  }
  assert.equal(children.length, 1)
  assert.equal(await comparisons.ofTrees(first, long), undefined)
  await isFound()
  process.kill(children.at(-1) ?? 0, 'SIGKILL')
  const afterKill = await comparisons.ofTrees(first, second)
  assert.ok(afterKill === undefined || afterKill.toString() === expected)
  await isFound()
  assert.equal(children.length, 3)
  await comparisons.end()
  await isFound()
})

test('a process that was asked 500 times is replaced, and no request is lost', async (t) => {
  const { remote, comparisons, children, treeOf, printed } = made(t, rawFlags)
  const [first, second] = [treeOf(remote.commit('main', { a: '1' })), treeOf(remote.commit('main', { a: '2' }))]
  const expected = await printed(first, second)
  const found = await Promise.all(Array.from({ length: 1_001 }, () => comparisons.ofTrees(first, second)))
  assert.ok(found.every((one) => one?.equals(expected)))
  assert.equal(children.length, 3)
})

test('a process ends before it keeps much, and large folders are left to the caller', async (t) => {
  const { remote, comparisons, children } = made(t, rawFlags)
  const blob = Buffer.alloc(20, 1)
  const treeWith = (files: number) => {
    const entries = Array.from({ length: files }, (_, n) => [
      Buffer.from(`100644 file-${String(n).padStart(5, '0')}\0`),
      blob,
    ])
    return writeObject(remote.directory, 'tree', Buffer.concat(entries.flat()))
  }
  const [first, second, large] = [treeWith(25_000), treeWith(24_999), treeWith(50_000)]
  for (let n = 0; n < 15; n += 1) assert.ok((await comparisons.ofTrees(first, second))?.includes('file-24999'))
  assert.equal(children.length, 2)
  assert.equal(await comparisons.ofTrees(first, large), undefined)
  assert.equal(children.length, 2)
})
