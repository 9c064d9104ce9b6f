import assert from 'node:assert/strict'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import {
  createRemote,
  noise,
  plainGit,
  signal,
  temporaryFolder,
  testGit,
  testRepository,
} from '../../../test/support/git-remote.ts'
import { servedRepository } from '../../../test/support/git-server.ts'

const wantsMain = { branch: 'main', branches: [] }
const wantsHead = { branch: null, branches: [] }

test("the base is the branch that the remote's HEAD points to", async (t) => {
  const remote = createRemote(t, 'trunk')
  const commit = remote.commit('trunk', { 'a.md': 'a' })
  remote.commit('main', { 'a.md': 'other' })
  const repository = (await testGit(t)).repository('prj_a', remote.directory)
  const refs = await repository.fetch({ branch: null, branches: ['main', 'absent', 'trunk'] }, signal())
  assert.deepEqual(refs.base, { branch: 'trunk', commit })
  assert.deepEqual(
    [...refs.heads],
    [
      ['main', remote.head('main')],
      ['trunk', commit],
    ],
  )
})

test('an empty repository, an unborn HEAD and a missing branch differ', async (t) => {
  const { remote, repository } = await testRepository(t)
  await assert.rejects(repository.fetch(wantsHead, signal()), { code: 'repository_empty' })
  await assert.rejects(repository.fetch(wantsMain, signal()), { code: 'repository_empty' })
  remote.commit('other', { 'a.md': 'a' })
  await assert.rejects(repository.fetch(wantsHead, signal()), { code: 'base_not_found', message: /HEAD.*other/ })
  await assert.rejects(repository.fetch(wantsMain, signal()), {
    code: 'base_not_found',
    message: /no branch main.*other/,
  })
  remote.git(['update-ref', '--no-deref', 'HEAD', remote.head('other') ?? ''])
  await assert.rejects(repository.fetch(wantsHead, signal()), { code: 'base_not_found', message: /HEAD.*other/ })
})

test('a branch that moved, vanished or became a folder is followed', async (t) => {
  const directory = temporaryFolder(t)
  const { remote, repository } = await testRepository(t, { directory })
  const first = remote.commit('main', { 'a.md': 'a' })
  remote.commit('docs', { 'a.md': 'docs' })
  remote.commit('gone', { 'a.md': 'gone' })
  const found = await repository.fetch({ branch: 'main', branches: ['docs', 'docs/new', 'gone'] }, signal())
  assert.deepEqual([...found.heads.keys()], ['docs', 'gone'])
  for (const branch of ['docs', 'gone']) remote.git(['update-ref', '-d', `refs/heads/${branch}`])
  remote.commit('docs/new', { 'a.md': 'new' })
  const rewritten = remote.git(['commit-tree', '-m', 'other history', `${first}^{tree}`])
  remote.git(['update-ref', 'refs/heads/main', rewritten])
  const mirror = join(directory, 'prj_test.git')
  writeFileSync(join(mirror, 'witness'), '')
  const refs = await repository.fetch({ branch: 'main', branches: ['docs/new', 'gone'] }, signal())
  assert.ok(existsSync(join(mirror, 'witness')), 'the mirror was not made again')
  assert.deepEqual([...refs.heads.keys()], ['docs/new'])
  assert.equal(refs.base.commit, rewritten)
  const kept = plainGit(mirror, ['for-each-ref', '--format=%(refname:lstrip=2)'])
  assert.equal(kept, 'docs/new\nmain')
})

test('waiting callers share one fetch with the union of their branches', async (t) => {
  const { server, repository, remote } = await servedRepository(t)
  remote.commit('one', { 'a.md': '1' })
  remote.commit('two', { 'a.md': '2' })
  const hold = Promise.withResolvers<undefined>()
  const arrived = Promise.withResolvers<undefined>()
  server.fault = async () => {
    arrived.resolve(undefined)
    return await hold.promise
  }
  const first = repository.fetch(wantsMain, signal())
  await arrived.promise
  const waiting = Array.from(
    { length: 10 },
    async (_, index) =>
      await repository.fetch({ branch: 'main', branches: [index % 2 === 0 ? 'one' : 'two'] }, signal()),
  )
  hold.resolve(undefined)
  await first
  const found = await Promise.all(waiting)
  assert.deepEqual([...new Set(found.map((refs) => [...refs.heads.keys()].join()))], ['one', 'two'])
  // Two rounds, each a list and a transfer, each of them beginning with one GET.
  assert.equal(server.requests.filter((line) => line.startsWith('GET')).length, 4)
})

test('nothing is transferred when the mirror has every wanted ref already', async (t) => {
  const { server, repository } = await servedRepository(t)
  await repository.fetch(wantsMain, signal())
  const before = server.requests.length
  await repository.fetch(wantsMain, signal())
  assert.deepEqual(
    server.requests.slice(before).map((line) => line.split('?')[0]),
    ['GET /remote.git/info/refs', 'POST /remote.git/git-upload-pack'],
  )
})

test('a caller that gives up does not affect the others; the last one ends the fetch', async (t) => {
  const { server, repository } = await servedRepository(t)
  const arrived = Promise.withResolvers<undefined>()
  const hold = Promise.withResolvers<undefined>()
  server.fault = async () => {
    arrived.resolve(undefined)
    return await hold.promise
  }
  const one = new AbortController()
  const two = new AbortController()
  const first = repository.fetch(wantsMain, one.signal)
  const second = repository.fetch(wantsMain, two.signal)
  await arrived.promise
  one.abort(new Error('enough'))
  await assert.rejects(first, /enough/)
  hold.resolve(undefined)
  assert.equal((await second).base.branch, 'main')
  const stalled = Promise.withResolvers<undefined>()
  server.fault = () => {
    stalled.resolve(undefined)
    return { kind: 'stall' }
  }
  const three = new AbortController()
  const last = repository.fetch(wantsMain, three.signal)
  await stalled.promise
  const behind = repository.fetch(wantsMain, AbortSignal.abort(new Error('before it began')))
  await assert.rejects(behind, /before it began/)
  three.abort(new Error('no more'))
  await assert.rejects(last, /no more/)
  server.fault = undefined
  // At once, not when the stalled one would have been given up.
  assert.equal((await repository.fetch(wantsMain, AbortSignal.timeout(10_000))).base.branch, 'main')
})

test('a caller that arrives after all others gave up gets its own fetch', async (t) => {
  const { server, repository } = await servedRepository(t)
  const arrived = Promise.withResolvers<undefined>()
  const hold = Promise.withResolvers<undefined>()
  server.fault = async () => {
    arrived.resolve(undefined)
    return await hold.promise
  }
  const first = repository.fetch(wantsMain, signal())
  await arrived.promise
  const controller = new AbortController()
  const waiting = repository.fetch(wantsMain, controller.signal)
  controller.abort(new Error('gave up'))
  await assert.rejects(waiting, /gave up/)
  const late = repository.fetch(wantsMain, signal())
  hold.resolve(undefined)
  assert.equal((await first).base.branch, 'main')
  assert.equal((await late).base.branch, 'main')
})

for (const [name, fault, code, message] of [
  [
    'asks for a password',
    { kind: 'answer', status: 401, headers: { 'WWW-Authenticate': 'Basic' } },
    'repository_unauthorized',
    /Access was refused/,
  ],
  ['forbids', { kind: 'answer', status: 403 }, 'repository_unauthorized', /Access was refused/],
  ['knows no such repository', { kind: 'answer', status: 404 }, 'repository_unreachable', /no repository/],
  [
    'redirects',
    { kind: 'answer', status: 302, headers: { Location: 'http://127.0.0.1:1/x.git/info/refs' } },
    'repository_moved',
    /has moved to another address, at 127\.0\.0\.1:1/,
  ],
  ['fails', { kind: 'answer', status: 502, body: '<html>' }, 'repository_unreachable', /failed/],
  ['asks to wait', { kind: 'answer', status: 429 }, 'forge_rate_limited', /wait/],
  [
    'answers with a page',
    { kind: 'answer', status: 200, body: '<html>\n<body>\n' },
    'repository_unreachable',
    /No git/,
  ],
  [
    'answers with a page of one line',
    { kind: 'answer', status: 200, headers: { 'Content-Type': 'text/html' }, body: '<html>Sign in</html>' },
    'repository_unreachable',
    /sign-in page/,
  ],
  [
    "answers with an error in git's protocol",
    {
      kind: 'answer',
      status: 200,
      headers: { 'Content-Type': 'application/x-git-upload-pack-advertisement' },
      body: '001e# service=git-upload-pack\n00000016ERR access denied\n',
    },
    'repository_unreachable',
    /access denied/,
  ],
  ['resets the connection', { kind: 'reset' }, 'repository_unreachable', /./],
] as const) {
  test(`a remote that ${name} gives ${code}`, async (t) => {
    const { server, repository } = await servedRepository(t)
    server.fault = () => fault
    await assert.rejects(repository.fetch(wantsMain, signal()), { code, message })
  })
}

test('a transfer that breaks off leaves a mirror that the next fetch completes', async (t) => {
  const { server, repository, remote } = await servedRepository(t)
  const commit = remote.commit('main', { 'big.bin': noise(300_000) })
  server.fault = (request) => (request.method === 'POST' ? { kind: 'cut', bytes: 50_000 } : undefined)
  await assert.rejects(repository.fetch(wantsMain, signal()), { code: 'repository_unreachable' })
  server.fault = undefined
  assert.equal((await repository.fetch(wantsMain, signal())).base.commit, commit)
})

test('a remote that never answers is given up after the timeout', async (t) => {
  const { server, repository } = await servedRepository(t, { timeoutMs: 300 })
  server.fault = () => ({ kind: 'stall' })
  await assert.rejects(repository.fetch(wantsMain, signal()), { code: 'repository_unreachable', message: /longer/ })
})

test('a closed port is unreachable, and a folder that is no repository too', async (t) => {
  const { server, remote } = await servedRepository(t)
  const git = await testGit(t, { privateHosts: ['127.0.0.1:1', server.host] })
  const closed = git.repository('prj_closed', 'http://127.0.0.1:1/x.git')
  await assert.rejects(closed.fetch(wantsMain, signal()), { code: 'repository_unreachable' })
  const folder = git.repository('prj_folder', join(remote.directory, 'refs'))
  await assert.rejects(folder.fetch(wantsMain, signal()), {
    code: 'repository_unreachable',
    message: /No git repository/,
  })
})

test('a repository over the size limit is refused as it arrives and leaves nothing', async (t) => {
  const directory = temporaryFolder(t)
  const { remote, repository } = await testRepository(t, { directory, maxRepositoryBytes: 2_000_000 })
  remote.commit('main', { 'a.md': 'a' })
  await repository.fetch(wantsMain, signal())
  remote.commit('main', { 'big.bin': noise(5_000_000) })
  await assert.rejects(repository.fetch(wantsMain, signal()), { code: 'repository_too_large', message: /2 MB/ })
  assert.deepEqual(
    readdirSync(directory).filter((name) => name !== '.home'),
    [],
  )
  remote.git(['update-ref', 'refs/heads/main', `${remote.head('main') ?? ''}~1`])
  assert.equal((await repository.fetch(wantsMain, signal())).base.commit, remote.head('main'))
})

test('a transfer without end is cut off at the size limit', async (t) => {
  const { server, repository, remote } = await servedRepository(t, { maxRepositoryBytes: 500_000 })
  remote.commit('main', { 'big.bin': noise(3_000_000) })
  server.fault = (request) => (request.method === 'POST' ? { kind: 'hold', bytes: 2_000_000 } : undefined)
  await assert.rejects(repository.fetch(wantsMain, AbortSignal.timeout(10_000)), { code: 'repository_too_large' })
})

test('a transfer too quick to be measured is measured at its end', async (t) => {
  const { remote, repository } = await testRepository(t, { maxRepositoryBytes: 50_000 })
  remote.commit('main', { 'a.bin': noise(60_000) })
  await assert.rejects(repository.fetch(wantsMain, signal()), { code: 'repository_too_large' })
})

test('only callers who want a base with too many files are refused', async (t) => {
  const { remote, repository } = await testRepository(t, { maxRepositoryFiles: 10 })
  remote.commit('main', { 'a.md': 'a' })
  remote.commit('huge', Object.fromEntries(Array.from({ length: 11 }, (_, index) => [`${index}.md`, 'x'])))
  const [main, huge] = await Promise.allSettled([
    repository.fetch(wantsMain, signal()),
    repository.fetch({ branch: 'huge', branches: [] }, signal()),
  ])
  assert.equal(main.status, 'fulfilled')
  assert.equal(huge.status === 'rejected' && huge.reason.code, 'repository_too_large')
})

test('a tree 5,000 folders deep ends in a refusal', async (t) => {
  const { remote, repository } = await testRepository(t)
  remote.commit('main', { [`${'d/'.repeat(5_000)}f`]: 'x' })
  await assert.rejects(repository.fetch(wantsMain, signal()), { code: 'repository_too_large' })
})

test('fsck refuses a tree with .GIT and ignores faults of old tools', async (t) => {
  const { remote, repository } = await testRepository(t)
  const blob = remote.git(['hash-object', '-w', '--stdin'], 'x')
  const inner = remote.git(['mktree'], `100644 blob ${blob}\tconfig`)
  const tree = remote.git(['mktree'], `040000 tree ${inner}\t.GIT`)
  remote.git(['update-ref', 'refs/heads/bad', remote.git(['commit-tree', '-m', 'bad', tree])])
  await assert.rejects(repository.fetch({ branch: 'bad', branches: [] }, signal()), { code: 'repository_invalid' })
  const old = `tree ${inner}\nauthor P <p@e> 1 +051800\ncommitter P <p@e> 1 +051800\n\nold\n`
  const commit = remote.git(['hash-object', '-t', 'commit', '-w', '--stdin', '--literally'], old)
  remote.git(['update-ref', 'refs/heads/main', commit])
  assert.equal((await repository.fetch(wantsMain, signal())).base.commit, commit)
})

test('another address replaces the mirror, and removing deletes it', async (t) => {
  const directory = temporaryFolder(t)
  const git = await testGit(t, { directory })
  const one = createRemote(t)
  const two = createRemote(t)
  const old = one.commit('main', { 'a.md': 'one' })
  const commit = two.commit('main', { 'a.md': 'two' })
  await git.repository('prj_a', one.directory).fetch(wantsMain, signal())
  assert.equal(git.repository('prj_a', one.directory), git.repository('prj_a', `file://${one.directory}`))
  const moved = git.repository('prj_a', two.directory)
  writeFileSync(moved.factsFile, 'facts of the old pages')
  assert.equal((await moved.fetch(wantsMain, signal())).base.commit, commit)
  await assert.rejects(moved.tree(old), /not in the mirror/)
  assert.equal(existsSync(moved.factsFile), false)
  writeFileSync(moved.factsFile, 'facts')
  await moved.fetch(wantsMain, signal())
  assert.equal(existsSync(moved.factsFile), true)
  await git.remove('prj_a')
  await git.remove('prj_never')
  assert.deepEqual(readdirSync(directory), ['.home'])
  assert.equal((await moved.fetch(wantsMain, signal())).base.commit, commit)
})
