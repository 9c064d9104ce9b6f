// Jobs of accounts that may read a repository and not push to it: from "read only" to a merged pull request, in a fork.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { PullNow } from '../../src/forge/own/response.ts'
import type { ProofStep } from '../../src/projects/access/prove.ts'
import { openSocketApi } from '../../src/cli/api/api.ts'
import { parseConfig } from '../../src/config/config.ts'
import { runCommand } from '../support/command.ts'
import { type ForgeService, startWithForges } from '../support/forge/connected-service.ts'
import type { TestForge } from '../support/forge/forge.ts'
import { readHeads, readRef } from '../support/bare-repository.ts'
import { edit, finish, write } from '../support/scripted.ts'
import { createClient } from '../support/service.ts'

const files = { 'docs/a.md': '# A\n\nOne.\n' }
const kinds = ['github', 'gitlab', 'gitea'] as const
const prefix = { github: 'ghp_', gitlab: 'glpat-', gitea: '' } as const

let service: ForgeService<string>
before(async () => {
  service = await startWithForges<string>([
    ...kinds.map((kind) => [kind, { kind, files, switches: { isPrivate: false } }] as const),
    ['refusing', { kind: 'github', files, switches: { isPrivate: true } }],
  ])
})
after(() => service.close())

const readOnly = { rights: ['read', 'pullRequests'], login: 'docs-bot' } as const

async function connect(name: string, token: Parameters<TestForge['createToken']>[0]) {
  const forge = service.forges.get(name)
  assert.ok(forge)
  const { environment, addresses } = service.running
  const client = await createClient(environment, addresses, forge.repository)
  const operator = openSocketApi(parseConfig(environment))
  const path = `/v1/projects/${client.projectId}`
  const send = async (method: string, below: string, body?: unknown) => await operator.send(method, path + below, body)
  const made = forge.createToken(token)
  const stored = await send('PUT', '/credential', { forge: forge.kind, token: made.value })
  return { forge, client, send, stored: JSON.parse(stored.body) as Stored }
}

type Stored = {
  readonly rights: object
  readonly missing: readonly { readonly right: string; readonly remedy: string }[]
}

type AccessCheck = { readonly steps: readonly ProofStep[] }

for (const kind of kinds) {
  test(`an account that may only read works in its fork on ${kind}`, async () => {
    const { forge, client, send, stored } = await connect(kind, { ...readOnly, prefix: prefix[kind] })
    assert.deepEqual(
      stored.missing.filter(({ right }) => right === 'push').map(({ remedy }) => /docent project fork/.test(remedy)),
      [true],
    )
    const project = JSON.parse((await send('POST', '/fork')).body) as { readonly fork: string }
    assert.equal(project.fork, `${forge.web}/docs-bot/docs.git`)
    const fork = forge.fork
    assert.ok(fork)
    forge.push('main', { 'docs/later.md': 'Later.\n' })

    service.play(edit('docs/a.md', 'One.', 'Two.'), finish)
    const job = await client.ended((await client.create('Say two')).id)
    assert.deepEqual([job.status, job.error], ['completed', null])
    const [pull] = forge.pulls
    assert.ok(pull)
    assert.deepEqual([pull.fork, pull.base, pull.author], ['docs-bot', 'main', 'docs-bot'])
    assert.deepEqual([...readHeads(forge.remote.directory).keys()], ['main'], 'nothing was pushed to the repository')
    assert.equal(readRef(fork.directory, `refs/heads/${pull.branch}`), pull.head)
    assert.equal(readRef(fork.directory, 'refs/heads/main'), forge.remote.head('main'), 'synchronised before the push')

    service.play(write('docs/b.md', '# B\n'), finish)
    const again = await client.ended((await client.message(job.id, 'Add B')).id)
    assert.deepEqual([again.status, forge.pulls.length], ['completed', 1])
    assert.match(await client.diff(job.id), /docs\/b\.md/)

    const path = `/v1/projects/${client.projectId}/pulls/${pull.number}`
    forge.push('main', { 'docs/theirs.md': 'theirs\n' })
    const updated = await client.call<PullNow>('POST', `${path}/update`)
    assert.deepEqual([updated.behind?.commits, updated.headCommit], [0, forge.pull(pull.number).head])
    await assert.rejects(send('DELETE', '/fork'), /Merge or close these pull requests first/)

    forge.merge(pull.number)
    service.play(edit('docs/a.md', 'Two.', 'Three.'), finish)
    const next = await client.ended((await client.message(job.id, 'Say three')).id)
    assert.deepEqual([next.status, forge.pulls.length, forge.pulls[1]?.branch], ['completed', 2, `${pull.branch}-2`])
    assert.equal(forge.remote.git(['show', 'main:docs/a.md']), '# A\n\nTwo.')

    forge.push('main', { 'docs/last.md': 'Last.\n' })
    const { steps } = JSON.parse((await send('POST', '/credential/check', { write: true })).body) as AccessCheck
    assert.deepEqual(
      steps.filter(({ state }) => state !== 'done'),
      [],
    )
    assert.equal(readRef(fork.directory, 'refs/heads/main'), forge.remote.head('main'), 'as before the push of a job')
  })
}

test('a fork is refused unless it is one, and no more people can see it', async () => {
  const { forge, client, send } = await connect('refusing', { ...readOnly, prefix: 'ghp_' })
  // GitHub is still copying.
  forge.failOnce('GET /repos/:owner/:repo/branches/*branch', { kind: 'answer', status: 404 })
  await send('POST', '/fork')
  const fork = forge.fork
  assert.ok(fork)
  const failed = async () => (await client.ended((await client.create('Say two')).id)).error
  fork.isPrivate = false
  assert.match((await failed())?.message ?? '', /is public, and acme\/docs is private/)
  fork.isPrivate = true
  fork.parentId = 1
  const error = await failed()
  assert.equal(error?.code, 'forge_right_missing')
  assert.match(error.message, /docs-bot\/docs is not a fork of acme\/docs, as GitHub says/)
  assert.deepEqual([...readHeads(fork.directory).keys()], ['main'])

  const fine = forge.createToken(readOnly)
  await send('PUT', '/credential', { forge: 'github', token: fine.value })
  await assert.rejects(send('POST', '/fork'), /a fine-grained token never may\. Create a classic token/)
})

test('the command makes a fork, takes a given one, and leaves it', async () => {
  const { forge, client, send } = await connect('gitea', readOnly)
  const { environment } = service.running
  const run = async (...args: string[]) => await runCommand(['project', 'fork', client.projectId, ...args], environment)
  assert.match((await run()).stdout, /Jobs push to .*\/docs-bot\/docs\.git\./)
  assert.match((await run('--leave')).stdout, /Jobs push to the repository itself\./)
  const given = await run('--repository', `${forge.web}/docs-bot/docs.git`, '--json')
  assert.equal((JSON.parse(given.stdout) as { readonly fork: string }).fork, `${forge.web}/docs-bot/docs.git`)
  const other = await run('--repository', 'https://example.com/docs-bot/docs.git')
  assert.match(other.stderr, /A fork is at the host of the repository/)
  await send('PATCH', '', { repository: `${forge.web}/acme/other.git` })
  assert.equal((JSON.parse((await send('GET', '')).body) as { readonly fork: null }).fork, null)
})
