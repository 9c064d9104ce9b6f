import assert from 'node:assert/strict'
import { cpSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { createRemote, plainGit, signal, testGit } from '../../test/support/git-remote.ts'
import { type GitServer, serveGit } from '../../test/support/git-server.ts'
import type { Oid, Repository } from './types.ts'

const branch = 'docent/job_1'
const wanted = { branch: 'main', branches: [branch] }

/** A repository with four commits, and a fork of it that has the first two. Each is behind a server of its own. */
async function forked(t: TestContext) {
  const remote = createRemote(t)
  for (const text of ['a', 'b']) remote.commit('main', { [`${text}.md`]: text })
  const directory = join(dirname(remote.directory), 'fork.git')
  cpSync(remote.directory, directory, { recursive: true })
  for (const text of ['c', 'd']) remote.commit('main', { [`${text}.md`]: text })
  const [upstream, fork] = [await serveGit(t, remote.directory), await serveGit(t, directory)]
  const git = await testGit(t, { privateHosts: [upstream.host, fork.host] })
  const open = () => git.repository('prj_test', upstream.address, fork.address)
  const inFork = (...args: string[]) => plainGit(directory, args)
  return { remote, upstream, fork, git, open, repository: open(), inFork }
}

async function change(repository: Repository, parent: Oid, content: string): Promise<Oid> {
  const edits = [{ path: 'mine.md', content: Buffer.from(content), mode: '100644' as const }]
  return await repository.commit({ parent, edits, message: 'x', date: new Date(0) })
}

const posts = ({ requests }: GitServer) => requests.filter((request) => request.includes('receive-pack'))

test('the base comes from the repository, and the branch of a job goes to the fork', async (t) => {
  const { remote, upstream, repository, inFork } = await forked(t)
  const { base, heads } = await repository.fetch(wanted, signal())
  assert.deepEqual([base.commit, heads.size], [remote.head('main'), 0])
  const commit = await change(repository, base.commit, 'one')
  assert.deepEqual(await repository.push({ branch, commit, expected: null }, signal()), { kind: 'pushed' })
  assert.deepEqual([inFork('rev-parse', branch), remote.head(branch)], [commit, null])
  assert.deepEqual(posts(upstream), [])
  assert.equal((await repository.fetch(wanted, signal())).heads.get(branch), commit)
})

test('a commit of a person in the fork is found, and a moved branch is not overwritten', async (t) => {
  const { repository, inFork } = await forked(t)
  const { base } = await repository.fetch(wanted, signal())
  const commit = await change(repository, base.commit, 'one')
  await repository.push({ branch, commit, expected: null }, signal())
  const tree = inFork('rev-parse', `${branch}^{tree}`)
  const theirs = inFork('commit-tree', '-m', 'Theirs', '-p', commit, tree)
  inFork('update-ref', `refs/heads/${branch}`, theirs)
  const mine = await change(repository, commit, 'two')
  const moved = await repository.push({ branch, commit: mine, expected: commit }, signal())
  assert.deepEqual(moved, { kind: 'moved', head: theirs })
  assert.equal((await repository.fetch(wanted, signal())).heads.get(branch), theirs)
  await assert.rejects(repository.restoreBranch({ branch, expected: mine, to: null }, signal()), {
    code: 'branch_conflict',
  })
  await repository.restoreBranch({ branch, expected: theirs, to: null }, signal())
  assert.equal((await repository.fetch(wanted, signal())).heads.size, 0)
})

test('a mirror without history takes the branch of the fork, and its history arrives', async (t) => {
  const { git, open, repository, remote } = await forked(t)
  const { base } = await repository.fetch(wanted, signal())
  const commit = await change(repository, base.commit, 'one')
  await repository.push({ branch, commit, expected: null }, signal())
  await git.remove('prj_test')
  const again = open()
  assert.equal((await again.fetch(wanted, signal())).heads.get(branch), commit)
  again.bringHistory()
  const first = remote.git(['rev-list', '--max-parents=0', 'main'])
  assert.equal(await again.contains(first, signal()), true)
  assert.equal(await again.mergeBase(commit, base.commit, signal()), base.commit)
})

test('a branch of the repository comes before one of the same name in the fork', async (t) => {
  const { remote, repository, inFork } = await forked(t)
  inFork('branch', branch, 'main')
  const commit = remote.commit(branch, { 'e.md': 'e' })
  remote.commit('main', { 'f.md': 'f' })
  const refs = await repository.fetch({ branch, branches: [branch] }, signal())
  assert.equal(refs.base.commit, commit)
})

test('the rights are those to read the repository and to push to the fork', async (t) => {
  const { upstream, fork, repository } = await forked(t)
  const refusesPush = (server: GitServer) => {
    server.fault = ({ url }) => (url?.includes('receive-pack') ? { kind: 'answer', status: 403 } : undefined)
  }
  refusesPush(upstream)
  assert.deepEqual((await repository.probeAccess(signal())).push, 'yes')
  refusesPush(fork)
  const refused = await repository.probeAccess(signal())
  assert.deepEqual([refused.read, refused.push, refused.code], ['yes', 'no', 'forge_right_missing'])
  assert.match(refused.detail, /^The fork http/)
  fork.fault = undefined
  upstream.fault = () => ({ kind: 'answer', status: 404 })
  assert.equal((await repository.probeAccess(signal())).read, 'no')
})
