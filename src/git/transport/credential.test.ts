import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { type TestContext, test } from 'node:test'
import { noise, signal, temporaryFolder } from '../../../test/support/git-remote.ts'
import { type GitServer, serveGit, servedRepository } from '../../../test/support/git-server.ts'
import { type ProcessWatch, watchProcesses } from '../../../test/support/process-watch.ts'
import { createSecretSearch } from '../../../test/support/secret-search.ts'
import type { CredentialRequest, GitCredential } from '../types.ts'
import { createRunner } from './run.ts'

/** As long as the tokens that GitHub mints for installations, and with what an address would encode. */
const token = `ghs_${noise(400).toString('base64').slice(0, 515)}/`
const login = { username: 'x-access-token', password: token }
const spellings = [
  token,
  encodeURIComponent(token),
  Buffer.from(`x-access-token:${token}`).toString('base64'),
  Buffer.from(token).toString('base64'),
]
const date = new Date(0)

/** A repository that asks for the login, under an engine that is given `credentials` one after the other. */
async function locked(t: TestContext, credentials: readonly (GitCredential | undefined)[] = [login]) {
  const asked: CredentialRequest[] = []
  const credentialOf = async (ask: CredentialRequest): Promise<GitCredential | undefined> => {
    asked.push(ask)
    return credentials[Math.min(asked.length, credentials.length) - 1]
  }
  const served = await servedRepository(t, { credentialOf })
  served.server.login = login
  return { ...served, asked }
}

/** Checks all processes at every request with a login. */
function watch(t: TestContext, server: GitServer): ProcessWatch {
  const watched = watchProcesses(createSecretSearch([{ name: 'token', value: token }]))
  t.after(async () => await watched.stop())
  server.fault = (request) => {
    if (request.headers.authorization !== undefined) watched.look()
    return undefined
  }
  return watched
}

test('a long token opens the repository, and no process shows it', async (t) => {
  assert.equal(token.length, 520)
  const { server, remote, repository, asked } = await locked(t)
  const watched = watch(t, server)
  assert.equal((await repository.probe('main', signal())).commit, remote.head('main'))
  const { base } = await repository.fetch({ branch: 'main', branches: [] }, signal())
  const edits = [{ path: 'b.md', content: Buffer.from('b'), mode: '100644' as const }]
  const commit = await repository.commit({ parent: base.commit, edits, message: 'x', date })
  const pushed = await repository.push({ branch: 'docent/x', commit, expected: null }, signal())
  assert.deepEqual([pushed.kind, remote.head('docent/x')], ['pushed', commit])
  assert.deepEqual([...watched.seen], [])
  assert.ok(server.logins.some((sent) => sent?.password === token))
  assert.deepEqual(
    new Set(asked.map(({ id, origin }) => `${id} ${origin}`)),
    new Set([`prj_test http://${server.host}`]),
  )
})

test('the watcher finds a token that is passed as a setting', async (t) => {
  const { server } = await locked(t)
  const watched = watch(t, server)
  const runner = createRunner({ home: temporaryFolder(t), path: '/usr/bin:/bin', timeoutMs: 20_000 })
  t.after(async () => await runner.close())
  const config = [`http.extraHeader=Authorization: Basic ${spellings[2]}`]
  await runner.run({ args: ['ls-remote', server.address], config, protocol: 'http' })
  const places = new Set([...watched.seen].map((place) => place.split(':')[0]))
  assert.deepEqual(places, new Set(['cmdline', 'environ']))
})

/** Git 2.46 and later send the credential with the first request, earlier ones when the host asks for it. */
const [, minor = 0] = /git version 2\.(\d+)/.exec(execFileSync('git', ['--version'], { encoding: 'utf8' })) ?? []
const isSentFirst = Number(minor) >= 46

test('the host is sent the token with the first request, or when it asks', async (t) => {
  const { server, repository } = await locked(t)
  await repository.probe(null, signal())
  assert.equal(server.logins[0]?.password, isSentFirst ? token : undefined)
  const { server: open, repository: shared } = await locked(t)
  open.login = undefined
  await shared.fetch({ branch: null, branches: [] }, signal())
  assert.deepEqual(new Set(open.logins.map((sent) => sent?.password)), new Set([isSentFirst ? token : undefined]))
})

test('another origin is not given the token', async (t) => {
  const { server } = await locked(t)
  const runner = createRunner({ home: temporaryFolder(t), path: '/usr/bin:/bin', timeoutMs: 20_000 })
  t.after(async () => await runner.close())
  const elsewhere = server.address.replace('127.0.0.1', 'localhost')
  const credential = { ...login, origin: `http://${server.host}` }
  const args = ['ls-remote', elsewhere]
  const result = await runner.run({ args, protocol: 'http', credential, config: [] })
  assert.equal(result.code, 128)
  assert.ok(server.logins.length > 0)
  assert.deepEqual(new Set(server.logins), new Set([null]))
  // The same call reaches its own origin.
  const own = await runner.run({ args: ['ls-remote', server.address], protocol: 'http', credential })
  assert.equal(own.code, 0)
})

test('a redirect leads no token to another host', async (t) => {
  const { server, remote, repository } = await locked(t)
  const other = await serveGit(t, remote.directory)
  other.login = login
  server.fault = (request) => {
    if (request.headers.authorization === undefined) return undefined
    const headers = { Location: `http://${other.host}${request.url}` }
    return { kind: 'answer', status: 302, headers }
  }
  await assert.rejects(repository.probe('main', signal()), { code: 'repository_moved' })
  assert.deepEqual(other.logins, [])
})

test('a refused token is requested once more, and the command repeated', async (t) => {
  const { repository, asked, remote } = await locked(t, [{ ...login, password: 'expired' }, login])
  assert.equal((await repository.probe('main', signal())).commit, remote.head('main'))
  assert.deepEqual(
    asked.map(({ isRefused }) => isRefused),
    [false, true],
  )
})

test('a wrong token ends in repository_unauthorized after one more try', async (t) => {
  const wrong = { ...login, password: 'wrong token, one' }
  const other = { ...login, password: 'wrong token, two' }
  const { repository, asked, server } = await locked(t, [wrong, other])
  await assert.rejects(repository.probe('main', signal()), { code: 'repository_unauthorized' })
  assert.equal(asked.length, 2)
  const sent = server.logins.flatMap((entry) => entry?.password ?? [])
  assert.deepEqual([...new Set(sent)], [wrong.password, other.password])
})

test('a young token is tried four more times, and a command that then passes is whole', async (t) => {
  const young = { ...login, isYoung: true }
  const refusing = async (times: number) => {
    const made = await locked(t, [login, young])
    made.server.fault = ({ headers }) =>
      headers.authorization === undefined || made.asked.length > times ? undefined : { kind: 'answer', status: 401 }
    return made
  }
  const passing = await refusing(4)
  assert.equal((await passing.repository.probe('main', signal())).commit, passing.remote.head('main'))
  assert.equal(passing.asked.length, 5)
  const failing = await refusing(5)
  await assert.rejects(failing.repository.probe('main', signal()), { code: 'repository_unauthorized' })
  assert.equal(failing.asked.length, 5)
})

test('a command is not repeated with the credential that was refused', async (t) => {
  const { repository, asked, server } = await locked(t, [{ ...login, password: 'expired' }])
  await assert.rejects(repository.probe('main', signal()), { code: 'repository_unauthorized' })
  assert.equal(asked.length, 2)
  assert.equal(server.logins.filter((sent) => sent !== null).length, 1)
})

test('a repository that requires a login is unauthorized without a credential', async (t) => {
  const { repository, asked } = await locked(t, [undefined])
  await assert.rejects(repository.probe('main', signal()), { code: 'repository_unauthorized' })
  assert.equal(asked.length, 1)
})

for (const [name, username, password] of [
  ['a line feed in the token', 'x', 'a\npassword=b'],
  ['a carriage return in the token', 'x', 'a\rb'],
  ['NUL in the token', 'x', 'a\0b'],
  ['a line feed in the user', 'x\nquit=1', 'token'],
] as const) {
  test(`${name} is refused before git starts`, async (t) => {
    const { repository, server } = await locked(t, [{ username, password }])
    const before = server.requests.length
    await assert.rejects(repository.probe('main', signal()), { code: 'repository_unauthorized', message: /line break/ })
    assert.equal(server.requests.length, before)
  })
}

test('a branch and an address that hold the token are not taken from a host', async (t) => {
  const short = { ...login, password: 'glpat-Zq8Wm2Rt6Yb1mNc8Vd3Ls6Jh5Gf0' }
  const { server, remote, repository } = await locked(t, [short])
  server.login = short
  remote.git(['branch', short.password, 'main'])
  remote.git(['symbolic-ref', 'HEAD', `refs/heads/${short.password}`])
  assert.equal((await repository.probe(null, signal())).branch, '[redacted]')
  const Location = `http://${server.host}/${short.password}.git/info/refs`
  server.fault = () => ({ kind: 'answer', status: 301, headers: { Location } })
  await assert.rejects(repository.probe(null, signal()), {
    code: 'repository_moved',
    message: /moved to http\S+\/\[redacted\]\.git\.$/,
  })
})

test('a host that echoes the token finds it in no message', async (t) => {
  const { server, repository } = await locked(t)
  for (const spelling of spellings) {
    const broken = `${spelling.slice(0, 250)}\n${spelling.slice(250)}`
    const escaped = spelling.replace(/.{60}/g, '$&\u001b[0m\r\n')
    for (const said of [spelling, broken, escaped]) {
      const headers = { 'Content-Type': 'text/plain', 'WWW-Authenticate': 'Basic realm="x"' }
      const body = `No access with ${said}, sorry`
      server.fault = () => ({ kind: 'answer', status: 401, headers, body })
      await assert.rejects(repository.probe('main', signal()), (error: Error) => {
        // In base64 the name of the user stays, and up to four characters at the end.
        assert.match(error.message, /No access with (eC1hY2Nlc3MtdG9rZW46)?\[redacted\]\S{0,4}, sorry/)
        return true
      })
    }
  }
})
