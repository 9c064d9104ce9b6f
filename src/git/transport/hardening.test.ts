// Each line of `env.ts` against the fault that it is there for: planted once with the line left out, when the bad
// thing must happen (else the test proves nothing), and once with it. Not shown here, because nothing in git 2.39
// without a network or another program can: GIT_ATTR_NOSYSTEM (needs /etc), GIT_LFS_SKIP_SMUDGE (needs git-lfs),
// GIT_ALLOC_LIMIT (memory). Locale and prompts are shown by their effect on the output.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, lstatSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { createRemote, plainGit, temporaryFolder } from '../../../test/support/git-remote.ts'
import { serveGit } from '../../../test/support/git-server.ts'
import { type Protocol, hardenedConfig, hardenedEnvironment, usualPath } from './env.ts'

type Trial = {
  readonly args: readonly string[]
  readonly cwd: string
  readonly home?: string
  readonly protocol?: Protocol
  /** Beginnings of settings, or names of variables, that are left out. */
  readonly without?: readonly string[]
  /** Variables in the environment of the service itself. */
  readonly outside?: Record<string, string>
  readonly config?: readonly string[]
}

type Outcome = { readonly code: number | null; readonly out: string; readonly errors: string }

async function run(trial: Trial): Promise<Outcome> {
  const without = trial.without ?? []
  const isKept = (line: string): boolean => !without.some((beginning) => line.startsWith(beginning))
  const settings = [...hardenedConfig.filter(isKept), ...(trial.config ?? [])].flatMap((line) => ['-c', line])
  const hardened = Object.entries(
    hardenedEnvironment(trial.home ?? '/nonexistent', usualPath, trial.protocol ?? 'file'),
  )
  const outside = without.includes('fresh environment') ? (trial.outside ?? {}) : {}
  const env = { ...outside, ...Object.fromEntries(hardened.filter(([name]) => isKept(name))) }
  const child = spawn('git', [...settings, ...trial.args], { cwd: trial.cwd, env, detached: true })
  const output = { out: '', errors: '' }
  child.stdout.on('data', (chunk) => (output.out += String(chunk)))
  child.stderr.on('data', (chunk) => (output.errors += String(chunk)))
  child.stdin.end()
  child.stdin.on('error', () => {})
  const [code] = await once(child, 'close')
  return { code, ...output }
}

/** A program that leaves a trace when it is run. */
function trap(t: TestContext): { script: string; isSprung: () => boolean } {
  const folder = temporaryFolder(t)
  const script = join(folder, 'trap')
  writeFileSync(script, `#!/bin/sh\necho sprung >> '${folder}/trace'\nexit 0\n`, { mode: 0o755 })
  return { script, isSprung: () => existsSync(join(folder, 'trace')) }
}

/** A plain clone with a working copy, in which an attacker may plant anything. */
function clone(t: TestContext): { work: string; remote: ReturnType<typeof createRemote> } {
  const remote = createRemote(t)
  remote.commit('main', { 'a.md': 'a' })
  const work = join(temporaryFolder(t), 'work')
  plainGit('/', ['clone', '--quiet', remote.directory, work])
  return { work, remote }
}

test('core.hooksPath: a hook planted in the mirror does not run', async (t) => {
  const remote = createRemote(t)
  const commit = remote.commit('main', { 'a.md': 'a' })
  const { script, isSprung } = trap(t)
  mkdirSync(join(remote.directory, 'hooks'))
  writeFileSync(join(remote.directory, 'hooks/reference-transaction'), readFileSync(script), { mode: 0o755 })
  const trial = { cwd: '/', args: [`--git-dir=${remote.directory}`, 'update-ref', 'refs/heads/x', commit] }
  assert.equal((await run(trial)).code, 0)
  assert.equal(isSprung(), false)
  await run({
    ...trial,
    args: [`--git-dir=${remote.directory}`, 'update-ref', 'refs/heads/y', commit],
    without: ['core.hooksPath'],
  })
  assert.equal(isSprung(), true)
})

test('core.symlinks: a checkout would write a link as text', async (t) => {
  const { work } = clone(t)
  const blob = plainGit(work, ['hash-object', '-w', '--stdin'], '/etc/passwd')
  plainGit(work, ['update-index', '--add', '--cacheinfo', `120000,${blob},link`])
  const trial = { cwd: work, args: ['checkout-index', '--force', '--all'] }
  await run(trial)
  assert.equal(lstatSync(join(work, 'link')).isSymbolicLink(), false)
  await run({ ...trial, without: ['core.symlinks'] })
  assert.equal(lstatSync(join(work, 'link')).isSymbolicLink(), true)
})

test('core.fsmonitor: a program named in the repository does not run', async (t) => {
  const { work } = clone(t)
  const { script, isSprung } = trap(t)
  plainGit(work, ['config', 'core.fsmonitor', script])
  await run({ cwd: work, args: ['status'] })
  assert.equal(isSprung(), false)
  await run({ cwd: work, args: ['status'], without: ['core.fsmonitor'] })
  assert.equal(isSprung(), true)
})

test('safe.bareRepository: a bare repository in the working folder is not used', async (t) => {
  const { directory } = createRemote(t)
  const trial = { cwd: directory, args: ['rev-parse', '--git-dir'] }
  assert.match((await run(trial)).errors, /cannot use bare repository/)
  assert.equal((await run({ ...trial, without: ['safe.bareRepository'] })).code, 0)
})

test('protocol.ext.allow and GIT_ALLOW_PROTOCOL: each alone refuses ext::', async (t) => {
  const remote = createRemote(t)
  const { script, isSprung } = trap(t)
  remote.git(['config', 'protocol.ext.allow', 'always'])
  const args = [`--git-dir=${remote.directory}`, 'ls-remote', `ext::${script}`]
  assert.match((await run({ cwd: '/', args })).errors, /transport 'ext' not allowed/)
  await run({ cwd: '/', args, without: ['protocol.ext'] })
  await run({ cwd: '/', args, without: ['GIT_ALLOW_PROTOCOL'] })
  assert.equal(isSprung(), false)
  await run({ cwd: '/', args, without: ['protocol.ext', 'GIT_ALLOW_PROTOCOL'] })
  assert.equal(isSprung(), true)
})

test('GIT_ALLOW_PROTOCOL: only the transport of the address is allowed', async (t) => {
  const remote = createRemote(t)
  remote.commit('main', { 'a.md': 'a' })
  const args = ['ls-remote', `file://${remote.directory}`]
  for (const protocol of ['https', 'http'] as const) {
    assert.match((await run({ cwd: '/', args, protocol })).errors, /transport 'file' not allowed/)
  }
  assert.equal(hardenedEnvironment('/', usualPath, undefined)['GIT_ALLOW_PROTOCOL'], 'none')
  assert.equal((await run({ cwd: '/', args })).code, 0)
})

test('submodule.recurse and fetch.recurseSubmodules: a fetch skips submodules', async (t) => {
  const { work, remote } = clone(t)
  const inner = createRemote(t)
  inner.commit('main', { 'b.md': 'b' })
  const local = ['-c', 'protocol.file.allow=always']
  plainGit(work, [...local, 'submodule', 'add', '--quiet', inner.directory, 'inner'])
  plainGit(work, ['commit', '--quiet', '-m', 'submodule'])
  plainGit(work, ['push', '--quiet', 'origin', 'main'])
  plainGit(work, ['config', 'submodule.recurse', 'true'])
  plainGit(work, ['config', 'fetch.recurseSubmodules', 'true'])
  const trial = { cwd: work, args: ['fetch', 'origin'] }
  const settings = ['submodule.recurse', 'fetch.recurseSubmodules']
  assert.ok(remote.head('main'))
  assert.doesNotMatch((await run(trial)).errors, /submodule/)
  assert.match((await run({ ...trial, without: settings })).errors, /Fetching submodule inner/)
  plainGit(work, ['config', '--unset', 'fetch.recurseSubmodules'])
  assert.doesNotMatch((await run({ ...trial, without: ['fetch.recurseSubmodules'] })).errors, /submodule/)
})

test('transfer.fsckObjects: a tree with .GIT in it does not come in', async (t) => {
  const remote = createRemote(t)
  const mirror = createRemote(t)
  const blob = remote.git(['hash-object', '-w', '--stdin'], 'x')
  const tree = remote.git(['mktree'], `100644 blob ${blob}\t.GIT`)
  remote.git(['update-ref', 'refs/heads/main', remote.git(['commit-tree', '-m', 'bad', tree])])
  const trial = { cwd: '/', args: [`--git-dir=${mirror.directory}`, 'fetch', `file://${remote.directory}`, 'main:x'] }
  assert.match((await run(trial)).errors, /hasDotgit/)
  assert.equal((await run({ ...trial, without: ['transfer.fsckObjects'] })).code, 0)
})

test('http.followRedirects: a redirect leads nowhere', async (t) => {
  const remote = createRemote(t)
  remote.commit('main', { 'a.md': 'a' })
  const inner = await serveGit(t, remote.directory)
  const outer = await serveGit(t, remote.directory)
  outer.fault = (request) => ({
    kind: 'answer',
    status: 302,
    headers: { Location: `http://${inner.host}${request.url}` },
  })
  const trial = { cwd: '/', args: ['ls-remote', outer.address], protocol: 'http' as const }
  assert.notEqual((await run(trial)).code, 0)
  assert.deepEqual(inner.requests, [])
  assert.equal((await run({ ...trial, without: ['http.followRedirects'] })).code, 0)
  assert.notDeepEqual(inner.requests, [])
})

test('credential.helper and GIT_ASKPASS: no program is asked for a password', async (t) => {
  const remote = createRemote(t)
  const server = await serveGit(t, remote.directory)
  server.fault = () => ({ kind: 'answer', status: 401, headers: { 'WWW-Authenticate': 'Basic' } })
  for (const [key, line] of [
    ['credential.helper', 'credential.helper'],
    ['core.askPass', 'GIT_ASKPASS'],
  ] as const) {
    const { script, isSprung } = trap(t)
    remote.git(['config', key, key === 'credential.helper' ? `!${script}` : script])
    const args = [`--git-dir=${remote.directory}`, 'ls-remote', server.address]
    assert.match((await run({ cwd: '/', args, protocol: 'http' })).errors, /terminal prompts disabled/)
    assert.equal(isSprung(), false)
    await run({ cwd: '/', args, protocol: 'http', without: [line] })
    assert.equal(isSprung(), true, key)
  }
})

test('GIT_TERMINAL_PROMPT: git does not even look for a terminal', async (t) => {
  const server = await serveGit(t, createRemote(t).directory)
  server.fault = () => ({ kind: 'answer', status: 401, headers: { 'WWW-Authenticate': 'Basic' } })
  const trial = { cwd: '/', args: ['ls-remote', server.address], protocol: 'http' as const }
  assert.match((await run(trial)).errors, /terminal prompts disabled/)
  assert.doesNotMatch((await run({ ...trial, without: ['GIT_TERMINAL_PROMPT'] })).errors, /terminal prompts disabled/)
})

test('gc.auto: git collects nothing, not even a commit without a ref', async (t) => {
  const remote = createRemote(t)
  remote.commit('main', { 'a.md': 'a' })
  const mirror = createRemote(t)
  const lost = mirror.git(['hash-object', '-w', '--stdin'], 'a draft')
  for (const line of ['gc.auto=1', 'gc.autoDetach=false', 'gc.pruneExpire=now'])
    mirror.git(['config', ...line.split('=')])
  // One more in the folder that git counts for an estimate, and one is enough.
  mkdirSync(join(mirror.directory, 'objects/17'), { recursive: true })
  for (const name of ['a'.repeat(38), 'b'.repeat(38)]) writeFileSync(join(mirror.directory, 'objects/17', name), '')
  const file = join(mirror.directory, 'objects', lost.slice(0, 2), lost.slice(2))
  const trial = { cwd: '/', args: [`--git-dir=${mirror.directory}`, 'fetch', `file://${remote.directory}`, 'main:x'] }
  assert.equal((await run(trial)).code, 0)
  assert.equal(existsSync(file), true)
  await run({ ...trial, without: ['gc.auto'] })
  assert.equal(existsSync(file), false)
})

test('core.quotePath: names outside ASCII are shown as they are', async (t) => {
  const remote = createRemote(t)
  const commit = remote.commit('main', { 'é.md': 'a' })
  const trial = { cwd: '/', args: [`--git-dir=${remote.directory}`, 'ls-tree', commit] }
  assert.match((await run(trial)).out, /\té\.md/)
  assert.doesNotMatch((await run({ ...trial, without: ['core.quotePath'] })).out, /é/)
})

test('http.lowSpeedLimit and lowSpeedTime: a host that trickles is given up', async (t) => {
  const server = await serveGit(t, createRemote(t).directory)
  server.fault = () => ({ kind: 'stall' })
  assert.ok(hardenedConfig.includes('http.lowSpeedTime=30'))
  // One second instead of thirty; the limit itself is the line under test.
  const trial = {
    cwd: '/',
    args: ['ls-remote', server.address],
    protocol: 'http' as const,
    config: ['http.lowSpeedTime=1'],
  }
  assert.match((await run(trial)).errors, /Operation too slow/)
})

test("GIT_CONFIG_GLOBAL and HOME: the user's configuration is ignored", async (t) => {
  const remote = createRemote(t)
  const home = temporaryFolder(t)
  writeFileSync(join(home, '.gitconfig'), '[planted]\n\tvalue = yes\n')
  const trial = { cwd: '/', args: [`--git-dir=${remote.directory}`, 'config', 'planted.value'], home }
  assert.equal((await run(trial)).out, '')
  assert.equal((await run({ ...trial, without: ['GIT_CONFIG_GLOBAL'] })).out, 'yes\n')
  assert.equal((await run({ ...trial, without: ['GIT_CONFIG_GLOBAL'], home: '/nonexistent' })).out, '')
})

test('GIT_CONFIG_NOSYSTEM: the configuration of the machine is ignored', async (t) => {
  const planted = join(temporaryFolder(t), 'system')
  writeFileSync(planted, '[planted]\n\tvalue = yes\n')
  const outside = { GIT_CONFIG_SYSTEM: planted }
  const trial = { cwd: '/', args: ['config', 'planted.value'], outside, without: ['fresh environment'] }
  assert.equal((await run(trial)).out, '')
  assert.equal((await run({ ...trial, without: ['fresh environment', 'GIT_CONFIG_NOSYSTEM'] })).out, 'yes\n')
})

test('a fresh environment: variables of the service do not reach git', async (t) => {
  const remote = createRemote(t)
  const { script, isSprung } = trap(t)
  const outside = { GIT_DIR: remote.directory, GIT_EXTERNAL_DIFF: script, GIT_SSH_COMMAND: script, GIT_PAGER: script }
  const trial = { cwd: '/', args: ['rev-parse', '--git-dir'], outside }
  assert.match((await run(trial)).errors, /not a git repository/)
  assert.equal((await run({ ...trial, without: ['fresh environment'] })).code, 0)
  assert.equal(isSprung(), false)
})

test('LC_ALL: a dot in a pattern is one character, not one byte', async (t) => {
  const remote = createRemote(t)
  const commit = remote.commit('main', { 'a.md': 'é\n' })
  const trial = { cwd: '/', args: [`--git-dir=${remote.directory}`, 'grep', '-E', '-e', '^.$', commit] }
  assert.equal((await run(trial)).code, 0)
  assert.equal((await run({ ...trial, without: ['LC_ALL', 'LANG'] })).code, 1)
})

test('GIT_OPTIONAL_LOCKS: looking does not write', async (t) => {
  const { work } = clone(t)
  const index = join(work, '.git/index')
  utimesSync(join(work, 'a.md'), 1_000_000, 1_000_000)
  const before = readFileSync(index)
  await run({ cwd: work, args: ['status'] })
  assert.deepEqual(readFileSync(index), before)
  await run({ cwd: work, args: ['status'], without: ['GIT_OPTIONAL_LOCKS'] })
  assert.notDeepEqual(readFileSync(index), before)
})

test('core.filesRefLockTimeout: git waits for a ref that is locked briefly', async (t) => {
  const remote = createRemote(t)
  const commit = remote.commit('main', { 'a.md': 'a' })
  writeFileSync(join(remote.directory, 'refs/heads/x.lock'), '')
  const trial = { cwd: '/', args: [`--git-dir=${remote.directory}`, 'update-ref', 'refs/heads/x', commit] }
  const timed = async (without: readonly string[]) => {
    const began = performance.now()
    await run({ ...trial, without })
    return performance.now() - began
  }
  const setting = 'core.filesRefLockTimeout'
  const refusals = [await timed([setting]), await timed([setting]), await timed([setting])]
  const waited = await timed([])
  assert.ok(waited > 1_000)
  assert.ok(Math.min(...refusals) < waited)
})
