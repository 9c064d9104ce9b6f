// A service notifies a receiver of what happens to jobs, pull requests and automations: each once, and signed.

import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { parseConfig } from '../../src/config/config.ts'
import { openSocketApi } from '../../src/cli/api/api.ts'
import type { ShownAutomation } from '../../src/http/resources/automations/schemas.ts'
import type { ShownWebhook } from '../../src/http/resources/webhooks/contract.ts'
import type { JobResponse } from '../../src/jobs/response.ts'
import { isSigned } from '../../src/lib/outbound/standard-webhooks.ts'
import type { Cleanup } from '../support/git-remote.ts'
import { ask, edit, finish, type ScriptedService, startScriptedService } from '../support/scripted.ts'
import { type HttpRequest, type HttpServer, serveHttp } from '../support/scripted-http.ts'

let t: ScriptedService
let receiver: HttpServer
let hook: ShownWebhook
const cleanups: (() => void)[] = []

before(async () => {
  const cleanup: Cleanup = { after: (work) => void cleanups.push(work as () => void) }
  receiver = await serveHttp(cleanup, () => ({}))
  t = await startScriptedService({}, { DOCENT_PRIVATE_REPOSITORY_HOSTS: receiver.host })
  hook = await send<ShownWebhook>('POST', 'webhooks', { url: receiver.url })
})
after(async () => {
  await t.close()
  for (const cleanup of cleanups) cleanup()
})

/** As an admin. */
async function send<T>(method: string, path: string, body?: object): Promise<T> {
  const operator = openSocketApi(parseConfig(t.running.environment))
  const sent = await operator.send(method, `/v1/projects/${t.client.projectId}/${path}`, body)
  return (sent.body === '' ? undefined : JSON.parse(sent.body)) as T
}

type Body = {
  readonly type: string
  readonly data: { readonly job: JobResponse; readonly automation: ShownAutomation }
}

async function untilReceived(): Promise<HttpRequest> {
  for (;;) {
    const [first] = receiver.requests
    if (first) return first
    await delay(20)
  }
}

/** Waits for this number of requests, and for another one that must not come. Forgets them. */
async function taken(count: number): Promise<readonly Body[]> {
  const until = Date.now() + 30_000
  while (receiver.requests.length < count && Date.now() < until) await delay(20)
  const { deliveries } = await send<{ deliveries: { status: string }[] }>(
    'GET',
    `webhooks/${hook.id}/deliveries?limit=100`,
  )
  const requests = receiver.requests.splice(0)
  assert.equal(requests.length, count, JSON.stringify([requests.map(({ body }) => (body as Body).type), deliveries]))
  for (const { headers, body } of requests) {
    const header = (name: string) => headers[name] as string
    const [id, timestamp, signature] = [header('webhook-id'), header('webhook-timestamp'), header('webhook-signature')]
    const signed = { id, timestamp, signature, body: Buffer.from(JSON.stringify(body)) }
    assert.equal(isSigned(hook.secret ?? '', signed, new Date()), true)
  }
  return requests.map(({ body }) => body as Body)
}

test('the code of the guide recognises a request, and refuses a changed one', async () => {
  const guide = await readFile(new URL('../../docs/guides/webhooks.md', import.meta.url), 'utf8')
  const [, code = ''] = /^```js\n([^]*?)^```$/m.exec(guide) ?? []
  const { isFromDocent } = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as {
    readonly isFromDocent: (secret: string, headers: object, body: string) => boolean
  }
  t.play()
  await t.client.ended((await t.client.create('Look around.')).id)
  const { headers, body } = await untilReceived()
  const text = JSON.stringify(body)
  assert.equal(isFromDocent(hook.secret ?? '', headers, text), true)
  assert.equal(isFromDocent(hook.secret ?? '', headers, text.replace('completed', 'failed')), false)
  assert.equal(isFromDocent(hook.secret ?? '', { ...headers, 'webhook-timestamp': '1' }, text), false)
  await taken(1)
})

test('the ends of runs and the pull request of a job are sent, each once', async () => {
  t.play(ask('Which page?'))
  const { id } = await t.client.create('Improve it.')
  await t.client.ended(id)
  const [asked] = await taken(1)
  assert.equal(asked?.type, 'job.needs_input')
  assert.deepEqual(asked.data.job, await t.client.job(id))

  t.play(edit('index.md', 'Welcome', 'Hello'), finish)
  await t.client.message(id, 'The first one.')
  await t.client.ended(id)
  const [opened, completed] = await taken(2)
  assert.deepEqual([opened?.type, completed?.type], ['pull_request.opened', 'job.completed'])
  assert.match(completed?.data.job.prLink ?? '', /^http:\/\/127\.0\.0\.1:\d+\/pulls\/\S+$/)
  assert.deepEqual(completed?.data.job, await t.client.job(id))

  t.play()
  await t.client.message(id, 'Anything else?')
  await t.client.ended(id)
  assert.deepEqual((await taken(1))[0]?.type, 'job.completed')

  await t.client.call('POST', `/v1/projects/${t.client.projectId}/pulls/1/merge`)
  const [merged] = await taken(1)
  assert.deepEqual([merged?.type, merged?.data.job.pullRequest?.state], ['pull_request.merged', 'merged'])

  t.play(edit('index.md', 'Hello', 'Good morning'), finish)
  await t.client.message(id, 'Again.')
  await t.client.ended(id)
  assert.deepEqual(
    (await taken(2)).map(({ type }) => type),
    ['pull_request.opened', 'job.completed'],
  )
  await t.client.call('POST', `/v1/projects/${t.client.projectId}/pulls/2/close`)
  assert.deepEqual((await taken(1))[0]?.type, 'pull_request.closed')
})

test('a run that fails and one that is cancelled are sent as failed', async () => {
  t.play({ status: 400, says: 'no' })
  const failed = await t.client.create('Fail.')
  await t.client.ended(failed.id)
  const [sent] = await taken(1)
  assert.deepEqual([sent?.type, sent?.data.job.id, sent?.data.job.status], ['job.failed', failed.id, 'failed'])

  t.play({ wait: new Promise(() => undefined) })
  const cancelled = await t.client.create('Wait.')
  await t.client.call('POST', `/v2/agent/${t.client.projectId}/job/${cancelled.id}/cancel`)
  const [ended] = await taken(1)
  assert.deepEqual([ended?.type, ended?.data.job.error?.code], ['job.failed', 'cancelled'])
})

test('an automation that is paused, and one that fails three times in a row, are sent', async () => {
  const trigger = { type: 'person' }
  const made = await send<ShownAutomation>('POST', 'automations', { name: 'A', trigger, instructions: 'Do it.' })
  await send('PATCH', `automations/${made.id}`, { enabled: false })
  const [paused] = await taken(1)
  assert.deepEqual([paused?.type, paused?.data.automation.name], ['automation.paused', 'A'])
  await send('PATCH', `automations/${made.id}`, { enabled: true })
  const types: string[] = []
  for (let run = 1; run <= 4; run += 1) {
    t.play({ status: 400, says: 'no' })
    const { jobId } = await send<{ jobId: string }>('POST', `automations/${made.id}/run`)
    await t.client.ended(jobId)
    types.push(...(await taken(run === 3 ? 2 : 1)).map(({ type }) => type))
  }
  assert.deepEqual(types, ['job.failed', 'job.failed', 'job.failed', 'automation.failed', 'job.failed'])

  // One that succeeds ends the row, and one that a person cancelled does not count.
  const run = async (count: number) => {
    const { jobId } = await send<{ jobId: string }>('POST', `automations/${made.id}/run`)
    await t.client.ended(jobId)
    return (await taken(count)).map(({ type }) => type)
  }
  t.play()
  assert.deepEqual(await run(1), ['job.completed'])
  t.play({ status: 400, says: 'no' })
  assert.deepEqual([...(await run(1)), ...(await run(1))], ['job.failed', 'job.failed'])
  t.play({ wait: new Promise(() => undefined) })
  const { jobId } = await send<{ jobId: string }>('POST', `automations/${made.id}/run`)
  await t.client.call('POST', `/v2/agent/${t.client.projectId}/job/${jobId}/cancel`)
  assert.equal((await taken(1))[0]?.type, 'job.failed')
  t.play({ status: 400, says: 'no' })
  assert.deepEqual((await run(2)).toSorted(), ['automation.failed', 'job.failed'])
})

test('a service that stops and starts again sends what happened last', async () => {
  t.play(edit('guides/a.md', 'One', 'Eins'), finish)
  const { id } = await t.client.create('Translate.')
  await t.client.ended(id)
  await t.running.restart()
  const sent = await taken(2)
  assert.ok(sent.every(({ data }) => data.job.id === id))
})
