// `@docent/client/api` against a whole service, through a proxy that fails on purpose.

import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { type Clock, systemClock } from '../../client/src/clock.ts'
import {
  type ClientOptions,
  createClient,
  DocentError,
  type Job,
  type JobEvent,
  type JobPath,
} from '../../client/src/api/client.ts'
import { frontDatabase } from '../support/clickhouse-front.ts'
import { runCommand } from '../support/command.ts'
import { type Examples, openExamples } from '../support/examples.ts'
import { type FaultyProxy, startFaultyProxy } from '../support/faulty-proxy.ts'
import { ask, edit, finish, type ScriptedService, startScriptedService } from '../support/scripted.ts'

let service: ScriptedService
let proxy: FaultyProxy
let projectId: string

before(async () => {
  service = await startScriptedService({}, { CLICKHOUSE_URL: await frontDatabase() })
  ;({ projectId } = service.client)
  proxy = await startFaultyProxy(service.running.addresses[0] ?? '')
})
after(async () => {
  await proxy.close()
  await service.close()
})

const waits: number[] = []
beforeEach(() => {
  waits.length = 0
  proxy.seen.length = 0
  assert.deepEqual(proxy.faults.splice(0), [], 'an earlier test left a fault')
})

/** Short waits take a fiftieth of their time. Long ones are limits, which must not end early. */
const clock: Clock = {
  now: systemClock.now,
  sleep: (ms, signal, held) => {
    if (ms >= 30_000) return systemClock.sleep(ms, signal, held)
    waits.push(ms)
    return systemClock.sleep(ms / 50, signal, held)
  },
}

const connect = (options: Partial<ClientOptions> = {}) =>
  createClient({ url: proxy.url, key: service.client.key, clock, ...options })
const job = (id: string) => ({ params: { path: { projectId, id } } })
const create = async (prompt: string, options?: Partial<ClientOptions>) => {
  const init = { params: { path: { projectId } }, body: { prompt } }
  return (await connect(options).POST('/v2/agent/{projectId}/job', init)).data
}
const problem = { 'Content-Type': 'application/problem+json' }
const unknown = 'job_00000000000000000000'

async function expectError(promise: Promise<unknown>, expected: Partial<DocentError>): Promise<DocentError> {
  const error = await promise.then(
    () => assert.fail('nothing was thrown'),
    (thrown: unknown) => thrown,
  )
  assert.ok(error instanceof DocentError, String(error))
  for (const [name, value] of Object.entries(expected)) assert.deepEqual(error[name as keyof DocentError], value, name)
  return error
}

test('a busy service and a lost response create one job', async () => {
  service.play(edit('index.md', 'Welcome to Acme.', 'Welcome.'), finish)
  const inFlight = JSON.stringify({ code: 'request_in_flight', detail: 'still at work' })
  proxy.faults.push(
    { kind: 'answer', status: 503, headers: { 'Retry-After': '3' } },
    { kind: 'answer', status: 409, headers: problem, body: inFlight },
    { kind: 'lose' },
  )
  const { id } = await create('Say welcome, once')
  assert.deepEqual(
    proxy.seen.map(({ status }) => status),
    [503, 409, 0, 201],
  )
  assert.equal(new Set(proxy.seen.map(({ key }) => key)).size, 1)
  assert.match(proxy.seen[0]?.key ?? '', /^[\da-f-]{36}$/)
  assert.equal(waits[0], 3_000)
  const { data } = await connect().GET('/v2/agent/{projectId}/jobs', { params: { path: { projectId } } })
  assert.deepEqual(
    data.jobs.map((one) => one.id),
    [id],
  )
  await service.client.ended(id)
})

test('requests that are not safe to repeat are sent once', async () => {
  const cancel = () => connect().POST('/v2/agent/{projectId}/job/{id}/cancel', job(unknown))
  proxy.faults.push({ kind: 'answer', status: 503 })
  await expectError(cancel(), { code: 'invalid_response', status: 503 })
  proxy.faults.push({ kind: 'lose' })
  await expectError(cancel(), { code: 'unreachable', status: 0 })
  assert.equal(proxy.seen.length, 2)
  assert.deepEqual([proxy.seen[0]?.key, waits], [undefined, []])
})

test('attempts are bounded, and a wait of hours is not made', async () => {
  const read = () => connect({ attempts: 3 }).GET('/v1/projects')
  proxy.faults.push(...Array.from({ length: 3 }, () => ({ kind: 'answer', status: 502 }) as const))
  await expectError(read(), { status: 502 })
  assert.equal(waits.length, 2)
  assert.ok((waits[0] ?? 0) <= 500 && (waits[1] ?? 0) > (waits[0] ?? 0), String(waits))
  const body = JSON.stringify({ code: 'rate_limited', detail: 'No more this hour.', requestId: 'req_1' })
  const headers = { ...problem, 'Retry-After': '3000' }
  proxy.faults.push({ kind: 'answer', status: 429, headers, body })
  await expectError(read(), {
    code: 'rate_limited',
    retryAfter: 3_000,
    message: 'No more this hour.',
    requestId: 'req_1',
  })
  assert.equal(waits.length, 2)
})

test('a body that breaks off and a service that never responds are repeated', async () => {
  proxy.faults.push({ kind: 'cut', afterBytes: 20 })
  const { data, response } = await connect().GET('/v1/projects/{projectId}', { params: { path: { projectId } } })
  assert.deepEqual([data.id, response.status, proxy.seen.length], [projectId, 200, 2])
  const silent: typeof fetch = async (_input, init) => {
    const { promise, reject } = Promise.withResolvers<never>()
    init?.signal?.addEventListener('abort', () => reject(init.signal?.reason as Error))
    return promise
  }
  const error = await expectError(connect({ fetch: silent, timeoutMs: 1_000, attempts: 2 }).GET('/v1/projects'), {
    code: 'unreachable',
  })
  assert.match(error.message, /^There is no response from http:\/\/127\.0\.0\.1:\d+: nothing arrived in 1 s\.$/)
})

test('refusals are errors with their code, request and fields', async () => {
  const missing = await expectError(connect().GET('/v2/agent/{projectId}/job/{id}', job(unknown)), {
    code: 'not_found',
    status: 404,
    retryAfter: undefined,
    details: [],
  })
  assert.match(missing.requestId ?? '', /^req_/)
  const invalid = await expectError(create(' '), { code: 'invalid_input', status: 400 })
  assert.deepEqual(
    invalid.details.map(({ pointer }) => pointer),
    ['#/prompt'],
  )
  await expectError(connect({ key: 'docent_wrong' }).GET('/v1/projects'), { code: 'unauthenticated', status: 401 })
  const moved = { Location: 'https://docent.example.com/v1/projects' }
  proxy.faults.push({ kind: 'answer', status: 301, headers: moved })
  const redirected = await expectError(connect().GET('/v1/projects'), { code: 'invalid_response' })
  assert.match(redirected.message, /redirects to https:\/\/docent\.example\.com/)
  await expectError(connect({ url: 'http://127.0.0.1:9', attempts: 1 }).GET('/v1/projects'), { code: 'unreachable' })
  assert.throws(() => connect({ url: 'ftp://docent.example.com' }), TypeError)
})

test('a job is awaited through its question, without reading it again and again', async () => {
  const gate = Promise.withResolvers<void>()
  service.play({ ...edit('guides/a.md', 'One.', 'Uno.'), wait: gate.promise }, ask('Which language?'))
  const { id } = await create('Translate it')
  const updates: Job[] = []
  const waiting = connect().waitForJob({ projectId, id }, { onUpdate: (job) => void updates.push(job) })
  while (!proxy.seen.some(({ status }) => status === 304)) await new Promise(setImmediate)
  await expectStops({ projectId, id })
  gate.resolve()
  const asked = await waiting
  assert.deepEqual([asked.status, asked.outcome, asked.result?.text], ['completed', 'needs_input', 'Which language?'])
  assert.deepEqual(updates.at(-1), asked)
  for (const [n, update] of updates.entries()) assert.notDeepEqual(update, updates[n - 1])
  assert.equal(waits[0], 2_000)

  service.play(edit('guides/a.md', 'Uno.', 'Eins.'), finish)
  proxy.faults.push({ kind: 'lose' })
  await connect().POST('/v2/agent/{projectId}/job/{id}/message', { ...job(id), body: { prompt: 'German' } })
  proxy.faults.push({ kind: 'lose' }, { kind: 'answer', status: 503 })
  const ended = await connect().waitForJob({ projectId, id })
  assert.equal(ended.outcome, 'pull_request')
  assert.equal((await service.client.messages(id)).length, 2)
})

/** The job is active. */
async function expectStops(path: JobPath): Promise<void> {
  await expectError(connect().waitForJob(path, { timeoutMs: 1_000 }), { code: 'timeout' })
  const stopped = new Error('enough')
  const stop = new AbortController()
  const waiting = connect().waitForJob(path, { signal: stop.signal, onUpdate: () => stop.abort(stopped) })
  await assert.rejects(waiting, stopped)
  const following = new AbortController()
  await assert.rejects(async () => {
    for await (const _ of connect().events(path, { signal: following.signal })) following.abort(stopped)
  }, stopped)
  await assert.rejects(connect().GET('/v1/projects', { signal: AbortSignal.abort(stopped) }), stopped)
}

test('events come once and in order, wherever the stream is cut', async () => {
  service.play({ ...edit('index.md', 'Home', 'Start'), text: ['I ', 'rename ', 'it.'] }, finish)
  const { id } = await create('Rename it')
  const path = { projectId, id }
  const live: JobEvent[] = []
  const texts: string[] = []
  proxy.faults.push({ kind: 'cut', afterBytes: 400 })
  for await (const event of connect().events(path, { onText: ({ text }) => void texts.push(text) })) live.push(event)
  assert.equal(live.at(-1)?.type, 'job_ended')
  assert.ok(texts.every((text) => 'I rename it.'.includes(text)))
  service.play(edit('index.md', 'Start', 'Begin'), finish)
  await service.client.message(id, 'Call it Begin')
  await service.client.ended(id)

  const address = `/v2/agent/${projectId}/job/${id}/events`
  const whole = await (await service.client.fetch(address)).text()
  const { events } = await service.client.call<{ events: JobEvent[] }>('GET', `${address}.json?limit=1000`)
  assert.deepEqual(events.slice(0, live.length), live)
  assert.equal(events.filter(({ type }) => type === 'job_ended').length, 2)
  const read = async (after: number) => {
    const all: JobEvent[] = []
    for await (const event of connect().events(path, { after })) all.push(event)
    return all
  }
  const endOfFirst = whole.indexOf('\n\n', whole.indexOf('event: job_ended')) + 2
  const cuts = [1, 30, 200, 1_000, endOfFirst - 1, endOfFirst, whole.length - 1]
  for (const afterBytes of cuts) {
    proxy.faults.push({ kind: 'cut', afterBytes }, { kind: 'answer', status: 503 }, { kind: 'cut', afterBytes: 700 })
    assert.deepEqual(await read(0), events, `cut after ${afterBytes} bytes`)
    proxy.faults.length = 0
  }
  assert.deepEqual(await read(5), events.slice(5))
  assert.deepEqual(await read(events.length), [])
  await expectError(read(events.length + 100), { code: 'invalid_input' })
})

test('a response that is no stream of events is an error', async () => {
  const path = { projectId, id: unknown }
  const read = () => connect().events(path).next()
  await expectError(read(), { code: 'not_found' })
  const headers = { 'Content-Type': 'text/html' }
  proxy.faults.push({ kind: 'answer', status: 200, headers, body: '<h1>Sign in</h1>' })
  await expectError(read(), { code: 'invalid_response', status: 200 })
  const stream = { 'Content-Type': 'text/event-stream' }
  proxy.faults.push({ kind: 'answer', status: 200, headers: stream, body: 'event: turn\ndata: {"id":"x"}\n\n' })
  await expectError(read(), { code: 'invalid_response' })
  proxy.faults.push(...Array.from({ length: 10 }, () => ({ kind: 'answer', status: 200, headers: stream }) as const))
  await expectError(read(), { code: 'unreachable' })
})

test('the examples of the guide run with what an installation has', async (t) => {
  const { client, running, play } = service
  const place = ['--project', projectId, '--name', 'docs', '--origin', 'https://docs.example.com']
  const { code, stderr } = await runCommand(['site', 'create', ...place], running.environment)
  assert.equal(code, 0, stderr)
  const variables = { DOCENT_URL: running.addresses[0] ?? '', DOCENT_API_KEY: client.key, DOCENT_PROJECT: projectId }
  const examples = await openExamples(t, 'docs/guides/client.md', variables)

  play(edit('index.md', 'Welcome', 'Hello'), finish)
  assert.match(await examples.run('Start a job and wait'), /^completed http:\S+\n$/)
  assert.match(await examples.run('Errors'), /^not_found 404 .* req_\w+\n$/)

  play(ask('Which name?'))
  const { id: JOB } = await client.create('Rename it')
  await client.ended(JOB)
  play(edit('index.md', 'Welcome', 'Hi'), finish)
  assert.equal(await examples.run('Answer a question', { JOB }), 'The agent asks: Which name?\npull_request\n')
  assert.match(await examples.run('Follow events', { JOB }), /^3 preparing\n[^]*\n\d+ completed\n$/)

  await recordOne(examples)
  assert.equal(await examples.run('Read visitors'), '1 visitors\n/install 1 0\n')
  assert.equal(examples.left(), 0)
})

async function recordOne(examples: Examples): Promise<void> {
  const server = await examples.start('Record page views', { PORT: '0' })
  const headers = { Accept: 'text/html', 'User-Agent': browser }
  const response = await fetch(`http://127.0.0.1:${/port: (\d+)/.exec(server.line)?.[1]}/install`, { headers })
  assert.equal(await response.text(), '<h1>Install</h1>')
  assert.equal(await server.stop(), 0)
}

const browser = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'
