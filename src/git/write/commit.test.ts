import assert from 'node:assert/strict'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { plainGit, signal, temporaryFolder, testRepository } from '../../../test/support/git-remote.ts'
import type { Edit } from '../types.ts'

const wantsMain = { branch: 'main', branches: [] }
const file = (path: string, content: string | null, mode: Edit['mode'] = '100644'): Edit => ({
  path,
  content: content === null ? null : Buffer.from(content),
  mode,
})

test('a commit holds the message, the dates and the identity, byte for byte', async (t) => {
  const directory = temporaryFolder(t)
  const { remote, repository } = await testRepository(t, { directory, identity: { name: 'Do<ce\nnt', email: 'd@e>' } })
  const parent = remote.commit('main', { 'a.md': 'a' })
  await repository.fetch(wantsMain, signal())
  const message = 'Title\n\nfrom 1234\n\0dä\ud800ta 5\n# kept'
  const oid = await repository.commit({
    parent,
    edits: [file('b.md', 'b')],
    message,
    date: new Date(1_234_567_890_999),
  })
  const raw = plainGit(join(directory, 'prj_test.git'), ['cat-file', 'commit', oid])
  const tree = plainGit(join(directory, 'prj_test.git'), ['rev-parse', `${oid}^{tree}`])
  const person = 'Docent <d@e> 1234567890 +0000'
  const body = 'Title\n\nfrom 1234\ndä\ufffdta 5\n# kept'
  assert.equal(raw, `tree ${tree}\nparent ${parent}\nauthor ${person}\ncommitter ${person}\n\n${body}`)
})

test('the same input makes the same commit, in any order', async (t) => {
  const edits = [file('b.md', 'b'), file('a.md', null), file('run.sh', 'x', '100755')]
  const oids = []
  for (const order of [edits, edits.toReversed()]) {
    const { remote, repository } = await testRepository(t)
    const parent = remote.commit('main', { 'a.md': 'a' })
    await repository.fetch(wantsMain, signal())
    oids.push(await repository.commit({ parent, edits: order, message: 'x', date: new Date(0) }))
  }
  assert.equal(oids[0], oids[1])
  assert.equal(oids[0], '3244b478959f1fae6b68ff191734bf17a469b1f9')
})

test('edits that change nothing give the parent, and no edits too', async (t) => {
  const { remote, repository } = await testRepository(t)
  const parent = remote.commit('main', { 'a.md': 'a' })
  await repository.fetch(wantsMain, signal())
  for (const edits of [[], [file('a.md', 'a')], [file('never.md', null)]]) {
    assert.equal(await repository.commit({ parent, edits, message: 'x', date: new Date(0) }), parent)
  }
})

test('concurrent commits do not affect each other and leave no ref', async (t) => {
  const directory = temporaryFolder(t)
  const { remote, repository } = await testRepository(t, { directory })
  const parent = remote.commit('main', { 'a.md': 'a' })
  await repository.fetch(wantsMain, signal())
  const oids = await Promise.all(
    Array.from(
      { length: 20 },
      async (_, index) =>
        await repository.commit({ parent, edits: [file(`${index % 10}.md`, 'x')], message: 'x', date: new Date(0) }),
    ),
  )
  assert.equal(new Set(oids).size, 10)
  const mirror = join(directory, 'prj_test.git')
  assert.equal(plainGit(mirror, ['for-each-ref', '--format=%(refname)']), 'refs/heads/main')
  for (const oid of oids) plainGit(mirror, ['fsck', '--strict', '--no-dangling', oid])
})

test('edits that no file system should get are refused', async (t) => {
  const { remote, repository } = await testRepository(t)
  const link = remote.git(['hash-object', '-w', '--stdin'], '/etc')
  remote.commit('main', { 'a.md': 'a', 'dir/b.md': 'b' })
  const tree = remote.git(['ls-tree', 'main'])
  const odd = remote.git(['mktree'], `${tree}\n120000 blob ${link}\tlink\n`)
  const parent = remote.git(['commit-tree', '-m', 'odd', odd])
  remote.git(['update-ref', 'refs/heads/main', parent])
  await repository.fetch(wantsMain, signal())
  for (const path of [
    '.git/config',
    '.GIT/x',
    '../x',
    '/x',
    'a.md/b',
    'dir',
    'link',
    'link/x',
    'A.md',
    'x\ny',
    'aux',
  ]) {
    const input = { parent, edits: [file(path, 'x')], message: 'x', date: new Date(0) }
    await assert.rejects(repository.commit(input), { code: 'path_refused' }, path)
  }
  const twice = { parent, edits: [file('x', '1'), file('x/y', '2')], message: 'x', date: new Date(0) }
  await assert.rejects(repository.commit(twice), { code: 'path_refused' })
  const swap = { parent, edits: [file('dir', 'now a file'), file('dir/b.md', null)], message: 'x', date: new Date(0) }
  assert.equal((await repository.tree(await repository.commit(swap))).entry('dir')?.kind, 'file')
})

test('missing objects and invalid dates are failures, not damage', async (t) => {
  const directory = temporaryFolder(t)
  const { remote, repository } = await testRepository(t, { directory })
  const parent = remote.commit('main', { 'a.md': 'a' })
  await repository.fetch(wantsMain, signal())
  writeFileSync(join(directory, 'prj_test.git/witness'), '')
  const unknown = 'f'.repeat(40)
  const notIn = { code: 'internal', message: /not in the mirror/ }
  const edits = [file('b.md', 'b')]
  await assert.rejects(repository.tree(unknown), notIn)
  await assert.rejects(repository.commit({ parent: unknown, edits, message: 'x', date: new Date(0) }), notIn)
  await assert.rejects(repository.diff(parent, unknown), notIn)
  await assert.rejects(repository.diffFiles(unknown, parent), notIn)
  await assert.rejects(repository.isAncestor(unknown, parent, signal()), notIn)
  await assert.rejects(repository.transplant(unknown, parent), notIn)
  await assert.rejects(repository.push({ branch: 'x', commit: unknown, expected: null }, signal()), notIn)
  await assert.rejects(repository.tree('main'), { code: 'internal', message: /object id/ })
  await assert.rejects(repository.commit({ parent, edits, message: 'x', date: new Date(Number.NaN) }), {
    code: 'internal',
  })
  await repository.fetch(wantsMain, signal())
  assert.ok(readdirSync(join(directory, 'prj_test.git')).includes('witness'), 'the mirror was not made again')
})
