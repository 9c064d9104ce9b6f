import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signal } from '../../../test/support/git-remote.ts'
import { servedRepository } from '../../../test/support/git-server.ts'

const branch = 'docent/check-1'

test('a branch at the expected commit is deleted, and twice is no failure', async (t) => {
  const { remote, repository } = await servedRepository(t)
  const commit = remote.commit(branch, { 'b.md': 'b' })
  await repository.fetch({ branch: 'main', branches: [branch] }, signal())
  await repository.restoreBranch({ branch, expected: commit, to: null }, signal())
  assert.equal(remote.head(branch), null)
  await repository.restoreBranch({ branch, expected: commit, to: null }, signal())
  assert.notEqual(remote.head('main'), null)
})

test('a branch that has moved stays', async (t) => {
  const { remote, repository } = await servedRepository(t)
  const before = remote.commit(branch, { 'b.md': 'b' })
  await repository.fetch({ branch: 'main', branches: [branch] }, signal())
  const after = remote.commit(branch, { 'b.md': 'c' })
  await assert.rejects(repository.restoreBranch({ branch, expected: before, to: null }, signal()), {
    code: 'branch_conflict',
  })
  assert.equal(remote.head(branch), after)
})

test('a branch that the host does not let go stays, and its words are shown', async (t) => {
  const { remote, repository } = await servedRepository(t)
  const commit = remote.commit(branch, { 'b.md': 'b' })
  await repository.fetch({ branch: 'main', branches: [branch] }, signal())
  remote.git(['config', 'receive.denyDeletes', 'true'])
  await assert.rejects(repository.restoreBranch({ branch, expected: commit, to: null }, signal()), {
    code: 'forge_refused',
    message: /deletion/,
  })
  assert.equal(remote.head(branch), commit)
})

test('a deletion whose response is lost has happened', async (t) => {
  const { server, remote, repository } = await servedRepository(t)
  const commit = remote.commit(branch, { 'b.md': 'b' })
  await repository.fetch({ branch: 'main', branches: [branch] }, signal())
  server.fault = ({ method }) =>
    method === 'POST' && remote.head(branch) !== null ? { kind: 'lose answer' } : undefined
  await repository.restoreBranch({ branch, expected: commit, to: null }, signal())
  assert.equal(remote.head(branch), null)
})

test('a branch is put back to an earlier commit, and one that is gone is not created', async (t) => {
  const { server, remote, repository } = await servedRepository(t)
  const to = remote.commit(branch, { 'b.md': 'b' })
  await repository.fetch({ branch: 'main', branches: [branch] }, signal())
  const expected = remote.commit(branch, { 'b.md': 'c' })
  server.fault = ({ method }) =>
    method === 'POST' && remote.head(branch) === expected ? { kind: 'lose answer' } : undefined
  await repository.restoreBranch({ branch, expected, to }, signal())
  assert.equal(remote.head(branch), to)
  await repository.restoreBranch({ branch, expected, to }, signal())
  const theirs = remote.commit(branch, { 'b.md': 'd' })
  await assert.rejects(repository.restoreBranch({ branch, expected, to }, signal()), { code: 'branch_conflict' })
  assert.equal(remote.head(branch), theirs)
  remote.git(['update-ref', '-d', `refs/heads/${branch}`])
  await repository.restoreBranch({ branch, expected, to }, signal())
  assert.equal(remote.head(branch), null)
})
