import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { Files } from '../../../test/support/git-objects.ts'
import { plainGit, signal, temporaryFolder, testRepository } from '../../../test/support/git-remote.ts'
import type { Edit, Repository } from '../types.ts'

/** Two commits on top of `base`. */
type Fork = {
  readonly repository: Repository
  readonly base: string
  /** A run's commit; only the mirror has it. */
  readonly mine: string
  /** A person's commit, on the branch main. */
  readonly theirs: string
  readonly mirror: string
}

const text = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\n'
const date = new Date(1_600_000_000_000)

type Changes = { readonly base: Files; readonly mine: Files; readonly theirs: Files }

async function createFork(t: TestContext, files: Changes): Promise<Fork> {
  const directory = temporaryFolder(t)
  const { remote, repository } = await testRepository(t, { directory })
  const base = remote.commit('main', files.base)
  await repository.fetch({ branch: 'main', branches: [] }, signal())
  const edits: Edit[] = Object.entries(files.mine).map(([path, content]) => ({
    path,
    content: content === null ? null : Buffer.from(content),
    mode: '100644',
  }))
  const mine = await repository.commit({ parent: base, edits, message: 'Mine\n\ntrailer: x', date })
  const theirs = remote.commit('main', files.theirs, 'Theirs')
  await repository.fetch({ branch: 'main', branches: [] }, signal())
  return { repository, base, mine, theirs, mirror: join(directory, 'prj_test.git') }
}

async function contents(repository: Repository, commit: string): Promise<Record<string, string>> {
  const tree = await repository.tree(commit)
  const read = tree
    .entries()
    .map(async ({ path }) => [path, Buffer.from((await tree.read(path)) ?? []).toString()] as const)
  return Object.fromEntries(await Promise.all(read))
}

test('a signature is left out, because it holds for the original alone', async (t) => {
  const changes = { base: { 'a.md': text }, mine: { 'b.md': 'b\n' }, theirs: { 'c.md': 'c\n' } }
  const { repository, mine, theirs, mirror } = await createFork(t, changes)
  const plain = plainGit(mirror, ['cat-file', 'commit', mine])
  const signature = 'gpgsig -----BEGIN SSH SIGNATURE-----\n abc\n \n -----END SSH SIGNATURE-----'
  const object = `${plain.replace(/^(committer .*)$/m, `$1\n${signature}`)}\n`
  const signed = plainGit(mirror, ['hash-object', '-t', 'commit', '-w', '--stdin'], object)
  const [one, other] = await Promise.all([mine, signed].map((commit) => repository.transplant(commit, theirs)))
  assert.notEqual(signed, mine)
  assert.deepEqual(one, other)
})

test('a change is applied to a head that has moved, with its message, author and dates', async (t) => {
  const mine = { 'a.md': text.replace('one', 'ONE'), 'new.md': 'new\n', 'gone.md': null }
  const theirs = { 'a.md': text.replace('seven', 'SEVEN'), 'theirs.md': 'x\n' }
  const fork = await createFork(t, { base: { 'a.md': text, 'gone.md': 'g\n' }, mine, theirs })
  const applied = await fork.repository.transplant(fork.mine, fork.theirs)
  assert.ok(applied.kind === 'clean')
  assert.deepEqual(await contents(fork.repository, applied.commit), {
    'a.md': text.replace('one', 'ONE').replace('seven', 'SEVEN'),
    'new.md': 'new\n',
    'theirs.md': 'x\n',
  })
  const shown = plainGit(fork.mirror, ['show', '-s', '--format=%P|%an|%ae|%at|%cn|%ct|%B', applied.commit])
  assert.equal(shown, `${fork.theirs}|Docent|docent@example.com|1600000000|Docent|1600000000|Mine\n\ntrailer: x`)
  assert.deepEqual(await fork.repository.transplant(fork.mine, fork.theirs), applied)
  plainGit(fork.mirror, ['fsck', '--strict', '--no-dangling', applied.commit])
})

test('a change is applied to a rewritten branch without common history', async (t) => {
  const fork = await createFork(t, {
    base: { 'a.md': text },
    mine: { 'a.md': text.replace('two', 'TWO') },
    theirs: { 'a.md': text },
  })
  const tree = plainGit(fork.mirror, ['rev-parse', `${fork.theirs}^{tree}`])
  const orphan = plainGit(fork.mirror, ['commit-tree', '-m', 'rewritten', tree])
  const applied = await fork.repository.transplant(fork.mine, orphan)
  assert.ok(applied.kind === 'clean')
  assert.deepEqual(await contents(fork.repository, applied.commit), { 'a.md': text.replace('two', 'TWO') })
  assert.equal(plainGit(fork.mirror, ['rev-parse', `${applied.commit}^`]), orphan)
})

test('the merge base of any two commits is the one that git finds', async (t) => {
  const fork = await createFork(t, { base: { 'a.md': text }, mine: { 'b.md': 'b\n' }, theirs: { 'c.md': 'c\n' } })
  const { repository, mirror, base, mine, theirs } = fork
  const merged = await repository.merge({ into: theirs, from: mine, message: 'x', date }, signal())
  assert.ok(merged.kind === 'clean')
  const orphan = plainGit(mirror, ['commit-tree', '-m', 'other', `${base}^{tree}`])
  for (const one of [base, mine, theirs, merged.commit]) {
    for (const other of [base, mine, theirs, merged.commit])
      assert.equal(await repository.mergeBase(one, other, signal()), plainGit(mirror, ['merge-base', one, other]))
    assert.equal(await repository.mergeBase(one, orphan, signal()), null)
  }
})

test('a change that is already there needs no new commit', async (t) => {
  const change = { 'a.md': 'changed\n' }
  const fork = await createFork(t, { base: { 'a.md': text }, mine: change, theirs: change })
  assert.deepEqual(await fork.repository.transplant(fork.mine, fork.theirs), { kind: 'clean', commit: fork.theirs })
  assert.deepEqual(await fork.repository.transplant(fork.mine, fork.base), { kind: 'clean', commit: fork.mine })
})

test('a root commit cannot be applied, because it changes nothing that came before', async (t) => {
  const fork = await createFork(t, { base: { 'a.md': text }, mine: { 'b.md': 'b\n' }, theirs: { 'c.md': 'c\n' } })
  await assert.rejects(fork.repository.transplant(fork.base, fork.mine), { code: 'internal', message: /no parent/ })
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
  const fork = await createFork(t, { base, mine, theirs })
  const conflict = { kind: 'conflict', paths: ['a.md', 'both', 'gone.md', 'ü b.md'] }
  assert.deepEqual(await fork.repository.transplant(fork.mine, fork.theirs), conflict)
  const merge = { into: fork.theirs, from: fork.mine, message: 'x', date }
  assert.deepEqual(await fork.repository.merge(merge, signal()), conflict)
  const folder = await createFork(t, {
    base: { 'a.md': text },
    mine: { 'dir/x': 'a file\n' },
    theirs: { dir: 'a file where mine has a folder\n' },
  })
  assert.equal((await folder.repository.transplant(folder.mine, folder.theirs)).kind, 'conflict')
})

test('a merge fast-forwards, makes a merge commit, or does nothing if already merged', async (t) => {
  const fork = await createFork(t, { base: { 'a.md': text }, mine: { 'b.md': 'b\n' }, theirs: { 'c.md': 'c\n' } })
  const { repository, base, mine, theirs } = fork
  assert.deepEqual(await repository.merge({ into: base, from: mine, message: 'x', date }, signal()), {
    kind: 'clean',
    commit: mine,
  })
  assert.deepEqual(await repository.merge({ into: mine, from: base, message: 'x', date }, signal()), {
    kind: 'clean',
    commit: mine,
  })
  assert.deepEqual(await repository.merge({ into: mine, from: mine, message: 'x', date }, signal()), {
    kind: 'clean',
    commit: mine,
  })
  const merged = await repository.merge({ into: theirs, from: mine, message: 'Merge\0 it', date }, signal())
  assert.ok(merged.kind === 'clean')
  assert.equal(
    plainGit(fork.mirror, ['show', '-s', '--format=%P|%at|%B', merged.commit]),
    `${theirs} ${mine}|1600000000|Merge it`,
  )
  assert.deepEqual(await contents(repository, merged.commit), { 'a.md': text, 'b.md': 'b\n', 'c.md': 'c\n' })
  assert.deepEqual(await repository.merge({ into: theirs, from: mine, message: 'Merge\0 it', date }, signal()), merged)
  assert.equal(await repository.isAncestor(base, merged.commit, signal()), true)
  assert.equal(await repository.isAncestor(merged.commit, base, signal()), false)
})

test('branches without a common history are not merged', async (t) => {
  const fork = await createFork(t, { base: { 'a.md': text }, mine: { 'b.md': 'b\n' }, theirs: { 'c.md': 'c\n' } })
  const tree = plainGit(fork.mirror, ['rev-parse', `${fork.theirs}^{tree}`])
  const orphan = plainGit(fork.mirror, ['commit-tree', '-m', 'orphan', tree])
  const merge = fork.repository.merge({ into: orphan, from: fork.mine, message: 'x', date }, signal())
  await assert.rejects(merge, { code: 'merge_conflict', message: /no common history/ })
})

test('a merge driver named in .gitattributes does not run', async (t) => {
  const attributes = { '.gitattributes': '*.md merge=evil\n' }
  const fork = await createFork(t, {
    base: { ...attributes, 'a.md': text },
    mine: { 'a.md': 'mine\n' },
    theirs: { 'a.md': 'theirs\n' },
  })
  const witness = join(fork.mirror, 'ran')
  plainGit(fork.mirror, ['config', 'merge.evil.driver', `touch ${witness}`])
  assert.equal((await fork.repository.transplant(fork.mine, fork.theirs)).kind, 'conflict')
  assert.ok(!existsSync(witness), 'the merge driver ran')
})
