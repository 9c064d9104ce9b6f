import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { createRemote, signal, temporaryFolder, testGit } from '../../test/support/git-remote.ts'
import { serveGit } from '../../test/support/git-server.ts'
import { createLog } from '../lib/observability/log.ts'
import { sanitise } from '../lib/outbound/sanitise.ts'
import { gitFailure, isDamage } from './transport/errors.ts'
import { isPatched } from './transport/version.ts'

function fakeGit(t: TestContext, version: string): string {
  const folder = temporaryFolder(t)
  writeFileSync(join(folder, 'git'), `#!/bin/sh\necho '${version}'\n`, { mode: 0o755 })
  return folder
}

test('a missing, old or unreadable git is refused with advice', async (t) => {
  await assert.rejects(testGit(t, { path: '/nonexistent' }), { code: 'config_invalid', message: /Install git 2\.39/ })
  for (const version of ['git version 2.38.9', 'git version 1.9', 'something else', '']) {
    await assert.rejects(testGit(t, { path: fakeGit(t, version) }), {
      code: 'config_invalid',
      message: /2\.39 or newer/,
    })
  }
  for (const [words, version] of [
    ['git version 2.39.5 (Apple Git-154)', '2.39.5'],
    ['git version 2.55.0.windows.1', '2.55.0'],
    ['git version 3.0', '3.0'],
  ] as const) {
    assert.equal((await testGit(t, { path: fakeGit(t, words) })).version, version)
  }
})

test('the log names a version below the patched ones once', async (t) => {
  const said: unknown[] = []
  const log = Object.assign(createLog('silent'), { warn: (...line: unknown[]) => said.push(line) })
  await testGit(t, { path: fakeGit(t, 'git version 2.45.3'), log })
  assert.equal(said.length, 1)
  await testGit(t, { path: fakeGit(t, 'git version 2.45.4'), log })
  assert.equal(said.length, 1)
})

test('versions with the security fixes are recognised', () => {
  for (const version of ['2.43.7', '2.44.4', '2.45.5', '2.50.1', '2.51.0', '3.0', '2.51'])
    assert.equal(isPatched(version), true, version)
  for (const version of ['2.39.5', '2.43.6', '2.44.0', '2.50.0', '2.42.9', '2.50'])
    assert.equal(isPatched(version), false, version)
})

test('an id that could leave the folder is refused', async (t) => {
  const git = await testGit(t)
  for (const id of ['', '..', 'a/b', '../x', 'a.b', 'a'.repeat(65)]) {
    assert.throws(() => git.repository(id, '/srv/x'), { code: 'internal' }, id)
    await assert.rejects(git.remove(id), { code: 'internal' })
  }
  assert.throws(() => git.repository('prj_a', 'ext::sh'), { code: 'invalid_input' })
  assert.equal(git.checkAddress('https://Example.com/a'), 'https://example.com/a')
})

test('old leftovers of killed processes are deleted, and nothing else', async (t) => {
  const directory = temporaryFolder(t)
  const names = [
    'prj_a.git',
    'prj_a.git.new-0123456789ab',
    'prj_b.git.old-0123456789ab',
    'prj_c.git.new-ba9876543210',
    'x.git.new-zz',
  ]
  for (const name of names) {
    mkdirSync(join(directory, name))
    const age = name.startsWith('prj_c') ? 60 : 7200
    utimesSync(join(directory, name), Date.now() / 1000 - age, Date.now() / 1000 - age)
  }
  await testGit(t, { directory })
  assert.deepEqual(readdirSync(directory).toSorted(), [
    '.home',
    'prj_a.git',
    'prj_c.git.new-ba9876543210',
    'x.git.new-zz',
  ])
})

test('git connects to the checked address, even of a name that DNS does not know', async (t) => {
  const remote = createRemote(t)
  const commit = remote.commit('main', { 'a.md': 'a' })
  const server = await serveGit(t, remote.directory)
  const port = server.host.split(':')[1]
  const asked: string[] = []
  const resolve = async (host: string): Promise<string[]> => {
    asked.push(host)
    return ['127.0.0.1']
  }
  const git = await testGit(t, { privateHosts: [`docs.example.test:${port}`], resolve })
  const repository = git.repository('prj_a', `http://docs.example.test:${port}/remote.git`)
  assert.equal((await repository.fetch({ branch: 'main', branches: [] }, signal())).base.commit, commit)
  // Once for the list and once for the transfer: each judged what it then used.
  assert.deepEqual(asked, ['docs.example.test', 'docs.example.test'])
  const strict = await testGit(t, { resolve })
  const refused = strict.repository('prj_a', 'https://docs.example.test/remote.git')
  await assert.rejects(refused.fetch({ branch: 'main', branches: [] }, signal()), {
    code: 'repository_unreachable',
    message: /private network/,
  })
})

test('after closing, nothing runs and nothing starts', async (t) => {
  const directory = temporaryFolder(t)
  const remote = createRemote(t)
  const commit = remote.commit('main', { 'a.md': 'a' })
  const git = await testGit(t, { directory })
  const repository = git.repository('prj_a', remote.directory)
  await repository.fetch({ branch: 'main', branches: [] }, signal())
  const tree = await repository.tree(commit)
  await git.close()
  await assert.rejects(tree.read('a.md'), { code: 'unavailable' })
  await assert.rejects(repository.fetch({ branch: 'main', branches: [] }, signal()), { code: 'unavailable' })
  assert.ok(existsSync(join(directory, 'prj_a.git')), 'the mirror stays')
})

test('text from outside is shown clean, short and without credentials', () => {
  for (const [words, clean] of [
    ['a\n\tb \u001b[1;31mred\u001b[0m', 'a b red'],
    ['bell\u0007 zero\u200bwidth \u202eflip', 'bell zero width flip'],
    ['fatal: https://user:pass@host/x and http://t0ken@h', 'fatal: https://host/x and http://h'],
    ['Authorization: Basic dXNlcjpwYXNz', 'Authorization: [redacted]'],
    ['bearer abc.def.ghi next', 'bearer [redacted] next'],
    ['token=abc password: x secret : y', 'token=[redacted] password: [redacted] secret : [redacted]'],
    [
      'ghp_0123456789abcdef github_pat_11AAAA_bbbb glpat-abcdefghij',
      'ghp_[redacted] github_pat_[redacted] glpat-[redacted]',
    ],
    ['Support for password authentication was removed', 'Support for password authentication was removed'],
  ] as const) {
    assert.equal(sanitise(words), clean)
  }
  assert.equal(sanitise('🙂'.repeat(1000)).length, 801)
})

test("git's messages become codes, and those of the remote do not", () => {
  for (const [words, code] of [
    ["fatal: could not read Username for 'https://h': terminal prompts disabled", 'repository_unauthorized'],
    ["fatal: Authentication failed for 'https://h/'", 'repository_unauthorized'],
    ["remote: Not found.\nfatal: repository 'https://h/x/' not found", 'repository_unreachable'],
    ["fatal: unable to access 'https://h/': Could not resolve host: h", 'repository_unreachable'],
    ["fatal: unable to access 'https://h/': SSL certificate problem: self signed", 'repository_unreachable'],
    ['fatal: unable to access: Operation too slow. Less than 1000 bytes/sec', 'repository_unreachable'],
    ['error: object 1234: hasDotgit: contains .git\nfatal: fsck error in packed object', 'repository_invalid'],
    ['fatal: mismatched algorithms: client sha1; server sha256', 'repository_invalid'],
    ['fatal: attempting to allocate 2147483648 over limit 1073741824', 'repository_too_large'],
    ['fatal: write error: No space left on device', 'unavailable'],
    ["fatal: detected dubious ownership in repository at '/x'", 'repository_unauthorized'],
    ['fatal: remote error: access denied or repository not exported: /x', 'repository_unreachable'],
    ['fatal: something new', 'internal'],
  ] as const) {
    assert.equal(gitFailure(words, 'git x').code, code, words)
    assert.equal(isDamage(gitFailure(words, 'git x')), false, words)
  }
  for (const words of [
    'error: file /m/objects/pack/p.pack is far too short to be a packfile',
    'fatal: loose object 12 (stored in /m/objects/1/2) is corrupt',
    'error: object file /m/objects/12/34 is empty',
    "fatal: not a git repository: '/m'",
    'fatal: remote error: upload-pack: not our ref 83baae61804e65cc73a7201a7252750c76066a30',
    "error: cannot lock ref 'refs/heads/x': Unable to create '/m/x.lock': File exists.",
  ]) {
    assert.equal(isDamage(gitFailure(words, 'git x')), true, words)
    assert.equal(isDamage(gitFailure(`remote: ${words}`, 'git x')), false, words)
  }
})

test('mirrors on disk are listed by id', async (t) => {
  const git = await testGit(t)
  assert.deepEqual(await git.mirrors(), [])
  const remote = createRemote(t)
  remote.commit('main', { 'a.md': 'a' })
  for (const id of ['prj_one', 'prj_two']) {
    await git.repository(id, remote.directory).fetch({ branch: null, branches: [] }, signal())
  }
  assert.deepEqual([...(await git.mirrors())].toSorted(), ['prj_one', 'prj_two'])
  await git.remove('prj_one')
  assert.deepEqual(await git.mirrors(), ['prj_two'])
})
