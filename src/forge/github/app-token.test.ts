import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { startForge, type TestForge } from '../../../test/support/forge/forge.ts'
import type { Cleanup } from '../../../test/support/git-remote.ts'
import { createManualClock, type ManualClock } from '../../../test/support/manual-clock.ts'
import { Failure, type FailureCode } from '../../lib/failure.ts'
import { createForgeClient } from '../client.ts'
import { createAppApi } from './app-api.ts'
import { parsePrivateKey } from './app-jwt.ts'
import { type AppTarget, type AppTokens, createAppTokens } from './app-token.ts'
import { gitHubHeaders } from './github.ts'

const { signal } = new AbortController()
const mintRoute = 'POST /app/installations/:installation_id/access_tokens'

type Setup = {
  readonly forge: TestForge
  readonly tokens: AppTokens
  readonly target: AppTarget
  readonly clock: ManualClock
  readonly mints: () => number
}

type Given = { readonly permissions?: Readonly<Record<string, string>>; readonly aheadMs?: number }

async function setUp(t: Cleanup, { permissions, aheadMs = 0 }: Given = {}): Promise<Setup> {
  const forge = await startForge(t, { kind: 'github' })
  const app = forge.createApp(permissions ? { permissions } : {})
  const clock = createManualClock(new Date(Date.now() + aheadMs))
  const api = createAppApi({
    apiUrl: forge.api,
    identity: { appId: app.id, privateKey: parsePrivateKey(app.privateKey) },
    openClient: (apiUrl, authorization) =>
      createForgeClient({ apiUrl, authorization, headers: gitHubHeaders, privateHosts: [forge.host] }),
    clock,
  })
  const tokens = createAppTokens({ openApp: () => Promise.resolve({ api, slug: app.slug }), clock })
  const target = { installationId: app.installationId, webUrl: forge.web, path: 'acme/docs', use: 'jobs' } as const
  const mints = () => forge.requests.filter(({ route }) => route === mintRoute).length
  return { forge, tokens, target, clock, mints }
}

const isFailure =
  (code: FailureCode, words = /(?:)/) =>
  (error: unknown) =>
    error instanceof Failure && error.code === code && words.test(error.message)

suite('tokens of an installation', () => {
  test('a token is limited to one repository and to the needs of a job', async (t) => {
    const { forge, tokens, target } = await setUp(t)
    const { token, expiresAt } = await tokens.mint(target, signal)
    assert.match(token, /^ghs_/)
    const left = expiresAt.getTime() - Date.now()
    assert.ok(left > 3_500_000 && left <= 3_600_000)
    assert.deepEqual(forge.requests.find(({ route }) => route === mintRoute)?.body, {
      repositories: ['docs'],
      permissions: {
        contents: 'write',
        pull_requests: 'write',
        issues: 'write',
        metadata: 'read',
        checks: 'read',
        statuses: 'read',
        actions: 'read',
      },
    })
  })

  test('an App without the permissions to read gets a token without them', async (t) => {
    const old = { contents: 'write', pull_requests: 'write', issues: 'read', metadata: 'read' } as const
    const { forge, tokens, target } = await setUp(t, { permissions: { ...old, statuses: 'read' } })
    const { token } = await tokens.mint(target, signal)
    const { permissions } = forge.tokens.find(({ value }) => value === token) ?? {}
    assert.deepEqual(permissions, { contents: 'write', pull_requests: 'write', metadata: 'read', statuses: 'read' })
    const { rights, missing, off } = await tokens.access(target, signal)
    assert.deepEqual([rights, missing], [{ read: 'yes', push: 'yes', pullRequests: 'yes' }, []])
    const page = `${forge.web}/organizations/acme/settings/installations/${target.installationId}`
    assert.deepEqual(off, [
      `The checks of pull requests are not shown. Give the GitHub App the permission "Checks: Read-only" in its settings, then accept it at ${page}.`,
      `Comments on issues are not answered. Give the GitHub App the permission "Issues: Read and write" in its settings, then accept it at ${page}.`,
      `Logs of failed checks are not read. Give the GitHub App the permission "Actions: Read-only" in its settings, then accept it at ${page}.`,
    ])
  })

  test('a token for reading may write nothing, and is never the one of a job', async (t) => {
    const { forge, tokens, target } = await setUp(t)
    const reading = { ...target, use: 'reading' } as const
    const [job, { token }] = await Promise.all([tokens.mint(target, signal), tokens.mint(reading, signal)])
    assert.notEqual(token, job.token)
    const permissionsOf = (value: string) => forge.tokens.find((one) => one.value === value)?.permissions
    assert.deepEqual(permissionsOf(token), {
      contents: 'read',
      metadata: 'read',
      pull_requests: 'read',
      issues: 'read',
    })
    const bodies = forge.requests.filter(({ route }) => route === mintRoute).map(({ body }) => body)
    assert.ok(bodies.every((body) => JSON.stringify(body).includes('"repositories":["docs"]')))
    const { rights, missing, off } = await tokens.access(reading, signal)
    assert.deepEqual([rights, missing, off], [{ read: 'yes', push: 'unknown', pullRequests: 'unknown' }, [], []])
  })

  test('a token for reading needs only the permission to read the contents', async (t) => {
    const { forge, tokens, target } = await setUp(t, { permissions: { contents: 'read', metadata: 'read' } })
    const { token } = await tokens.mint({ ...target, use: 'reading' } as const, signal)
    const { permissions } = forge.tokens.find(({ value }) => value === token) ?? {}
    assert.deepEqual(permissions, { contents: 'read', metadata: 'read' })
    await assert.rejects(tokens.mint(target, signal), isFailure('forge_right_missing'))
  })

  test('callers at the same time share one token, and one that gives up stops alone', async (t) => {
    const { tokens, target, mints } = await setUp(t)
    const leaving = new AbortController()
    const left = tokens.mint(target, leaving.signal)
    const all = Promise.all([tokens.mint(target, signal), tokens.mint(target, signal)])
    leaving.abort(new Error('gone'))
    await assert.rejects(left, /gone/)
    const [one, other] = await all
    assert.equal(one.token, other.token)
    assert.equal(mints(), 1)
  })

  test('a young token that is refused is given again after pauses that grow', async (t) => {
    const { tokens, target, clock, mints } = await setUp(t)
    const first = await tokens.mint(target, signal)
    for (const pause of [500, 1_000, 2_000, 4_000]) {
      const again = tokens.mint(target, signal)
      await clock.untilAsleep(1)
      await clock.pass(pause - 1)
      assert.equal(clock.sleepers(), 1)
      await clock.pass(1)
      assert.equal((await again).token, first.token)
    }
    assert.equal(mints(), 1)
    const next = await tokens.mint(target, signal)
    assert.notEqual(next.token, first.token)
    assert.equal(mints(), 2)
    await clock.pass(10_000)
    await tokens.mint(target, signal)
    assert.equal(mints(), 3, 'ten seconds old')
  })

  test("a clock that is ahead is corrected by GitHub's date, and stays so", async (t) => {
    const { forge, tokens, target, clock } = await setUp(t, { aheadMs: 7_200_000 })
    await tokens.mint(target, signal)
    const refused = () => forge.requests.filter(({ status }) => status === 401).length
    const before = refused()
    assert.ok(before > 0)
    await clock.pass(10_000)
    await tokens.mint(target, signal)
    assert.equal(refused(), before)
  })

  test('a lost response is tried again by the caller, and a limit says how long to wait', async (t) => {
    const { forge, tokens, target } = await setUp(t)
    forge.failOnce(mintRoute, { kind: 'lose answer' })
    await assert.rejects(tokens.mint(target, signal), isFailure('forge_unavailable'))
    const body = JSON.stringify({ message: 'You have exceeded a secondary rate limit.' })
    forge.failOnce(mintRoute, { kind: 'answer', status: 403, headers: { 'Retry-After': '30' }, body })
    await assert.rejects(tokens.mint(target, signal), (error: Failure) => error.retryAfter === 30)
    await tokens.mint(target, signal)
  })

  test('a key that GitHub does not accept says how to set another', async (t) => {
    const { forge, tokens, target } = await setUp(t)
    const body = JSON.stringify({ message: 'A JSON web token could not be decoded' })
    forge.fault = () => ({ kind: 'answer', status: 401, body })
    const words = /docent github set-app.*could not be decoded/
    await assert.rejects(tokens.mint(target, signal), isFailure('repository_unauthorized', words))
  })
})

suite('the rights of an installation', () => {
  test('an installation that has all rights lacks nothing', async (t) => {
    const { tokens, target } = await setUp(t)
    assert.deepEqual(await tokens.access(target, signal), {
      account: 'docent[bot]',
      rights: { read: 'yes', push: 'yes', pullRequests: 'yes' },
      missing: [],
      off: [],
      expiresAt: null,
      facts: { isPublic: false },
    })
  })

  test('each permission that was not granted is named with the page that grants it', async (t) => {
    const table = [
      [
        { contents: 'read', pull_requests: 'write' },
        { read: 'yes', push: 'no', pullRequests: 'yes' },
      ],
      [
        { contents: 'write', pull_requests: 'read' },
        { read: 'yes', push: 'yes', pullRequests: 'no' },
      ],
      [{ contents: 'write' }, { read: 'yes', push: 'yes', pullRequests: 'no' }],
      [{ pull_requests: 'write' }, { read: 'no', push: 'no', pullRequests: 'yes' }],
    ] as const
    for (const [permissions, expected] of table) {
      const { forge, tokens, target } = await setUp(t, { permissions: { metadata: 'read', ...permissions } })
      const { rights, missing } = await tokens.access(target, signal)
      assert.deepEqual(rights, expected)
      const lacking = Object.entries(expected)
        .filter(([, has]) => has === 'no')
        .map(([right]) => right)
      assert.deepEqual(
        missing.map(({ right }) => right),
        lacking,
      )
      const page = `${forge.web}/organizations/acme/settings/installations/${target.installationId}`
      for (const { remedy } of missing) assert.ok(remedy.includes(page), remedy)
      const code = expected.read === 'no' ? 'repository_unauthorized' : 'forge_right_missing'
      await assert.rejects(tokens.mint(target, signal), isFailure(code, /permission "/))
    }
  })

  test('a repository that the installation does not have is named', async (t) => {
    const { tokens, target } = await setUp(t)
    const other = { ...target, path: 'acme/other' }
    const { rights, missing } = await tokens.access(other, signal)
    assert.deepEqual(rights, { read: 'no', push: 'no', pullRequests: 'no' })
    assert.match(missing[0]?.remedy ?? '', /^Add acme\/other to the repositories .*\/settings\/installations\/\d+\.$/)
    await assert.rejects(tokens.mint(other, signal), isFailure('repository_unauthorized', /^Add acme\/other/))
  })

  test('a repository of the same name of another account is not taken for it', async (t) => {
    const { tokens, target } = await setUp(t)
    const foreign = { ...target, path: 'someone/docs' }
    assert.equal((await tokens.access(foreign, signal)).rights.push, 'no')
    await assert.rejects(tokens.mint(foreign, signal), isFailure('repository_unauthorized', /^Add someone\/docs/))
  })

  test('a suspended installation and a deleted one are reported', async (t) => {
    const { forge, tokens, target } = await setUp(t)
    const gone = { ...target, installationId: target.installationId + 1 }
    await assert.rejects(tokens.mint(gone, signal), isFailure('repository_unauthorized', /docent github installations/))
    const { installation } = forge.apps[0] ?? {}
    assert.ok(installation)
    installation.isSuspended = true
    await assert.rejects(tokens.mint(target, signal), isFailure('repository_unauthorized', /suspended/))
    assert.match((await tokens.access(target, signal)).missing[0]?.remedy ?? '', /unsuspend it at http/)
  })
})
