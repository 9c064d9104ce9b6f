import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { startForge, type TestForge } from '../../../../test/support/forge/forge.ts'
import type { ForgeFault } from '../../../../test/support/forge/server.ts'
import type { Cleanup } from '../../../../test/support/git-remote.ts'
import { createManualClock } from '../../../../test/support/manual-clock.ts'
import { Failure, type FailureCode } from '../../../lib/failure.ts'
import { createForgeClient } from '../../client.ts'
import type { Published, PublishInput } from '../../host.ts'
import { createAppApi } from '../app-api.ts'
import { parsePrivateKey } from '../app-jwt.ts'
import { createAppTokens } from '../app-token.ts'
import { gitHubHeaders } from '../github.ts'
import { createGitHubHost } from '../host.ts'

const { signal } = new AbortController()
const branch = 'docent/words'
const message = 'Rename\n\nBetter words.\n\nDocent-Job: job_0123456789abcdefghij/1\n'

type Setup = {
  readonly forge: TestForge
  readonly publish: (given?: Partial<PublishInput>) => Promise<Published>
  /** The first lines of the branch's commits above main, newest first. */
  readonly commits: (name?: string) => readonly string[]
  /** Fails again and again until a call succeeds, as the steps of a run do. */
  readonly untilPublished: (given?: Partial<PublishInput>) => Promise<Published>
}

/** The tree of the change is pushed to a temporary ref, as a run does it before. */
async function setUp(t: Cleanup): Promise<Setup & { readonly input: PublishInput }> {
  const forge = await startForge(t, { kind: 'github' })
  const app = forge.createApp()
  const openClient = (apiUrl: string, authorization: Parameters<typeof createForgeClient>[0]['authorization']) =>
    createForgeClient({ apiUrl, authorization, headers: gitHubHeaders, privateHosts: [forge.host] })
  const clock = createManualClock(new Date())
  const identity = { appId: app.id, privateKey: parsePrivateKey(app.privateKey) }
  const api = createAppApi({ apiUrl: forge.api, identity, openClient, clock })
  const tokens = createAppTokens({ openApp: () => Promise.resolve({ api, slug: app.slug }), clock })
  const target = { installationId: app.installationId, webUrl: forge.web, path: 'acme/docs', use: 'jobs' } as const
  const { token } = await tokens.mint(target, signal)
  const client = openClient(forge.api, { scheme: 'Bearer', token: () => Promise.resolve(token) })
  const installation = { access: () => tokens.access(target, signal) }
  const { commits } = createGitHubHost({ client, repository: target, installation })
  assert.ok(commits)
  const parent = forge.remote.git(['rev-parse', 'main'])
  forge.push('scratch', { 'docs/index.md': '# Start\n' })
  const tree = forge.remote.git(['rev-parse', 'scratch^{tree}'])
  forge.remote.git(['update-ref', 'refs/docent/run_1', 'scratch'])
  forge.deleteBranch('scratch')
  const input = { branch, expected: null, parent, tree, message }
  const publish = (given: Partial<PublishInput> = {}) => commits.publish({ ...input, ...given }, signal)
  const untilPublished = async (given: Partial<PublishInput> = {}) => {
    for (let attempt = 0; attempt < 5; attempt += 1) {
      try {
        return await publish(given)
      } catch (error) {
        if (!(error instanceof Failure) || !error.meaning.retry) throw error
      }
    }
    throw new Error('five attempts failed')
  }
  const log = (name = branch) =>
    forge.remote
      .git(['log', '--format=%s', `main..refs/heads/${name}`])
      .split('\n')
      .filter(Boolean)
  return { forge, publish, untilPublished, commits: log, input }
}

const isFailure = (code: FailureCode) => (error: unknown) => error instanceof Failure && error.code === code

/** The routes of a new branch, and of one that exists. */
const created = 'POST /repos/:owner/:repo/git/refs'
const moved = 'PATCH /repos/:owner/:repo/git/refs/*ref'
const reads = ['GET /repos/:owner/:repo/git/ref/*ref', 'POST /repos/:owner/:repo/git/commits']

suite('commits that GitHub signs', () => {
  test('a commit of the App is verified, and becomes the branch', async (t) => {
    const { forge, publish, input } = await setUp(t)
    const published = await publish()
    assert.ok(published.kind === 'published' && published.isVerified)
    assert.equal(forge.remote.git(['rev-parse', branch]), published.commit)
    assert.equal(forge.remote.git(['rev-parse', `${branch}^{tree}`]), input.tree)
    assert.equal(forge.remote.git(['rev-parse', `${branch}^`]), input.parent)
    assert.equal(forge.remote.git(['log', '-1', '--format=%an', branch]), 'docent[bot]')
    const sent = forge.requests.find(({ route }) => route === 'POST /repos/:owner/:repo/git/commits')?.body
    assert.deepEqual(Object.keys(sent as object).sort(), ['message', 'parents', 'tree'])
  })

  test('a branch in the way of a new one is named, and nothing is tried again', async (t) => {
    const { forge, publish } = await setUp(t)
    forge.push('docent', { 'a.md': 'in the way' })
    await assert.rejects(publish(), (error) => {
      assert.match(String(error), /The repository has a branch docent, and git can have no branch docent\/words beside/)
      return isFailure('forge_refused')(error)
    })
  })

  test('a step that is repeated after any fault makes one commit on the branch', async (t) => {
    const faults: ForgeFault[] = [
      { kind: 'reset' },
      { kind: 'lose answer' },
      { kind: 'truncate' },
      { kind: 'answer after', status: 502, body: '<html>Bad gateway</html>' },
    ]
    const { forge, untilPublished, commits } = await setUp(t)
    for (const [i, fault] of faults.entries()) {
      for (const [j, route] of [...reads, created].entries()) {
        const name = `docent/${i}-${j}`
        forge.failOnce(route, fault)
        const first = await untilPublished({ branch: name })
        assert.equal(forge.fault, undefined, `${route} was asked`)
        assert.deepEqual(commits(name), ['Rename'], `${fault.kind} of ${route}`)
        assert.deepEqual(await untilPublished({ branch: name }), first)
        const head = forge.remote.git(['rev-parse', name])
        assert.ok(first.kind === 'published' && first.commit === head && first.isVerified)
        const second = { branch: name, expected: head, parent: head, message: message.replace('/1', '/2') }
        forge.failOnce(moved, fault)
        const next = await untilPublished(second)
        assert.deepEqual(commits(name), ['Rename', 'Rename'], `${fault.kind} of ${moved}`)
        assert.deepEqual(await untilPublished(second), next)
      }
    }
  })

  test('a commit of another run, tree or parent is not taken for the own one', async (t) => {
    const { forge, publish, input } = await setUp(t)
    const first = await publish()
    assert.ok(first.kind === 'published')
    const others: Partial<PublishInput>[] = [
      { message: message.replace('/1', '/2') },
      { tree: forge.remote.git(['rev-parse', 'main^{tree}']) },
      { message: 'Rename' },
      { parent: first.commit },
    ]
    for (const other of others) {
      assert.deepEqual(await publish(other), { kind: 'moved', head: first.commit }, JSON.stringify(other))
    }
    assert.deepEqual(await publish({ message: `Other title\n\n${message.split('\n\n')[2]}` }), first)
    assert.equal(forge.remote.git(['rev-parse', `${branch}^`]), input.parent)
  })

  test('without trailers the whole message identifies the commit', async (t) => {
    const { publish } = await setUp(t)
    const first = await publish({ message: 'Rename\n' })
    assert.deepEqual(await publish({ message: 'Rename' }), first)
    assert.equal((await publish({ message: 'Rename more' })).kind, 'moved')
  })

  test("the run's own commit is found below commits of people", async (t) => {
    const { forge, publish } = await setUp(t)
    const first = await publish()
    for (let i = 0; i < 3; i += 1) forge.push(branch, { 'docs/own.md': `${i}\n` }, 'By a person')
    assert.deepEqual(await publish(), first)
  })

  test('a branch that a person moved stays where it is', async (t) => {
    const { forge, publish, input } = await setUp(t)
    const own = forge.push(branch, { 'docs/own.md': 'x\n' }, 'By a person')
    assert.deepEqual(await publish(), { kind: 'moved', head: own })
    assert.deepEqual(await publish({ expected: input.parent }), { kind: 'moved', head: own })
    assert.deepEqual(await publish({ branch: 'docent/gone', expected: own }), { kind: 'moved', head: null })
    assert.equal(forge.remote.git(['rev-parse', branch]), own)
  })

  test('a person who moves the branch at the last moment is not overwritten', async (t) => {
    const { forge, publish } = await setUp(t)
    const first = await publish()
    assert.ok(first.kind === 'published')
    const second = { expected: first.commit, parent: first.commit, message: message.replace('/1', '/2') }
    for (const [route, given] of [
      [moved, second],
      [created, { branch: 'docent/new' }],
    ] as const) {
      const name = 'branch' in given ? given.branch : branch
      let own = ''
      forge.fault = (request) => {
        if (request.route !== route) return undefined
        forge.fault = undefined
        own = forge.push(name, { 'docs/own.md': 'x\n' }, 'By a person')
        return undefined
      }
      assert.deepEqual(await publish(given), { kind: 'moved', head: own })
      assert.equal(forge.remote.git(['rev-parse', name]), own)
    }
  })

  test('a protected branch is refused by name of the rule, and never forced', async (t) => {
    const { forge, publish } = await setUp(t)
    forge.switches.protected = ['docent/*']
    await assert.rejects(publish(), isFailure('branch_protected'))
    assert.ok(!forge.requests.some(({ body }) => (body as { force?: unknown } | undefined)?.force === true))
  })

  test('a tree that GitHub does not know yet is tried again later', async (t) => {
    const { publish } = await setUp(t)
    await assert.rejects(publish({ tree: '1'.repeat(40) }), isFailure('forge_unavailable'))
  })

  test('a commit of another author than the App names them, and is not signed', async (t) => {
    const { forge, publish } = await setUp(t)
    const made = await publish({ author: { name: 'Ada', email: 'ada@example.com' } })
    assert(made.kind === 'published')
    assert.equal(made.isVerified, false)
    assert.equal(forge.remote.git(['log', '-1', '--format=%an %ae %cn', made.commit]), 'Ada ada@example.com Ada')
  })
})
