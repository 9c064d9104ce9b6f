// Statuses of commits on all hosts: the same to the service, and to each host in its own words.

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { startForge, type TestForge } from '../../../test/support/forge/forge.ts'
import { refuses } from '../../../test/support/forge/host-cases.ts'
import { tokenHost } from '../../../test/support/forge/subjects.ts'
import { signal } from '../../../test/support/git-remote.ts'
import { forgeKinds, type ForgeKind } from '../host.ts'
import type { CommitStatus } from './status.ts'

const address = 'https://docent.example/projects/p/ledger?source=api&from=v1.1&to=v1.2'
const routes: Readonly<Record<ForgeKind, string>> = {
  github: 'POST /repos/:owner/:repo/statuses/:sha',
  gitlab: 'POST /projects/:project/statuses/:sha',
  gitea: 'POST /repos/:owner/:repo/statuses/:sha',
  bitbucket: 'POST /repositories/:workspace/:repo_slug/commit/:commit/statuses/build',
  azure: 'POST /:organization/:project/_apis/git/repositories/:repositoryId/commits/:commitId/statuses',
}
const words: Readonly<Record<ForgeKind, readonly string[]>> = {
  github: ['success', 'failure', 'pending'],
  gitlab: ['success', 'failed', 'pending'],
  gitea: ['success', 'failure', 'pending'],
  bitbucket: ['SUCCESSFUL', 'FAILED', 'INPROGRESS'],
  azure: ['succeeded', 'failed', 'pending'],
}
/** Where a token is to be had that may. Bitbucket asks for no right but to read. */
const remedies: Readonly<Partial<Record<ForgeKind, RegExp>>> = {
  github: /may not set statuses of commits\. Give the token the permission "Commit statuses: Read and write" at /,
  gitlab: /may not set statuses of commits\. Create a token with the role "Developer" and the scope "api" at /,
  gitea: /may not set statuses of commits\. Create a token with the permissions "repository: Read and Write" and /,
  azure: /may not set statuses of commits\. Create a personal access token .*"Code \(Status\)" at /,
}

function mayOn(forge: TestForge) {
  return tokenHost(forge, forge.createToken({ permissions: { statuses: 'write' } }).value)
}

async function setUp(t: Parameters<typeof startForge>[0], kind: ForgeKind) {
  const forge = await startForge(t, { kind })
  const commit = forge.remote.head('main') ?? ''
  const status = (given: Partial<CommitStatus> = {}): CommitStatus => {
    const said = { state: 'failure', text: '3 changes are undocumented', url: address } as const
    return { commit, context: 'docent/docs', ...said, ...given }
  }
  return { forge, commit, status }
}

for (const kind of forgeKinds) {
  suite(`statuses of commits on ${kind}`, () => {
    test('each state has its word, with text and address', async (t) => {
      const { forge, commit, status } = await setUp(t, kind)
      const host = mayOn(forge)
      for (const state of ['success', 'failure', 'pending'] as const) await host.setStatus(status({ state }), signal())
      const { login } = forge.createToken()
      const common = { commit, context: 'docent/docs', text: '3 changes are undocumented', url: address }
      assert.deepEqual(
        forge.remarks.statuses,
        words[kind].map((state) => ({ ...common, state, login })),
      )
      const before = forge.requests.length
      await host.setStatus(status({ url: null }), signal())
      const page = kind === 'bitbucket' ? `${forge.web}/acme/docs/commits/${commit}` : null
      assert.equal(forge.remarks.statuses.at(-1)?.url, page)
      assert.equal(forge.requests.length, before + 1)
    })

    test('a status that is sent twice is set', async (t) => {
      const { forge, status } = await setUp(t, kind)
      const host = mayOn(forge)
      for (const state of ['pending', 'failure', 'success'] as const) {
        await host.setStatus(status({ state }), signal())
        await host.setStatus(status({ state }), signal())
      }
      assert.equal(forge.remarks.statuses.at(-1)?.state, words[kind][0])
    })

    test('a credential without the right gets the remedy', async (t) => {
      const { forge, status } = await setUp(t, kind)
      const host = tokenHost(forge, forge.createToken({ rights: ['read'] }).value)
      const remedy = remedies[kind]
      if (remedy === undefined) return await host.setStatus(status(), signal())
      const { message } = await refuses('forge_right_missing', host.setStatus(status(), signal()))
      assert.match(message, remedy)
      assert.deepEqual(forge.remarks.statuses, [])
    })

    test('a host that does not respond is unavailable, and a lost response is no status', async (t) => {
      const { forge, status } = await setUp(t, kind)
      const host = mayOn(forge)
      forge.failOnce(routes[kind], { kind: 'lose answer' })
      await refuses('forge_unavailable', host.setStatus(status(), signal()))
      await host.setStatus(status(), signal())
      assert.equal(new Set(forge.remarks.statuses.map(({ text }) => text)).size, 1)
      const gone = status({ commit: '0'.repeat(40) })
      await refuses(['forge_refused', 'forge_right_missing', 'repository_unreachable'], host.setStatus(gone, signal()))
    })
  })
}
