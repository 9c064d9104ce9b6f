// Faults of the host of git that pass: a job waits them out, and blames nobody.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { connectForge } from '../support/forge/connected-service.ts'
import { type TestForge, startForge } from '../support/forge/forge.ts'
import type { ForgeFault } from '../support/forge/server.ts'
import type { Cleanup } from '../support/git-remote.ts'
import { edit, finish, type ScriptedService, startScriptedService } from '../support/scripted.ts'

const closing: Parameters<Cleanup['after']>[0][] = []
const forges = new Map<string, TestForge>()
let service: ScriptedService
before(async () => {
  const cleanup: Cleanup = { after: (close) => void closing.push(close) }
  for (const kind of ['github', 'app', 'gitlab', 'gitea'] as const) {
    const files = { 'docs/a.md': '# A\n\nOne.\n' }
    forges.set(kind, await startForge(cleanup, { kind: kind === 'app' ? 'github' : kind, files }))
  }
  const hosts = [...forges.values()].map(({ host }) => host).join()
  service = await startScriptedService({}, { DOCENT_PRIVATE_REPOSITORY_HOSTS: hosts })
})
after(async () => {
  await service.close()
  for (const close of closing) await (close as () => unknown)()
})

const text = { 'Content-Type': 'text/plain' }
const login = { ...text, 'WWW-Authenticate': 'Basic realm="x"' }
const forbidden: ForgeFault = { kind: 'answer', status: 403, headers: text, body: 'Forbidden' }
const unauthorized: ForgeFault = { kind: 'answer', status: 401, headers: login, body: 'Unauthorized' }
const limited: ForgeFault = { kind: 'answer', status: 403, headers: { ...text, 'Retry-After': '1' } }
const page: ForgeFault = {
  kind: 'answer',
  status: 200,
  headers: { 'Content-Type': 'text/html' },
  body: '<h1>Sign in</h1>',
}

/** Any fault at any of these requests of any forge passes; these are some of them. */
const trials = {
  github: [
    ['git upload-pack refs', forbidden],
    ['git receive-pack', forbidden],
  ],
  app: [
    ['git receive-pack refs', unauthorized],
    ['git upload-pack', limited],
  ],
  gitlab: [
    ['git upload-pack refs', page],
    ['git receive-pack refs', forbidden],
  ],
  gitea: [
    ['git upload-pack', unauthorized],
    ['git receive-pack', page],
  ],
} as const

for (const kind of ['github', 'app', 'gitlab', 'gitea'] as const) {
  test(`a fault of git that passes ends no job on ${kind}`, async () => {
    const forge = forges.get(kind) ?? assert.fail()
    const { client } = await connectForge(service, forge, { isApp: kind === 'app' })
    for (const [at, [route, fault]] of trials[kind].entries()) {
      const isLogin = fault.kind === 'answer' && fault.status === 401
      // A request without a credential is answered with 401 anyway.
      forge.fault = (request) => {
        if (request.route !== route || (isLogin && request.secret === '')) return undefined
        forge.fault = undefined
        return fault
      }
      service.play(edit('docs/a.md', 'One.', `Two ${at}.`), finish)
      const job = await client.ended((await client.create('Say two')).id)
      assert.equal(job.status, 'completed', `${route}: ${JSON.stringify(job.error)}`)
      assert.equal(forge.fault, undefined, `${route} was asked`)
    }
    assert.equal(forge.pulls.length, trials[kind].length)
  })
}
