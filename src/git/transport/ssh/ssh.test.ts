import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, symlinkSync, utimesSync } from 'node:fs'
import { type TestContext, test } from 'node:test'
import { createRemote, signal, temporaryFolder, testGit } from '../../../../test/support/git-remote.ts'
import { watchProcesses } from '../../../../test/support/process-watch.ts'
import { createSecretSearch } from '../../../../test/support/secret-search.ts'
import { type SshServer, serveSsh, sshKeys } from '../../../../test/support/ssh-server.ts'
import type { GitCredential } from '../../types.ts'
import { keyFolderPrefix, withKeyFolder } from './key-folder.ts'

type Given = {
  readonly credential?: (server: SshServer) => GitCredential | undefined
  readonly address?: (server: SshServer) => string
}

const keyOf = (server: SshServer): GitCredential => ({ privateKey: server.user.private, hostKey: server.hostKey })

async function over(t: TestContext, { credential = keyOf, address }: Given = {}) {
  const remote = createRemote(t)
  remote.commit('main', { 'a.md': 'a' })
  const server = await serveSsh(t, remote.directory)
  const asked: string[] = []
  const directory = temporaryFolder(t)
  const git = await testGit(t, {
    directory,
    privateHosts: [server.host],
    credentialOf: async ({ origin }) => {
      asked.push(origin)
      return credential(server)
    },
  })
  const repository = git.repository('prj_test', address?.(server) ?? `ssh://git@${server.host}/o/r.git`)
  return { remote, server, repository, git, asked, directory }
}

/** The folders of keys that an engine has now. */
const keyFolders = (directory: string): string[] =>
  ['/dev/shm', directory].flatMap((parent) =>
    (existsSync(parent) ? readdirSync(parent) : []).filter((name) => name.startsWith(keyFolderPrefix(directory))),
  )

test('a repository is fetched and pushed to over ssh, and no process shows the key', async (t) => {
  const { remote, server, repository, asked, directory } = await over(t)
  const [, secret = ''] = server.user.private.split('\n')
  const watched = watchProcesses(createSecretSearch([{ name: 'key', value: secret }]))
  t.after(async () => await watched.stop())
  const { base } = await repository.fetch({ branch: null, branches: [] }, signal())
  assert.equal(base.commit, remote.head('main'))
  const edits = [{ path: 'b.md', content: Buffer.from('b'), mode: '100644' as const }]
  const commit = await repository.commit({ parent: base.commit, edits, message: 'b', date: new Date(0) })
  assert.equal((await repository.push({ branch: 'docent/x', commit, expected: null }, signal())).kind, 'pushed')
  assert.equal(remote.head('docent/x'), commit)
  assert.deepEqual([...watched.seen], [])
  assert.deepEqual(keyFolders(directory), [])
  assert.deepEqual(new Set(asked), new Set([`ssh://${server.host}`]))
})

test('nobody can tell over ssh whether a repository is public', async (t) => {
  const { repository, asked } = await over(t)
  assert.equal(await repository.isPublic(signal()), undefined)
  assert.deepEqual(asked, [])
})

test('a key that the host does not know is unauthorized, and the mirror stays', async (t) => {
  const { server, repository, directory } = await over(t, {
    credential: ({ hostKey }) => ({ privateKey: sshKeys().private, hostKey }),
  })
  await assert.rejects(repository.probe('main', signal()), {
    code: 'repository_unauthorized',
    message: /refused the key/,
  })
  assert.deepEqual(server.commands, [])
  assert.deepEqual(keyFolders(directory), [])
})

test('a host with another key than the pinned one gets no login', async (t) => {
  const { server, repository } = await over(t, {
    credential: ({ user }) => ({ privateKey: user.private, hostKey: sshKeys().public.trim() }),
  })
  const probe = repository.probe('main', signal())
  const message = /^The host has another key than the pinned one\. Its key is SHA256:\S{43}\.$/
  await assert.rejects(probe, { code: 'repository_unauthorized', message })
  assert.equal((await repository.probeAccess(signal())).isOtherHost, true)
  assert.deepEqual(server.commands, [])
})

test('a project without a key, and one with a login, are told what is missing', async (t) => {
  for (const credential of [undefined, { username: 'git', password: 'x' }]) {
    const { repository } = await over(t, { credential: () => credential })
    const probe = repository.probe('main', signal())
    await assert.rejects(probe, { code: 'repository_unauthorized', message: /over ssh, and the project has no key/ })
  }
})

test('a private address over ssh is refused at the connection', async (t) => {
  const { remote, server } = await over(t)
  const git = await testGit(t, {
    resolve: async () => ['127.0.0.1'],
    credentialOf: async () => keyOf(server),
  })
  const repository = git.repository('prj_test', 'git@git.example.com:o/r.git')
  await assert.rejects(repository.probe('main', signal()), {
    code: 'repository_unreachable',
    message: /private network/,
  })
  assert.ok(remote.head('main'))
  assert.deepEqual(server.commands, [])
})

test('rights over ssh are found without writing', async (t) => {
  const { server, remote, repository } = await over(t)
  const rights = async (): Promise<string> => {
    const { read, push, code, detail } = await repository.probeAccess(signal())
    assert.match(detail, /^[A-Z]/)
    return [read, push, code].join(' ')
  }
  assert.equal(await rights(), 'yes yes ')
  assert.deepEqual(server.commands, ["git-upload-pack '/o/r.git'", "git-receive-pack '/o/r.git'"])
  assert.equal(remote.git(['for-each-ref']).split('\n').length, 1)
  const answer = (words: string, only = ''): void => {
    server.refuse = (command) => (command.startsWith(`git-${only}`) ? words : undefined)
  }
  answer('ERROR: The key you are authenticating with has been marked as read only.', 'receive-pack')
  assert.equal(await rights(), 'yes no forge_right_missing')
  answer('ERROR: This repository was archived so it is read-only.', 'receive-pack')
  assert.equal(await rights(), 'yes no repository_archived')
  answer('ERROR: Permission to o/r.git denied to deploy key')
  assert.equal(await rights(), 'no no repository_unauthorized')
  answer('ERROR: Repository not found.')
  await assert.rejects(repository.probeAccess(signal()), { code: 'repository_unreachable' })
})

test('a temporary ref is pushed and deleted over ssh', async (t) => {
  const { remote, repository } = await over(t)
  const { base } = await repository.fetch({ branch: null, branches: [] }, signal())
  const ref = 'refs/docent/run_1'
  await repository.pushObject({ commit: base.commit, ref }, signal())
  assert.equal(remote.git(['for-each-ref', '--format=%(objectname)', ref]), base.commit)
  await repository.deleteRef(ref, signal())
  await repository.deleteRef(ref, signal())
  assert.equal(remote.git(['for-each-ref', ref]), '')
})

test('a call that is aborted leaves no key behind', async (t) => {
  const { server, repository, directory } = await over(t)
  const controller = new AbortController()
  server.refuse = () => {
    controller.abort(new Error('given up'))
    return 'late'
  }
  await assert.rejects(repository.probe('main', controller.signal), /given up/)
  assert.deepEqual(keyFolders(directory), [])
})

test('only this user can enter the folder of a key, and its files', async (t) => {
  const modes = await withKeyFolder(temporaryFolder(t), { key: 'x' }, async (folder) =>
    [folder, `${folder}/key`].map((path) => statSync(path).mode & 0o777),
  )
  assert.deepEqual(modes, [0o700, 0o600])
})

test('keys that a killed process left are removed at the next start', async (t) => {
  const directory = temporaryFolder(t)
  const left = ['old', 'new'].map((name) => `${directory}/${keyFolderPrefix(directory)}${name}`)
  for (const [index, folder] of left.entries()) {
    mkdirSync(folder)
    const seconds = Date.now() / 1_000 - (index === 0 ? 7_200 : 0)
    utimesSync(folder, seconds, seconds)
  }
  await testGit(t, { directory })
  assert.deepEqual(left.map(existsSync), [false, true])
})

test('a key is taken with line breaks of Windows or without the last one', async (t) => {
  const git = await testGit(t)
  const keys = sshKeys()
  const host = sshKeys().public.trim()
  for (const text of [keys.private.replaceAll('\n', '\r\n'), `\n${keys.private.trim()}`]) {
    const found = await git.checkKey({ privateKey: text, hostKey: `# comment\ngit.example.com ${host}\r\n` })
    assert.deepEqual(found, { privateKey: `${keys.private.trim()}\n`, hostKey: host })
  }
})

test('a key with a passphrase or with a fault is refused with the reason', async (t) => {
  const git = await testGit(t)
  const keys = sshKeys()
  const locked = lockedKey(t, 'secret words')
  const host = sshKeys().public.trim()
  for (const [privateKey, hostKey, message] of [
    [locked, host, /has a passphrase/],
    [keys.private.replace('b3BlbnNzaC1', 'b3BlbnNzaX1'), host, /cannot be read/],
    [keys.public, host, /must begin with a line/],
    ['x'.repeat(16_385), host, /too long/],
    [keys.private, '', /is missing/],
    [keys.private, 'x'.repeat(16_385), /too long/],
    [keys.private, 'git.example.com ssh-ed25519', /line of `ssh-keyscan/],
    [keys.private, host.replace('ssh-ed25519 ', 'ssh-rsa '), /line of `ssh-keyscan/],
    [keys.private, `a b ${host}`, /line of `ssh-keyscan/],
  ] as const) {
    await assert.rejects(git.checkKey({ privateKey, hostKey }), (error: { code: string; message: string }) => {
      assert.equal(error.code, 'invalid_input')
      assert.match(error.message, message)
      assert.ok(!error.message.includes(keys.private.slice(50, 90)))
      return true
    })
  }
})

test('without ssh on the path an address over ssh and a key are refused', async (t) => {
  const folder = temporaryFolder(t)
  symlinkSync('/usr/bin/git', `${folder}/git`)
  const git = await testGit(t, { path: folder })
  const message = /ssh is not installed where the service runs/
  assert.throws(() => git.checkAddress('git@github.com:o/r.git'), { code: 'invalid_input', message })
  assert.throws(() => git.checkKey({ privateKey: '', hostKey: '' }), { code: 'invalid_input', message })
})

/** A key with this passphrase, as ssh-keygen writes it. */
function lockedKey(t: TestContext, passphrase: string): string {
  const file = `${temporaryFolder(t)}/key`
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', passphrase, '-f', file])
  return readFileSync(file, 'utf8')
}
