// A run that is cut between two turns continues with each provider, and a job continues when its project's model changes.

import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { openSocketApi } from '../../src/cli/api/api.ts'
import { parseConfig } from '../../src/config/config.ts'
import type { Environment } from '../../src/config/environment.ts'
import { createLog } from '../../src/lib/observability/log.ts'
import { openPostgres } from '../../src/postgres/open.ts'
import type { JobResponse } from '../../src/jobs/response.ts'
import { git, show } from '../support/repository.ts'
import { startService, type TestService } from '../support/service.ts'
import { startWireServer, type WireServer } from '../support/wire.ts'
import { say, type WireProvider } from '../support/wire-answers.ts'

const providers = {
  anthropic: 'claude-opus-5',
  openai: 'gpt-5.4',
  google: 'gemini-3.5-flash',
  compatible: 'm',
} as const
const signature = 'c2lnbmVkIGJ5IHRoZSBtb2RlbA=='
const write = (name: string) => ({
  id: `call_${name}`,
  name: 'write_file',
  input: { path: `${name}.md`, content: 'x\n' },
})
const finish = { id: 'call_f', name: 'finish', input: { title: 'A title', summary: 'A summary.' } }

let server: WireServer
/** For the tests that kill no run. It has no key of Google. */
let shared: TestService

before(async () => {
  server = await startWireServer()
  const model = { DOCENT_MODEL: 'anthropic/claude-opus-5' }
  shared = await startService({ 'index.md': '# Home\n' }, { ...model, ...settingsFor('anthropic', 'openai') })
})
after(async () => {
  await shared.close()
  await server.close()
})

function settingsFor(...wanted: readonly WireProvider[]): Environment {
  const pairs = wanted.flatMap((provider) => [
    [`DOCENT_${provider.toUpperCase()}_API_KEY`, 'key'],
    [`DOCENT_${provider.toUpperCase()}_BASE_URL`, server.url],
  ])
  return { ...(Object.fromEntries(pairs) as Environment), DOCENT_LOG_LEVEL: 'silent' }
}

async function change(settings: object, { environment, client }: TestService = shared): Promise<void> {
  const operator = openSocketApi(parseConfig(environment))
  await operator.send('PATCH', `/v1/projects/${client.projectId}`, settings)
}

/** A model that had a key when it was set. No process has the database. */
async function setModel(model: string): Promise<void> {
  const { DATABASE_URL: url, DOCENT_DATA_DIR: dataDir = '' } = shared.environment
  const postgres = await openPostgres(
    url
      ? { kind: 'server', url, connections: 1, log: createLog('silent') }
      : { kind: 'embedded', directory: join(dataDir, 'postgres') },
  )
  await postgres.db.updateTable('projects').set({ model }).where('id', '=', shared.client.projectId).execute()
  await postgres.close()
}

for (const [name, model] of Object.entries(providers)) {
  const provider = name as WireProvider
  test(`${provider}: a run killed between turns repeats no stored response`, async () => {
    const cut = Promise.withResolvers<void>()
    const times = { stored: 0 }
    const settings = { DOCENT_MODEL: `${provider}/${model}`, ...settingsFor(provider) }
    const reached = (point: string): Promise<void> => {
      if (point !== 'results stored' || (times.stored += 1) > 1) return Promise.resolve()
      cut.resolve()
      return Promise.reject(new Error('the process dies here'))
    }
    const running = await startService({ 'index.md': '# Home\n' }, settings, { reached })
    const before = server.requests.length
    server.play(
      { events: say(provider, { text: 'I begin.', calls: [write('a')], signature }) },
      { events: say(provider, { calls: [finish] }) },
    )
    const job = await running.client.create('write a page')
    await cut.promise
    const client = await running.restart()
    const ended = await client.ended(job.id)
    await running.close()
    assert.equal(ended.status, 'completed', JSON.stringify(ended.error))
    assert.equal(ended.usage.turns, 2)
    assert.equal(server.requests.length - before, 2)
    const sent = JSON.stringify(server.requests.at(-1)?.body)
    assert.ok(sent.includes(signature), `the reasoning of the first turn in ${sent}`)
    assert.ok(sent.includes('I begin.'))
    // By hand: two answers of what each says it took.
    const costs = { anthropic: 0.00735, openai: 0.0038, google: 0.00228, compatible: null }
    assert.equal(ended.usage.costUsd, costs[provider])
  })
}

test("jobs use their project's model and continue after it changes", async () => {
  const { client, repository } = shared
  await change({ model: 'anthropic/claude-opus-5' })
  server.play(
    { events: say('anthropic', { calls: [write('a')], signature }) },
    { events: say('anthropic', { calls: [finish], signature }) },
  )
  const created = await client.create('write a page')
  assert.equal(created.model, 'anthropic/claude-opus-5')
  assert.equal((await client.ended(created.id)).status, 'completed')
  await change({ model: 'openai/gpt-5.4' })
  server.play({ events: say('openai', { calls: [write('b')] }) }, { events: say('openai', { calls: [finish] }) })
  await client.message(created.id, 'and another')
  const ended = await client.ended(created.id)
  const sent = JSON.stringify(server.requests.at(-1)?.body)
  assert.deepEqual([ended.status, ended.model], ['completed', 'openai/gpt-5.4'], JSON.stringify(ended.error))
  assert.equal(await show(repository, ended.source.ref ?? '', 'b.md'), 'x')
  assert.ok(sent.includes('write a page') && sent.includes('a.md'))
  assert.ok(!sent.includes(signature))
})

type Chosen = { readonly model?: string; readonly branch?: string; readonly draft?: boolean }

const claude = 'anthropic/claude-opus-5'
const gpt = 'openai/gpt-5.4'

/** Plays a run that adds a page. */
const playPage = (provider: WireProvider, name: string, before?: () => Promise<unknown>) =>
  server.play(
    { events: say(provider, { calls: [write(name)] }), ...(before ? { before } : {}) },
    { events: say(provider, { calls: [finish] }) },
  )

function send<T = JobResponse>(path: string, prompt: string, chosen: Chosen, expected?: number): Promise<T> {
  const { client } = shared
  return client.call<T>('POST', `/v2/agent/${client.projectId}/job${path}`, { prompt, ...chosen }, expected)
}

test('a job and its messages choose a model that the project allows', async () => {
  const { client } = shared
  await change({ model: claude, models: [gpt] })
  const refused = await send<{ code: string; details: { pointer: string }[] }>('', 'go', { model: 'openai/other' }, 400)
  assert.deepEqual([refused.code, refused.details[0]?.pointer], ['invalid_input', '#/model'])
  playPage('openai', 'chosen')
  const created = await send('', 'write a page', { model: gpt })
  assert.equal(created.model, gpt)
  const first = await client.ended(created.id)
  assert.deepEqual([first.status, first.model], ['completed', gpt], JSON.stringify(first.error))
  // A message changes the model before the next turn of the run, and a later one keeps it.
  const path = `/${created.id}/message`
  server.play(
    {
      events: say('openai', { calls: [write('b2')] }),
      before: () => send(path, 'now with this one', { model: claude }),
    },
    { events: say('anthropic', { calls: [finish] }) },
  )
  await send(path, 'another page', {})
  const second = await client.ended(created.id)
  assert.deepEqual([second.status, second.model], ['completed', claude], JSON.stringify(second.error))
  playPage('anthropic', 'b3')
  await send(path, 'and one more', {})
  assert.equal((await client.ended(created.id)).status, 'completed')
  // The project stops allowing a model: the job says so, and continues with another one.
  await send(path, 'next', { model: gpt })
  await client.call('POST', `/v2/agent/${client.projectId}/job/${created.id}/cancel`).catch(() => undefined)
  await client.ended(created.id)
  await change({ models: [] })
  await send(path, 'next', {})
  const stopped = await client.ended(created.id)
  assert.equal(stopped.error?.code, 'model_not_configured')
  assert.match(stopped.error.message, /does not allow the model openai\/gpt-5\.4 .* such as anthropic\/claude-opus-5/)
  playPage('anthropic', 'b4')
  await send(path, 'next', { model: claude })
  assert.equal((await client.ended(created.id)).status, 'completed')
})

test('a message may choose the base of a new branch, not of an existing one', async () => {
  const { client, repository } = shared
  await git(repository, 'branch', 'v2', 'main')
  await change({ model: claude })
  const job = await send('', 'write a page', { branch: 'missing' })
  assert.equal((await client.ended(job.id)).error?.code, 'base_not_found')
  const path = `/${job.id}/message`
  playPage('anthropic', 'base')
  await send(path, 'from v2', { branch: 'v2' })
  const first = await client.ended(job.id)
  assert.equal(first.status, 'completed', JSON.stringify(first.error))
  const pull = async () => (await client.pulls()).find(({ jobId, state }) => jobId === job.id && state === 'open')
  assert.equal((await pull())?.base, 'v2')
  // The branch exists: its base stays, also when the project gets another one.
  const fixed = await send<{ code: string; detail: string }>(path, 'go', { branch: 'main' }, 409)
  assert.deepEqual([fixed.code, /starts from v2/.test(fixed.detail)], ['branch_fixed', true])
  await change({ branch: 'main' })
  playPage('anthropic', 'base2')
  await send(path, 'again', { branch: 'v2' })
  assert.equal((await client.ended(job.id)).status, 'completed')
  const open = await pull()
  assert.equal(open?.base, 'v2')
  assert.ok(!(await client.diff(job.id)).includes('index.md'))
  await client.call('POST', `/v1/projects/${client.projectId}/pulls/${open.number}/merge`)
  assert.equal(await show(repository, 'v2', 'base2.md'), 'x')
  // Merged: the next message starts a branch, and chooses its base.
  playPage('anthropic', 'base3')
  await send(path, 'on main now', { branch: 'main' })
  const last = await client.ended(job.id)
  assert.deepEqual([last.status, (await pull())?.base], ['completed', 'main'], JSON.stringify(last.error))
  await change({ branch: null })
})

test("a project's budget ends its runs, also in money", async () => {
  const { client } = shared
  await change({ model: 'anthropic/claude-opus-5', budget: { costUsd: 0.003 } })
  server.play({ events: say('anthropic', { calls: [write('a')] }) })
  const ended = await client.ended((await client.create('write a page')).id)
  await change({ budget: { costUsd: null } })
  assert.deepEqual([ended.error?.code, ended.usage.turns], ['budget_exceeded', 1])
  assert.match(ended.error?.message ?? '', /0\.003 US dollars/)
})

test('a run at its budget keeps its changes, or publishes them as a part, once', async () => {
  const cut = Promise.withResolvers<void>()
  const dies = { at: 'recorded' }
  const reached = (point: string): Promise<void> => {
    if (point !== dies.at || dies.at !== 'edited') return Promise.resolve()
    cut.resolve()
    return Promise.reject(new Error('the process dies here'))
  }
  const settings = { DOCENT_MODEL: 'compatible/m', ...settingsFor('compatible') }
  const running = await startService({ 'index.md': '# Home\n' }, settings, { reached })
  const writes = (...names: readonly string[]) =>
    names.map((name) => ({ events: say('compatible', { text: `Next is ${name}.`, calls: [write(name)] }) }))
  await change({ budget: { turns: 5 } }, running)
  server.play(...writes('a', 'b', 'c', 'd', 'e'))
  const { id } = await running.client.create('Write pages\nfrom a to z')
  const kept = await running.client.ended(id)
  assert.deepEqual([kept.status, kept.outcome, kept.result], ['failed', null, null])
  assert.equal(
    kept.error?.message,
    'The run used up its budget of 5 turns. 5 changed files are kept: send a message to continue, or set onBudgetEnd to publish.',
  )
  assert.match(JSON.stringify(server.requests.at(-1)?.body), /1 of 5 turns left\. Finish what is begun/)
  assert.doesNotMatch(JSON.stringify(server.requests.at(-2)?.body), /turns left/)

  await change({ onBudgetEnd: 'publish' }, running)
  const before = server.requests.length
  dies.at = 'edited'
  server.play(...writes('f', 'g', 'h', 'i', 'j'))
  await running.client.message(id, 'Go on')
  await cut.promise
  const client = await running.restart()
  const part = await client.ended(id)
  const diff = await client.diff(id)
  const asked = server.requests.length - before
  server.play(...writes('k'), { events: say('compatible', { calls: [finish] }) })
  await client.message(id, 'The last one is k')
  const whole = await client.ended(id)
  await running.close()
  assert.deepEqual([part.status, part.outcome, part.error], ['completed', 'partial', null])
  assert.deepEqual([part.pullRequest?.draft, part.prLink, asked], [true, part.pullRequest?.url, 5])
  assert.deepEqual([part.result?.kind, part.result?.title], ['change', 'Part: Write pages'])
  assert.match(part.result?.text ?? '', /budget of 5 turns[^]*> from a to z\n\n> Go on[^]*> Next is j\./)
  assert.match(diff, /a\.md[^]*j\.md/)
  assert.deepEqual([whole.outcome, whole.pullRequest?.draft, whole.result?.title], ['pull_request', false, 'A title'])
})

test('openai: a call cut at the length limit does not run, and the model learns it', async () => {
  const { client } = shared
  await change({ model: 'openai/gpt-5.4' })
  const cut = { ...write('cut'), input: '{"path":"cut.md","content":"half of' }
  server.play(
    { events: say('openai', { calls: [cut], end: 'max_output_tokens' }) },
    { events: say('openai', { calls: [write('whole')] }) },
    { events: say('openai', { calls: [finish] }) },
  )
  const ended = await client.ended((await client.create('write a page')).id)
  const sent = JSON.stringify(server.requests.at(-2)?.body)
  const diff = await client.diff(ended.id)
  assert.equal(ended.status, 'completed', JSON.stringify(ended.error))
  assert.match(sent, /cut off at its length limit/)
  assert.ok(diff.includes('whole.md') && !diff.includes('cut.md'), diff)
})

test("a project's model without a key fails its jobs with the name of the setting", async () => {
  const client = await shared.restart(() => setModel('google/gemini-3.5-flash'))
  const ended = await client.ended((await client.create('write a page')).id)
  assert.deepEqual([ended.status, ended.error?.code], ['failed', 'model_not_configured'])
  assert.match(ended.error?.message ?? '', /google\/gemini-3\.5-flash.*DOCENT_GOOGLE_API_KEY/)
})
