import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signal } from '../../../test/support/git-remote.ts'
import { servedRepository } from '../../../test/support/git-server.ts'

const branch = 'docent/check-1'

test('a branch at the expected commit is deleted, and twice is no failure', async (t) => {
  const { remote, repository } = await servedRepository(t)
  const commit = remote.commit(branch, { 'b.md': 'b' })
  await repository.fetch({ branch: 'main', branches: [branch] }, signal())
  await repository.deleteBranch(branch, commit, signal())
  assert.equal(remote.head(branch), null)
  await repository.deleteBranch(branch, commit, signal())
  assert.notEqual(remote.head('main'), null)
})

test('a branch that has moved stays', async (t) => {
  const { remote, repository } = await servedRepository(t)
  const before = remote.commit(branch, { 'b.md': 'b' })
  await repository.fetch({ branch: 'main', branches: [branch] }, signal())
  const after = remote.commit(branch, { 'b.md': 'c' })
  await assert.rejects(repository.deleteBranch(branch, before, signal()), { code: 'branch_conflict' })
  assert.equal(remote.head(branch), after)
})

test('a branch that the host does not let go stays, and its words are shown', async (t) => {
  const { remote, repository } = await servedRepository(t)
  const commit = remote.commit(branch, { 'b.md': 'b' })
  await repository.fetch({ branch: 'main', branches: [branch] }, signal())
  remote.git(['config', 'receive.denyDeletes', 'true'])
  await assert.rejects(repository.deleteBranch(branch, commit, signal()), {
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
  await repository.deleteBranch(branch, commit, signal())
  assert.equal(remote.head(branch), null)
})
