import assert from 'node:assert/strict'
import { writeFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { signal } from '../../../test/support/git-remote.ts'
import { servedRepository } from '../../../test/support/git-server.ts'

const ref = 'refs/docent/run_1'

async function prepared(t: TestContext) {
  const served = await servedRepository(t)
  const { base } = await served.repository.fetch({ branch: 'main', branches: [] }, signal())
  const commit = async (content: string): Promise<string> => {
    const edits = [{ path: 'b.md', content: Buffer.from(content), mode: '100644' as const }]
    return await served.repository.commit({ parent: base.commit, edits, message: 'b\n\nRun: run_1', date: new Date(0) })
  }
  const at = (name: string): string => served.remote.git(['for-each-ref', '--format=%(objectname)', name])
  return { ...served, base: base.commit, commit, at }
}

test('a commit is pushed to a temporary ref, replaced there, and deleted again', async (t) => {
  const { repository, remote, commit, at } = await prepared(t)
  const first = await commit('first')
  await repository.pushObject({ commit: first, ref }, signal())
  await repository.pushObject({ commit: first, ref }, signal())
  assert.equal(at(ref), first)
  const second = await commit('second')
  await repository.pushObject({ commit: second, ref }, signal())
  assert.equal(at(ref), second)
  assert.equal(remote.git(['for-each-ref', 'refs/heads/']).split('\n').length, 1)
  await repository.deleteRef(ref, signal())
  await repository.deleteRef(ref, signal())
  assert.equal(at(ref), '')
})

test('only refs of the service are replaced and deleted', async (t) => {
  const { repository, base, server } = await prepared(t)
  const before = server.requests.length
  for (const bad of ['refs/heads/main', 'refs/docent/', 'refs/docent/a/../../heads/main', 'refs/docent/a b', 'main']) {
    await assert.rejects(repository.pushObject({ commit: base, ref: bad }, signal()), { code: 'internal' })
    await assert.rejects(repository.deleteRef(bad, signal()), { code: 'internal' })
  }
  assert.equal(server.requests.length, before)
})

test('a lost response to the push or the deletion is no harm', async (t) => {
  const { repository, server, commit, at } = await prepared(t)
  const oid = await commit('x')
  const lose = (): void => {
    server.fault = (request) => {
      if (request.method !== 'POST') return undefined
      server.fault = undefined
      return { kind: 'lose answer' }
    }
  }
  lose()
  await repository.pushObject({ commit: oid, ref }, signal())
  assert.equal(at(ref), oid)
  lose()
  await repository.deleteRef(ref, signal())
  assert.equal(at(ref), '')
})

test('a host that refuses the ref is quoted', async (t) => {
  const { repository, remote, commit } = await prepared(t)
  const oid = await commit('x')
  mkdirSync(join(remote.directory, 'hooks'))
  writeFileSync(join(remote.directory, 'hooks/update'), '#!/bin/sh\necho no such refs >&2\nexit 1\n', { mode: 0o755 })
  const push = repository.pushObject({ commit: oid, ref }, signal())
  await assert.rejects(push, { code: 'forge_refused', message: /hook declined.*no such refs/ })
})

test('a commit that the host made from the pushed tree is brought into the mirror', async (t) => {
  const { repository, remote, base, commit, server } = await prepared(t)
  const own = await commit('x')
  await repository.pushObject({ commit: own, ref }, signal())
  const { tree, parents, message } = await repository.commitFacts(own)
  assert.deepEqual([parents, message], [[base], 'b\n\nRun: run_1\n'])
  const hosted = remote.git(['commit-tree', tree, '-p', base, '-m', 'Of the host'])
  remote.git(['update-ref', 'refs/heads/docent/job_1', hosted])
  assert.notEqual(hosted, own)
  const facts = await repository.fetchCommit(hosted, 'docent/job_1', signal())
  assert.deepEqual(facts, { tree, parents: [base], message: 'Of the host\n', date: new Date(1_700_000_000_000) })
  assert.equal(await repository.sameTree(hosted, own), true)
  // It is there now, so that no request is needed.
  const before = server.requests.length
  await repository.fetchCommit(hosted, 'docent/job_1', signal())
  assert.equal(server.requests.length, before)
})

test('a commit that the branch does not hold yet may be tried again', async (t) => {
  const { repository, remote, base, commit } = await prepared(t)
  const own = await commit('x')
  await repository.pushObject({ commit: own, ref }, signal())
  const { tree } = await repository.commitFacts(own)
  const hosted = remote.git(['commit-tree', tree, '-p', base, '-m', 'Of the host'])
  remote.git(['update-ref', 'refs/heads/docent/job_1', base])
  const fetch = repository.fetchCommit(hosted, 'docent/job_1', signal())
  await assert.rejects(fetch, { code: 'repository_unreachable', message: /does not hold/ })
  const none = repository.fetchCommit(hosted, 'docent/missing', signal())
  await assert.rejects(none, { code: 'repository_unreachable' })
})
