import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { startForge, type TestForge } from '../../../test/support/forge/forge.ts'
import type { ForgeFault } from '../../../test/support/forge/server.ts'
import type { Cleanup } from '../../../test/support/git-remote.ts'
import { Failure, type FailureCode } from '../../lib/failure.ts'
import { createForgeClient } from '../client.ts'
import type { ForgeHost, NewPull, Right } from '../host.ts'
import { gitHubHeaders } from './github.ts'
import { createGitHubHost } from './host.ts'

const { signal } = new AbortController()

type Setup = { readonly forge: TestForge; readonly host: ForgeHost }

async function setUp(t: Cleanup, rights: readonly Right[] = ['read', 'push', 'pullRequests']): Promise<Setup> {
  const forge = await startForge(t, { kind: 'github' })
  const token = forge.createToken({ rights, login: 'ada' })
  return { forge, host: openHost(forge, token.value) }
}

function openHost(forge: TestForge, token: string): ForgeHost {
  const client = createForgeClient({
    apiUrl: forge.api,
    authorization: { scheme: 'Bearer', token: () => Promise.resolve(token) },
    headers: gitHubHeaders,
    privateHosts: [forge.host],
  })
  return createGitHubHost({ client, repository: { webUrl: forge.web, path: 'acme/docs' } })
}

const branch = 'docent/words'
const pull: NewPull = { title: 'Rename', body: 'Body', base: 'main', branch, draft: false }

const isFailure =
  (code: FailureCode, words = /(?:)/) =>
  (error: unknown) =>
    error instanceof Failure && error.code === code && words.test(error.message)

async function opened({ forge, host }: Setup, given: Partial<NewPull> = {}) {
  forge.push(given.branch ?? branch, { 'docs/new.md': '# New\n' })
  const made = await host.create({ ...pull, ...given }, signal)
  assert.ok(made.kind === 'created', made.kind)
  return made.pull
}

suite('a repository on GitHub', () => {
  test('a pull request is created, found by its branch, edited and closed', async (t) => {
    const { forge, host } = await setUp(t)
    const made = await opened({ forge, host }, { draft: true })
    assert.deepEqual(
      [made.state, made.draft, made.title, made.base, made.isOwn, made.head.branch],
      ['open', true, 'Rename', 'main', true, branch],
    )
    assert.equal(made.link, `${forge.web}/acme/docs/pull/${made.number}`)
    const edited = await host.update(made.number, { title: 'Better', body: 'Words' }, signal)
    assert.deepEqual([edited.title, edited.body, edited.base], ['Better', 'Words', 'main'])
    assert.deepEqual(await host.listByBranch(branch, signal), [edited])
    await host.close(made.number, signal)
    await host.close(made.number, signal)
    assert.equal((await host.get(made.number, signal))?.state, 'closed')
  })

  test('all states are found on every page; forks and other branches are not', async (t) => {
    const { forge, host } = await setUp(t)
    const first = await opened({ forge, host })
    forge.merge(first.number)
    forge.push(branch, { 'docs/new.md': '# Newer\n' })
    for (let i = 0; i < 100; i += 1) {
      const made = await host.create(pull, signal)
      assert.ok(made.kind === 'created')
      await host.close(made.pull.number, signal)
    }
    forge.openFromFork(branch)
    await opened({ forge, host }, { branch: 'docent/other' })
    const found = await host.listByBranch(branch, signal)
    assert.equal(found.length, 101)
    assert.equal(found.filter(({ state }) => state === 'merged').length, 1)
    assert.ok(found.find(({ state }) => state === 'merged')?.mergedAt)
    assert.ok(found.every(({ isOwn, head }) => isOwn && head.branch === branch))
  })

  test('an open one, a branch without change, and a lost response are results', async (t) => {
    const { forge, host } = await setUp(t)
    await opened({ forge, host })
    assert.deepEqual(await host.create(pull, signal), { kind: 'exists' })
    forge.remote.git(['branch', 'docent/same', 'main'])
    assert.deepEqual(await host.create({ ...pull, branch: 'docent/same' }, signal), { kind: 'empty' })
    const faults: ForgeFault[] = [
      { kind: 'lose answer' },
      { kind: 'truncate' },
      { kind: 'answer after', status: 502, body: '<html>' },
      { kind: 'answer', status: 201, headers: { 'Content-Type': 'application/json' }, body: '{"number":"7"}' },
    ]
    for (const [i, fault] of faults.entries()) {
      forge.push(`docent/${i}`, { 'docs/new.md': '# New\n' })
      forge.failOnce('POST /repos/:owner/:repo/pulls', fault)
      assert.deepEqual(await host.create({ ...pull, branch: `docent/${i}` }, signal), { kind: 'unknown_effect' })
    }
    assert.equal(forge.requests.filter(({ route }) => route === 'POST /repos/:owner/:repo/pulls').length, 7)
  })

  test('refusals get the codes of the contract', async (t) => {
    const { forge, host } = await setUp(t)
    forge.push(branch, { 'docs/new.md': '# New\n' })
    await assert.rejects(host.create({ ...pull, base: 'gone' }, signal), isFailure('base_not_found'))
    const refusals: [number, string, FailureCode][] = [
      [401, 'Bad credentials', 'repository_unauthorized'],
      [403, 'Resource not accessible by personal access token', 'forge_right_missing'],
      [403, 'Repository was archived so is read-only.', 'repository_archived'],
      [403, 'You have exceeded a secondary rate limit.', 'forge_rate_limited'],
      [404, 'Not Found', 'repository_unreachable'],
      [422, 'Something that nobody has seen', 'forge_refused'],
    ]
    for (const [status, message, code] of refusals) {
      const body = JSON.stringify({ message })
      forge.fault = () => ({ kind: 'answer', status, headers: { 'Content-Type': 'application/json' }, body })
      await assert.rejects(host.create(pull, signal), isFailure(code, new RegExp(message.slice(0, 12))), message)
    }
  })

  test('a repository without drafts gets a pull request that is no draft', async (t) => {
    const { forge, host } = await setUp(t)
    const body = JSON.stringify({ message: 'Draft pull requests are not supported in this repository.' })
    forge.failOnce('POST /repos/:owner/:repo/pulls', { kind: 'answer', status: 422, body })
    assert.equal((await opened({ forge, host }, { draft: true })).draft, false)
  })

  test('an unchanged pull request is 304, and an invisible one is gone', async (t) => {
    const { forge, host } = await setUp(t)
    const made = await opened({ forge, host })
    const first = await host.poll(made.number, null, signal)
    assert.ok(first.kind === 'pull' && first.etag !== null)
    assert.deepEqual(await host.poll(made.number, first.etag, signal), { kind: 'unchanged' })
    forge.merge(made.number)
    const second = await host.poll(made.number, first.etag, signal)
    assert.ok(second.kind === 'pull' && second.pull.state === 'merged')
    assert.deepEqual(await host.poll(999, null, signal), { kind: 'gone' })
    assert.equal(await host.get(999, signal), undefined)
  })

  test('labels are added, and reviewers that GitHub refuses are named', async (t) => {
    const { forge, host } = await setUp(t)
    const { number } = await opened({ forge, host })
    assert.deepEqual(await host.addLabels(number, ['docs', 'new'], signal), [])
    assert.deepEqual(await host.addLabels(number, ['docs', 'new'], signal), [])
    assert.deepEqual(await host.addLabels(number, [], signal), [])
    assert.deepEqual([...forge.pull(number).labels], ['docs', 'new'])
    assert.deepEqual(await host.requestReviewers(number, ['grace', 'nobody'], signal), ['nobody'])
    assert.deepEqual(await host.requestReviewers(number, ['nobody'], signal), ['nobody'])
    assert.deepEqual([...forge.pull(number).reviewers], ['grace'])
  })

  test('a repository that was renamed is said to have moved, and nothing is opened', async (t) => {
    const { forge, host } = await setUp(t)
    forge.push(branch, { 'docs/new.md': '# New\n' })
    forge.rename('acme/handbook')
    await assert.rejects(host.listByBranch(branch, signal), isFailure('repository_moved'))
    await assert.rejects(host.create(pull, signal), isFailure('repository_moved'))
    await assert.rejects(host.access({}, signal), isFailure('repository_moved'))
    assert.equal(forge.pulls.length, 0)
  })

  test('a link that leads elsewhere is replaced by the one on the host', async (t) => {
    const { forge, host } = await setUp(t)
    const { number } = await opened({ forge, host })
    const shown = await fetch(`${forge.api}/repos/acme/docs/pulls/${number}`, {
      headers: { Authorization: `Bearer ${forge.createToken().value}` },
    })
    const body = { ...((await shown.json()) as object), html_url: 'https://evil.example/x', title: 'a\u001b[31mb' }
    forge.fault = () => ({ kind: 'answer', status: 200, body: JSON.stringify(body) })
    const read = await host.get(number, signal)
    assert.equal(read?.link, `${forge.web}/acme/docs/pull/${number}`)
    assert.equal(read.title, 'a\ufffd[31mb')
  })
})

suite('the rights of a token on GitHub', () => {
  test('the right to open pull requests is found without opening one', async (t) => {
    const { forge, host } = await setUp(t)
    const access = await host.access({}, signal)
    assert.deepEqual(access.rights, { read: 'yes', push: 'unknown', pullRequests: 'yes' })
    assert.deepEqual([access.account, access.missing], ['ada', []])
    assert.equal(forge.pulls.length, 0)
  })

  test('a known right is not probed, and the scopes of a classic token tell it', async (t) => {
    const { forge, host } = await setUp(t)
    const probes = () => forge.requests.filter(({ method }) => method === 'POST').length
    assert.equal((await host.access({ pullRequests: 'yes' }, signal)).rights.pullRequests, 'yes')
    forge.switches.tokenScopes = 'read:org, repo'
    const access = await host.access({}, signal)
    assert.deepEqual([access.rights, probes()], [{ read: 'yes', push: 'yes', pullRequests: 'yes' }, 0])
    forge.switches.tokenScopes = 'public_repo'
    await host.access({}, signal)
    assert.equal(probes(), 1, 'the repository is private')
  })

  test('a pull request that an imitation opens for the probe is closed', async (t) => {
    const { forge, host } = await setUp(t)
    forge.switches.takesAnyHead = true
    assert.equal((await host.access({}, signal)).rights.pullRequests, 'yes')
    assert.deepEqual(
      forge.pulls.map(({ state }) => state),
      ['closed'],
    )
  })

  test('a right that is missing comes with the place to grant it', async (t) => {
    const { forge, host } = await setUp(t, ['read', 'push'])
    const access = await host.access({}, signal)
    assert.equal(access.rights.pullRequests, 'no')
    const remedy = access.missing[0]?.remedy ?? ''
    assert.ok(remedy.includes(`${forge.web}/settings/personal-access-tokens`))
    assert.match(remedy, /"Pull requests: Read and write"/)
    assert.match(remedy, /`pull_requests=write`/)
  })

  test('a repository that the token does not have lacks every right', async (t) => {
    const { forge, host } = await setUp(t)
    forge.switches.isDeleted = true
    const { rights, missing } = await host.access({}, signal)
    assert.deepEqual(rights, { read: 'no', push: 'no', pullRequests: 'no' })
    assert.deepEqual(
      missing.map(({ right }) => right),
      ['read', 'push', 'pullRequests'],
    )
  })

  test('the expiry is reported; a revoked token and an archived project are refused', async (t) => {
    const { forge } = await setUp(t)
    const token = forge.createToken({ lifeMs: 86_400_000, login: 'ada' })
    const host = openHost(forge, token.value)
    const { expiresAt } = await host.access({}, signal)
    const left = Date.parse(expiresAt ?? '') - Date.now()
    assert.ok(left > 86_000_000 && left < 86_800_000, String(expiresAt))
    forge.switches.isArchived = true
    await assert.rejects(host.access({}, signal), isFailure('repository_archived'))
    forge.revoke(token)
    await assert.rejects(host.access({}, signal), isFailure('repository_unauthorized'))
  })

  test('an open pull request becomes a draft, where the repository has drafts', async (t) => {
    const setup = await setUp(t)
    const { forge, host } = setup
    const { number } = await opened(setup)
    const answer = (errors: readonly object[], status = 200) => {
      const body = JSON.stringify({ data: { convertPullRequestToDraft: null }, errors })
      forge.failOnce('POST /graphql', { kind: 'answer', status, body })
      return host.update(number, { draft: true, body: 'Noted' }, signal)
    }
    await assert.rejects(answer([{ message: 'Something went wrong' }]), isFailure('forge_unavailable'))
    await assert.rejects(answer([{ type: 'RATE_LIMITED' }]), isFailure('forge_rate_limited'))
    assert.equal(forge.pulls[0]?.body, 'Body', 'the note comes after the draft')
    assert.equal((await answer([{ type: 'UNPROCESSABLE' }])).draft, false)
    assert.equal((await answer([], 403)).draft, false)
    assert.equal(forge.pulls[0].body, 'Noted')
    assert.equal((await host.update(number, { draft: true }, signal)).draft, true)
    const mutations = () => forge.requests.filter(({ route }) => route === 'POST /graphql').length
    const before = mutations()
    await host.update(number, { draft: true }, signal)
    assert.equal(mutations(), before)
  })
})
