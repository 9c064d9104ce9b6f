import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { Files } from '../../../test/support/git-objects.ts'
import { plainGit, signal, temporaryFolder, testRepository } from '../../../test/support/git-remote.ts'
import type { Edit, Repository } from '../types.ts'

type Made = {
  readonly repository: Repository
  readonly base: string
  /** The commit of a run on the base, which exists in the mirror only. */
  readonly mine: string
  /** A person's change of the base, on the branch main. */
  readonly theirs: string
  readonly mirror: string
}

const text = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\n'
const date = new Date(1_600_000_000_000)

async function forked(t: TestContext, base: Files, mine: Files, theirs: Files): Promise<Made> {
  const directory = temporaryFolder(t)
  const { remote, repository } = await testRepository(t, { directory })
  const first = remote.commit('main', base)
  await repository.fetch({ branch: 'main', branches: [] }, signal())
  const edits: Edit[] = Object.entries(mine).map(([path, content]) => ({
    path,
    content: content === null ? null : Buffer.from(content),
    mode: '100644',
  }))
  const commit = await repository.commit({ parent: first, edits, message: 'Mine\n\ntrailer: x', date })
  const other = remote.commit('main', theirs, 'Theirs')
  await repository.fetch({ branch: 'main', branches: [] }, signal())
  return { repository, base: first, mine: commit, theirs: other, mirror: join(directory, 'prj_test.git') }
}

async function contents(repository: Repository, commit: string): Promise<Record<string, string>> {
  const tree = await repository.tree(commit)
  const read = tree
    .entries()
    .map(async ({ path }) => [path, Buffer.from((await tree.read(path)) ?? []).toString()] as const)
  return Object.fromEntries(await Promise.all(read))
}

test('a change is applied to a moved head with its message, author and dates', async (t) => {
  const mine = { 'a.md': text.replace('one', 'ONE'), 'new.md': 'new\n', 'gone.md': null }
  const theirs = { 'a.md': text.replace('seven', 'SEVEN'), 'theirs.md': 'x\n' }
  const made = await forked(t, { 'a.md': text, 'gone.md': 'g\n' }, mine, theirs)
  const applied = await made.repository.transplant(made.mine, made.theirs)
  assert.ok(applied.kind === 'clean')
  assert.deepEqual(await contents(made.repository, applied.commit), {
    'a.md': text.replace('one', 'ONE').replace('seven', 'SEVEN'),
    'new.md': 'new\n',
    'theirs.md': 'x\n',
  })
  const shown = plainGit(made.mirror, ['show', '-s', '--format=%P|%an|%ae|%at|%cn|%ct|%B', applied.commit])
  assert.equal(shown, `${made.theirs}|Docent|docent@example.com|1600000000|Docent|1600000000|Mine\n\ntrailer: x`)
  assert.deepEqual(await made.repository.transplant(made.mine, made.theirs), applied)
  plainGit(made.mirror, ['fsck', '--strict', '--no-dangling', applied.commit])
})

test('a change is applied to a rewritten branch without common history', async (t) => {
  const made = await forked(t, { 'a.md': text }, { 'a.md': text.replace('two', 'TWO') }, { 'a.md': text })
  const tree = plainGit(made.mirror, ['rev-parse', `${made.theirs}^{tree}`])
  const orphan = plainGit(made.mirror, ['commit-tree', '-m', 'rewritten', tree])
  const applied = await made.repository.transplant(made.mine, orphan)
  assert.ok(applied.kind === 'clean')
  assert.deepEqual(await contents(made.repository, applied.commit), { 'a.md': text.replace('two', 'TWO') })
  assert.equal(plainGit(made.mirror, ['rev-parse', `${applied.commit}^`]), orphan)
})

test('a change that is already there needs no new commit', async (t) => {
  const change = { 'a.md': 'changed\n' }
  const made = await forked(t, { 'a.md': text }, change, change)
  assert.deepEqual(await made.repository.transplant(made.mine, made.theirs), { kind: 'clean', commit: made.theirs })
  assert.deepEqual(await made.repository.transplant(made.mine, made.base), { kind: 'clean', commit: made.mine })
  await assert.rejects(made.repository.transplant(made.base, made.mine), { code: 'internal', message: /no parent/ })
})

test('a conflict names the paths and changes nothing', async (t) => {
  const base = { 'a.md': text, 'ü b.md': text, 'gone.md': 'x\n', 'ok.md': text }
  const mine = {
    'a.md': 'mine\n',
    'ü b.md': 'mine\n',
    'gone.md': 'changed\n',
    'ok.md': text.replace('one', 'ONE'),
    both: 'mine\n',
  }
  const theirs = {
    'a.md': 'theirs\n',
    'ü b.md': 'theirs\n',
    'gone.md': null,
    'ok.md': text.replace('six', 'SIX'),
    both: 'theirs\n',
  }
  const made = await forked(t, base, mine, theirs)
  const conflict = { kind: 'conflict', paths: ['a.md', 'both', 'gone.md', 'ü b.md'] }
  assert.deepEqual(await made.repository.transplant(made.mine, made.theirs), conflict)
  const merge = { into: made.theirs, from: made.mine, message: 'x', date }
  assert.deepEqual(await made.repository.merge(merge), conflict)
  const folder = await forked(t, { 'a.md': text }, { 'dir/x': 'a file\n' }, { dir: 'a file where mine has a folder\n' })
  assert.equal((await folder.repository.transplant(folder.mine, folder.theirs)).kind, 'conflict')
})

test('a merge fast-forwards, does nothing when done, or makes a merge commit', async (t) => {
  const made = await forked(t, { 'a.md': text }, { 'b.md': 'b\n' }, { 'c.md': 'c\n' })
  const { repository, base, mine, theirs } = made
  assert.deepEqual(await repository.merge({ into: base, from: mine, message: 'x', date }), {
    kind: 'clean',
    commit: mine,
  })
  assert.deepEqual(await repository.merge({ into: mine, from: base, message: 'x', date }), {
    kind: 'clean',
    commit: mine,
  })
  assert.deepEqual(await repository.merge({ into: mine, from: mine, message: 'x', date }), {
    kind: 'clean',
    commit: mine,
  })
  const merged = await repository.merge({ into: theirs, from: mine, message: 'Merge\0 it', date })
  assert.ok(merged.kind === 'clean')
  assert.equal(
    plainGit(made.mirror, ['show', '-s', '--format=%P|%at|%B', merged.commit]),
    `${theirs} ${mine}|1600000000|Merge it`,
  )
  assert.deepEqual(await contents(repository, merged.commit), { 'a.md': text, 'b.md': 'b\n', 'c.md': 'c\n' })
  assert.deepEqual(await repository.merge({ into: theirs, from: mine, message: 'Merge\0 it', date }), merged)
  assert.equal(await repository.isAncestor(base, merged.commit), true)
  assert.equal(await repository.isAncestor(merged.commit, base), false)
})

test('branches without a common history are not merged', async (t) => {
  const made = await forked(t, { 'a.md': text }, { 'b.md': 'b\n' }, { 'c.md': 'c\n' })
  const tree = plainGit(made.mirror, ['rev-parse', `${made.theirs}^{tree}`])
  const orphan = plainGit(made.mirror, ['commit-tree', '-m', 'orphan', tree])
  const merge = made.repository.merge({ into: orphan, from: made.mine, message: 'x', date })
  await assert.rejects(merge, { code: 'merge_conflict', message: /no common history/ })
})

test('a merge driver that attributes name does not run', async (t) => {
  const attributes = { '.gitattributes': '*.md merge=evil\n' }
  const made = await forked(t, { ...attributes, 'a.md': text }, { 'a.md': 'mine\n' }, { 'a.md': 'theirs\n' })
  const witness = join(made.mirror, 'ran')
  plainGit(made.mirror, ['config', 'merge.evil.driver', `touch ${witness}`])
  assert.equal((await made.repository.transplant(made.mine, made.theirs)).kind, 'conflict')
  assert.throws(() => plainGit(made.mirror, ['hash-object', witness]))
})
