import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import {
  type TestRemote,
  createRemote,
  signal,
  testGit,
  testRepository,
  waitForHistory,
} from '../../../test/support/git-remote.ts'
import { type GitServer, serveGit } from '../../../test/support/git-server.ts'
import type { Edit, Oid, Repository } from '../types.ts'

const branch = 'docent/job_1'
const date = new Date(0)

type Made = {
  readonly remote: TestRemote
  readonly server: GitServer
  readonly repository: Repository
  readonly base: Oid
  /** A commit of a run on that parent. */
  readonly change: (parent: Oid, content: string) => Promise<Oid>
}

async function made(t: TestContext): Promise<Made> {
  const remote = createRemote(t)
  const base = remote.commit('main', { 'a.md': 'a' })
  const server = await serveGit(t, remote.directory)
  const git = await testGit(t, { privateHosts: [server.host] })
  const repository = git.repository('prj_test', server.address)
  await repository.fetch({ branch: 'main', branches: [] }, signal())
  const edit = (content: string): Edit => ({ path: 'mine.md', content: Buffer.from(content), mode: '100644' })
  const change = async (parent: Oid, content: string): Promise<Oid> =>
    await repository.commit({ parent, edits: [edit(content)], message: 'x', date })
  return { remote, server, repository, base, change }
}

/** The branch was pushed once. */
async function pushed(t: TestContext): Promise<Made & { readonly first: Oid }> {
  const all = await made(t)
  const first = await all.change(all.base, 'first')
  assert.deepEqual(await all.repository.push({ branch, commit: first, expected: null }, signal()), { kind: 'pushed' })
  return { ...all, first }
}

test('a new branch, the same again, and the next commit on it are pushed', async (t) => {
  const { remote, repository, first, change } = await pushed(t)
  assert.equal(remote.head(branch), first)
  for (const expected of [null, first]) {
    assert.deepEqual(await repository.push({ branch, commit: first, expected }, signal()), { kind: 'pushed' })
  }
  const second = await change(first, 'second')
  assert.deepEqual(await repository.push({ branch, commit: second, expected: first }, signal()), { kind: 'pushed' })
  assert.equal(remote.head(branch), second)
  // The expected commit is outdated, and yet the branch is where it should be.
  assert.deepEqual(await repository.push({ branch, commit: second, expected: first }, signal()), { kind: 'pushed' })
})

test('a pushed branch is known to the mirror: the next fetch transfers nothing', async (t) => {
  const { repository, server, first } = await pushed(t)
  const before = server.requests.length
  const refs = await repository.fetch({ branch: 'main', branches: [branch] }, signal())
  assert.equal(refs.heads.get(branch), first)
  assert.equal(server.requests.length - before, 2)
})

test('a branch that a person moved is left alone, and its head is readable', async (t) => {
  const { remote, repository, first, change } = await pushed(t)
  const theirs = remote.commit(branch, { 'theirs.md': 'x' })
  const second = await change(first, 'second')
  const result = await repository.push({ branch, commit: second, expected: first }, signal())
  assert.deepEqual(result, { kind: 'moved', head: theirs })
  assert.equal(remote.head(branch), theirs)
  assert.equal((await repository.tree(theirs)).entry('theirs.md')?.kind, 'file')
  const applied = await repository.transplant(second, theirs)
  assert.ok(applied.kind === 'clean')
  const again = await repository.push({ branch, commit: applied.commit, expected: theirs }, signal())
  assert.deepEqual(again, { kind: 'pushed' })
})

test('a commit that a person has built on already counts as pushed', async (t) => {
  const { remote, repository, first, change } = await pushed(t)
  const second = await change(first, 'second')
  await repository.push({ branch, commit: second, expected: first }, signal())
  const theirs = remote.commit(branch, { 'theirs.md': 'x' })
  for (const expected of [first, null]) {
    assert.deepEqual(await repository.push({ branch, commit: second, expected }, signal()), { kind: 'pushed' })
  }
  assert.equal(remote.head(branch), theirs)
})

test('a branch that exists unexpectedly or was deleted has moved', async (t) => {
  const { remote, repository, first, base, change } = await pushed(t)
  const other = await change(base, 'other')
  const result = await repository.push({ branch, commit: other, expected: null }, signal())
  assert.deepEqual(result, { kind: 'moved', head: first })
  remote.git(['update-ref', '-d', `refs/heads/${branch}`])
  const second = await change(first, 'second')
  const gone = await repository.push({ branch, commit: second, expected: first }, signal())
  assert.deepEqual(gone, { kind: 'moved', head: null })
  assert.equal(remote.head(branch), null)
})

test('history is never rewritten, even when the lease would allow it', async (t) => {
  const { remote, server, repository, first, base, change } = await pushed(t)
  const sibling = await change(base, 'sibling')
  await waitForHistory(repository)
  const before = server.requests.length
  const push = repository.push({ branch, commit: sibling, expected: first }, signal())
  await assert.rejects(push, { code: 'branch_conflict' })
  await assert.rejects(repository.push({ branch, commit: base, expected: first }, signal()), {
    code: 'branch_conflict',
  })
  assert.equal(server.requests.length, before)
  assert.equal(remote.head(branch), first)
})

test('a person who pushes at the same moment is not overwritten', async (t) => {
  const { remote, server, repository, first, change } = await pushed(t)
  const second = await change(first, 'second')
  let theirs = ''
  // The refs were sent; before the pack arrives a person pushes.
  server.fault = (request) => {
    if (request.method === 'POST' && request.url?.endsWith('git-receive-pack') === true && theirs === '') {
      theirs = remote.commit(branch, { 'theirs.md': 'x' })
    }
    return undefined
  }
  const result = await repository.push({ branch, commit: second, expected: first }, signal())
  assert.deepEqual(result, { kind: 'moved', head: theirs })
  assert.equal(remote.head(branch), theirs)
})

test('a refusal by a remote hook is quoted without credentials', async (t) => {
  const { remote, repository, base, change } = await made(t)
  const words = [
    'Branch is protected\\033[31m!',
    'see https://bot:hunter2@forge/x',
    'Authorization: Bearer abc.def',
    'ghp_abcdefghij0123',
  ]
  const script = `#!/bin/sh\nfor i in 1 2 3; do printf '${words.join('\\n')}\\n' >&2; done\nhead -c 5000 /dev/zero | tr '\\0' x >&2\nexit 1\n`
  mkdirSync(join(remote.directory, 'hooks'))
  writeFileSync(join(remote.directory, 'hooks/pre-receive'), script)
  chmodSync(join(remote.directory, 'hooks/pre-receive'), 0o755)
  const commit = await change(base, 'x')
  const push = repository.push({ branch, commit, expected: null }, signal())
  await assert.rejects(push, (error: { code: string; message: string }) => {
    assert.equal(error.code, 'forge_refused')
    assert.match(
      error.message,
      /^The push was refused: \(?pre-receive hook declined\)? Branch is protected! see https:\/\/forge\/x/,
    )
    assert.doesNotMatch(error.message, /hunter2|abc\.def|ghp_abcdefghij|[\u0000-\u001f]/)
    assert.ok(error.message.length < 900)
    return true
  })
  assert.equal(remote.head(branch), null)
})

test('a protected branch of the remote is refused without a retry', async (t) => {
  const { remote, repository, first, change } = await pushed(t)
  const second = await change(first, 'second')
  mkdirSync(join(remote.directory, 'hooks'))
  writeFileSync(join(remote.directory, 'hooks/update'), '#!/bin/sh\necho no >&2\nexit 1\n', { mode: 0o755 })
  const push = repository.push({ branch, commit: second, expected: first }, signal())
  await assert.rejects(push, { code: 'forge_refused', message: /hook declined.*no/ })
})

test('a branch whose name is a folder of branches at the remote is refused at once', async (t) => {
  const { remote, server, repository, base, change } = await made(t)
  remote.commit('docent', { 'a.md': 'in the way' })
  const commit = await change(base, 'x')
  const before = server.requests.length
  const push = repository.push({ branch, commit, expected: null }, signal())
  await assert.rejects(push, { code: 'forge_refused', message: /^The repository has a branch docent, / })
  assert.equal(server.requests.length - before, 2)
})

test('a push whose response was lost is found to have arrived', async (t) => {
  const { remote, server, repository, base, change } = await made(t)
  const commit = await change(base, 'x')
  const push = { branch, commit, expected: null }
  server.fault = (request) => {
    if (request.method !== 'POST') return undefined
    server.fault = undefined
    return { kind: 'lose answer' }
  }
  assert.deepEqual(await repository.push(push, signal()), { kind: 'pushed' })
  assert.equal(remote.head(branch), commit)
  server.fault = (request) => (/receive-pack/.test(request.url ?? '') ? { kind: 'lose answer' } : undefined)
  await assert.rejects(repository.push(push, signal()), { code: 'repository_unreachable' })
  server.fault = undefined
  assert.deepEqual(await repository.push(push, signal()), { kind: 'pushed' })
})

test('a push that gets half of a response is sent again', async (t) => {
  const { remote, server, repository, base, change } = await made(t)
  const commit = await change(base, 'x')
  const headers = { 'Content-Type': 'application/x-git-receive-pack-result' }
  server.fault = (request) => {
    if (request.method !== 'POST') return undefined
    server.fault = undefined
    return { kind: 'answer', status: 200, headers, body: '0030\u0001000eunpack ok\n' }
  }
  assert.deepEqual(await repository.push({ branch, commit, expected: null }, signal()), { kind: 'pushed' })
  assert.equal(remote.head(branch), commit)
})

for (const [status, code] of [
  [401, 'repository_unauthorized'],
  [403, 'repository_unauthorized'],
  [500, 'repository_unreachable'],
] as const) {
  test(`a push that gets status ${status} fails with ${code}`, async (t) => {
    const { server, repository, base, change } = await made(t)
    const commit = await change(base, 'x')
    server.fault = () => ({ kind: 'answer', status, headers: { 'WWW-Authenticate': 'Basic realm="x"' } })
    await assert.rejects(repository.push({ branch, commit, expected: null }, signal()), { code })
  })
}

test('a push can be aborted', async (t) => {
  const { server, repository, base, change } = await made(t)
  const commit = await change(base, 'x')
  const controller = new AbortController()
  server.fault = () => {
    controller.abort(new Error('given up'))
    return { kind: 'stall' }
  }
  await assert.rejects(repository.push({ branch, commit, expected: null }, controller.signal), /given up/)
})

test('an invalid branch name is refused before any request', async (t) => {
  const { repository, base } = await made(t)
  for (const name of ['-x', 'HEAD', 'a..b', '--receive-pack=touch x']) {
    const push = repository.push({ branch: name, commit: base, expected: null }, signal())
    await assert.rejects(push, { code: 'invalid_input' }, name)
  }
})

for (const [words, code] of [
  ['GH006: Protected branch update failed for refs/heads/docent/job_1.', 'branch_protected'],
  ['refusing to allow a GitHub App to create or update workflow `a.yml`', 'policy_refused'],
  ['This repository was archived so it is read-only.', 'repository_archived'],
  ['Line 3 is too long.', 'forge_refused'],
] as const) {
  test(`a push that a host declines can be ${code}`, async (t) => {
    const { remote, repository, base, change } = await made(t)
    mkdirSync(join(remote.directory, 'hooks'))
    const script = `#!/bin/sh\necho '${words}' >&2\nexit 1\n`
    writeFileSync(join(remote.directory, 'hooks/pre-receive'), script, { mode: 0o755 })
    const push = repository.push({ branch, commit: await change(base, 'x'), expected: null }, signal())
    await assert.rejects(push, (error: { code: string; message: string }) => {
      assert.equal(error.code, code)
      assert.ok(error.message.includes(words), error.message)
      return true
    })
  })
}

test('a branch in the way of a new one is named, before a run and at the push', async (t) => {
  const { remote, repository } = await testRepository(t)
  const main = remote.commit('main', { 'a.md': 'a' })
  await repository.refuseBlocked('docent/job_1', signal())
  await repository.fetch({ branch: 'main', branches: [], planned: 'docent/job_1' }, signal())
  remote.git(['update-ref', 'refs/heads/docent', main])
  const blocked = {
    code: 'forge_refused',
    message: /^The repository has a branch docent, and git can have no branch docent\/job_1 beside it\. Rename/,
  }
  await assert.rejects(repository.push({ branch: 'docent/job_1', commit: main, expected: null }, signal()), blocked)
  await assert.rejects(repository.fetch({ branch: 'main', branches: [], planned: 'docent/job_1' }, signal()), blocked)
  await assert.rejects(repository.refuseBlocked('docent/job_1', signal()), blocked)
  await assert.rejects(repository.refuseBlocked('docent/a/b', signal()), { code: 'forge_refused' })
  const other = { branch: 'main', branches: ['docent/job_1'] }
  assert.equal((await repository.fetch(other, signal())).heads.size, 0, 'who plans no branch is not refused')
  await repository.refuseBlocked('docent', signal())
})
