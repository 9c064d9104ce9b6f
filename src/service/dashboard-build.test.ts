import assert from 'node:assert/strict'
import { mkdir, readFile, utimes, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { removeFolder, temporaryFolder } from '../../test/support/temporary.ts'
import { findBuild, hashSources, listBuilds, publishBuild } from './dashboard-build.ts'

const [first, second] = ['0123456789abcdef', 'fedcba9876543210'] as const

async function openRoot(t: TestContext): Promise<string> {
  const root = await temporaryFolder('builds')
  t.after(() => removeFolder(root))
  return root
}

async function write(root: string, name: string, text: string): Promise<string> {
  const folder = join(root, name)
  await mkdir(join(folder, 'assets'), { recursive: true })
  await writeFile(join(folder, 'index.html'), text)
  return folder
}

test('a build is served only when it is whole', async (t) => {
  const root = await openRoot(t)
  assert.deepEqual(listBuilds(join(root, 'missing')), [])
  const folder = await write(root, '.building-1', 'a')
  await mkdir(join(root, second))
  assert.deepEqual(listBuilds(root), [])
  assert.equal(findBuild(second, root), undefined)
  publishBuild(folder, first, root)
  assert.deepEqual(listBuilds(root), [join(root, first)])
  assert.equal(findBuild(first, root), join(root, first))
})

test('when two processes make the same build, the first wins', async (t) => {
  const root = await openRoot(t)
  publishBuild(await write(root, '.building-1', 'a'), first, root)
  publishBuild(await write(root, '.building-2', 'b'), first, root)
  assert.equal(await readFile(join(root, first, 'index.html'), 'utf8'), 'a')
  assert.throws(() => publishBuild(join(root, 'missing'), second, root), { code: 'ENOENT' })
})

test('the latest build comes first', async (t) => {
  const root = await openRoot(t)
  await write(root, first, 'a')
  await write(root, second, 'b')
  await utimes(join(root, first), 1_000, 2_000)
  await utimes(join(root, second), 1_000, 1_000)
  assert.deepEqual(
    listBuilds(root).map((folder) => basename(folder)),
    [first, second],
  )
})

test('the hash of the sources is that of the build the suites start with', () => {
  assert.notEqual(findBuild(hashSources()), undefined)
})
