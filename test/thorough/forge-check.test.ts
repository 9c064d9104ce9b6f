// `docent forge check` against loopback forges: what it proves is what a job does, and it leaves nothing behind.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { AccessReport } from '../../src/projects/access/access.ts'
import type { ProofStep } from '../../src/projects/access/prove.ts'
import { connectForge, type ForgeService, startWithForges } from '../support/forge/connected-service.ts'
import type { TestForge } from '../support/forge/forge.ts'
import { edit, finish } from '../support/scripted.ts'

type Checked = AccessReport & { readonly steps: readonly ProofStep[] | null }

const kinds = ['github', 'app', 'gitlab', 'gitea'] as const
let service: ForgeService<string>
before(async () => {
  const files = { 'docs/a.md': '# A\n\nOne.\n' }
  const optionsOf = (kind: (typeof kinds)[number]) => ({ kind: kind === 'app' ? 'github' : kind, files }) as const
  const uses = ['proof', 'blocked', 'shown', 'hidden']
  service = await startWithForges(
    uses.flatMap((use) => kinds.map((kind) => [`${kind} ${use}`, optionsOf(kind)] as const)),
  )
})
after(() => service.close())

async function connect(kind: (typeof kinds)[number], use: string) {
  const forge = service.forges.get(`${kind} ${use}`) ?? assert.fail()
  const connected = await connectForge(service, forge, { isApp: kind === 'app' })
  const check = async (write: boolean) => (await connected.send('POST', '/credential/check', { write })) as Checked
  return { ...connected, forge, check }
}

/** The requests that change something, with the names of refs. */
function writesOf(forge: TestForge, from: number): readonly string[] {
  return forge.requests
    .slice(from)
    .filter(({ method, route, status }) => method !== 'GET' && route !== 'git upload-pack' && status < 300)
    .map(({ route, body }) => `${route} ${JSON.stringify(Object.keys((body as object | undefined) ?? {}))}`)
}

for (const kind of kinds) {
  test(`the check does on ${kind} what a job does, and leaves nothing`, async () => {
    const { forge, check, client } = await connect(kind, 'proof')
    const refs = forge.remote.git(['for-each-ref'])
    const before = forge.requests.length
    const { steps } = await check(true)
    assert.deepEqual(
      steps?.map(({ step, state }) => `${step} ${state}`).join(),
      steps?.map(({ step }) => `${step} done`).join(),
    )
    const checked = writesOf(forge, before)
    assert.equal(forge.remote.git(['for-each-ref']), refs)
    assert.equal(forge.pulls.filter(({ state }) => state === 'open').length, 0)
    const atJob = forge.requests.length
    service.play(edit('docs/a.md', 'One.', 'Two.'), finish)
    assert.equal((await client.ended((await client.create('Say two')).id)).status, 'completed')
    const done = writesOf(forge, atJob)
    // The check closes the pull request and deletes the branch afterwards.
    assert.deepEqual(checked.slice(0, done.length), done)
    assert.equal(checked.length - done.length, 2)
    const pull = forge.pulls.at(-1) ?? assert.fail()
    const close = `/v1/projects/${client.projectId}/pulls/${pull.number}/close`
    assert.equal((await client.call<{ state: string }>('POST', close)).state, 'closed')
    assert.equal(forge.pull(pull.number).state, 'closed')
    await client.call('POST', close, undefined, 409)
  })

  test(`a branch in the way of all jobs is found on ${kind} before the model is asked`, async () => {
    const { forge, check, client } = await connect(kind, 'blocked')
    forge.push('docent', { 'a.md': 'in the way\n' })
    assert.match((await check(false)).problem ?? '', /^The repository has a branch docent, and git can have no branch/)
    const [read] = (await check(true)).steps ?? []
    assert.match(read?.detail ?? '', /has a branch docent/)
    const asked = service.model.requests.length
    const job = await client.ended((await client.create('Say two')).id)
    assert.deepEqual([job.status, job.error?.code], ['failed', 'forge_refused'])
    assert.match(job.error?.message ?? '', /^The repository has a branch docent, .*`pullRequest.branchPrefix`/)
    assert.equal(service.model.requests.length, asked, 'requests to the model')
  })
}

for (const kind of ['github', 'app', 'gitlab'] as const) {
  test(`rules that ${kind} shows fail a run before the model is asked, with the setting`, async () => {
    const { forge, check, client, send } = await connect(kind, 'shown')
    forge.switches.rules = { message: '^docs: ', branch: '^feature/' }
    const asked = service.model.requests.length
    const job = await client.ended((await client.create('Say two')).id)
    assert.deepEqual([job.status, job.error?.code], ['failed', 'forge_refused'])
    assert.match(
      job.error?.message ?? '',
      /^This repository would refuse the push: message must match `\^docs: `\. Set /,
    )
    assert.equal(service.model.requests.length, asked, 'requests to the model')
    const { rules } = await check(false)
    assert.deepEqual(
      rules.refused.map(({ change }) => change),
      [{ commit: { prefix: 'docs: ' } }, { pullRequest: { branchPrefix: 'feature/' } }],
    )
    for (const { change } of rules.refused) await send('PATCH', '', change)
    assert.deepEqual((await check(true)).rules.refused, [])
    service.play(edit('docs/a.md', 'One.', 'Two.'), finish)
    const next = await client.ended((await client.create('Say two')).id)
    assert.equal(next.status, 'completed', JSON.stringify(next.error))
    assert.match(forge.pulls.at(-1)?.branch ?? '', /^feature\//)
  })

  test(`rules that ${kind} hides are learned from the first refusal`, async () => {
    const { forge, check, client, send } = await connect(kind, 'hidden')
    forge.switches.rules = { message: '^docs: ', isHidden: true }
    assert.deepEqual((await check(false)).rules.refused, [])
    service.play(edit('docs/a.md', 'One.', 'Two.'), finish)
    const job = await client.ended((await client.create('Say two')).id)
    assert.match(job.error?.message ?? '', /^The repository refused the push\. Commit message .* Set `commit\.prefix`/)
    const asked = service.model.requests.length
    const again = await client.ended((await client.create('Say two')).id)
    assert.match(again.error?.message ?? '', /^This repository would refuse the push: message must match/)
    assert.equal(service.model.requests.length, asked, 'requests to the model')
    const [problem] = (await check(false)).rules.refused
    assert.deepEqual(problem?.change, { commit: { prefix: 'docs: ' } })
    // The rule was taken away: the next proof of a push forgets it.
    forge.switches.rules = {}
    await check(true)
    assert.deepEqual((await check(false)).rules.refused, [])
    forge.switches.rules = { message: '^docs: ' }
    await send('PATCH', '', { commit: { prefix: 'docs: ' } })
    service.play(edit('docs/a.md', 'One.', 'Two.'), finish)
    assert.equal((await client.ended((await client.create('Say two')).id)).status, 'completed')
  })
}

test('signatures: a token is sent to an App, whose commits pass', async () => {
  const token = await connect('github', 'proof')
  token.forge.switches.rules = { isSigned: true }
  assert.match(
    (await token.check(false)).rules.refused[0]?.remedy ?? '',
    /^Let the service sign commits .* or connect the project with a GitHub App/,
  )
  token.forge.switches.rules = { isSigned: true, isBypassed: true }
  assert.deepEqual((await token.check(false)).rules.refused, [], 'the account may pass the rule')
  const app = await connect('app', 'proof')
  app.forge.switches.rules = { isSigned: true }
  const { rules, steps } = await app.check(true)
  assert.deepEqual([rules.refused, steps?.every(({ state }) => state === 'done')], [[], true])
})

test('a protection of Gitea that matches the branches of jobs is found', async () => {
  const { forge, check, send } = await connect('gitea', 'shown')
  forge.switches.rules = { closed: 'docent/*' }
  const [problem] = (await check(false)).rules.refused
  assert.match(problem?.rule ?? '', /^the protection `docent\/\*` lets nobody push$/)
  await send('PATCH', '', { pullRequest: { branchPrefix: 'docs/' } })
  assert.deepEqual((await check(true)).rules.refused, [])
})
