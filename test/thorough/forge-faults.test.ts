// Faults of the host of git that pass: a job waits them out, and blames nobody.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { connectForge, type ForgeService, startWithForges } from '../support/forge/connected-service.ts'
import type { ForgeFault } from '../support/forge/server.ts'
import { edit, finish, write } from '../support/scripted.ts'

let service: ForgeService<string>
before(async () => {
  const files = { 'docs/a.md': '# A\n\nOne.\n' }
  service = await startWithForges([
    ['github', { kind: 'github', files }],
    ['app', { kind: 'github', files }],
    ['gitlab', { kind: 'gitlab', files }],
    ['gitea', { kind: 'gitea', files }],
    ['left', { kind: 'github', files }],
  ])
})
after(() => service.close())

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
    const forge = service.forges.get(kind) ?? assert.fail()
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

test('the temporary ref of a run that gave up is deleted by the next run', async () => {
  const forge = service.forges.get('left') ?? assert.fail()
  const { client } = await connectForge(service, forge, { isApp: true })
  const state = { isRefused: false }
  forge.fault = ({ route }) => {
    if (route === 'POST /repos/:owner/:repo/git/commits') {
      state.isRefused = true
      return { kind: 'answer', status: 422, headers: { 'Content-Type': 'application/json' }, body: '{"message":"No."}' }
    }
    return state.isRefused && route.startsWith('git') ? { kind: 'reset' } : undefined
  }
  service.play(edit('docs/a.md', 'One.', 'Two.'), finish)
  const job = await client.ended((await client.create('Say two')).id)
  assert.equal(job.error?.code, 'forge_refused')
  assert.notEqual(forge.remote.git(['for-each-ref', 'refs/docent']), '')
  forge.fault = undefined
  service.play(write('docs/b.md', '# B\n'), finish)
  assert.equal((await client.ended((await client.message(job.id, 'Add B')).id)).outcome, 'pull_request')
  assert.equal(forge.remote.git(['for-each-ref', 'refs/docent']), '')
})
