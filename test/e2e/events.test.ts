// The events of a job through the whole service: followed live, cut anywhere, and gone on with.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { EventResponse } from '../../src/jobs/events/events.ts'
import { engine } from '../support/engine.ts'
import { follow, type Stream } from '../support/event-stream.ts'
import { edit, finish, nothing, type ScriptedService, startScriptedService, write } from '../support/scripted.ts'
import type { Client } from '../support/service.ts'

let service: ScriptedService
let client: Client
let play: ScriptedService['play']

before(async () => {
  service = await startScriptedService()
  ;({ client, play } = service)
})
after(() => service.close())

const pathOf = (jobId: string) => `/v2/agent/${client.projectId}/job/${jobId}/events`
const open = (jobId: string) => (init: RequestInit) => client.fetch(pathOf(jobId), init)
const kept = async (jobId: string, query = '') => {
  const response = await client.fetch(`${pathOf(jobId)}${query}`, { headers: { Accept: 'application/json' } })
  assert.equal(response.status, 200)
  return (await response.json()) as { readonly events: readonly EventResponse[]; readonly nextCursor: string | null }
}
const types = (events: readonly EventResponse[]) => events.map((event) => event.type)
const ids = (events: readonly EventResponse[]) => events.map((event) => event.id)
const upTo = (n: number) => Array.from({ length: n }, (_, index) => index + 1)
const has = (type: EventResponse['type']) => (stream: Stream) => stream.events.some((event) => event.type === type)

test('events cover a job from its message to its end, live and as a page', async () => {
  play({ ...edit('index.md', 'Welcome to Acme.', 'Welcome.'), text: 'I shorten it.', cached: 40 }, finish)
  const created = await client.create('Shorten it')
  const stream = await follow(open(created.id))
  assert.equal(stream.response.headers.get('Cache-Control'), 'no-store')
  await stream.ended
  const job = await client.ended(created.id)
  // A busy machine adds the progress of the check.
  assert.deepEqual(
    types(stream.events).filter((type) => type !== 'progress'),
    [
      'message',
      'run_started',
      'phase',
      'phase',
      'turn',
      'results',
      'turn',
      'phase',
      'results',
      'phase',
      'run_ended',
      'job_ended',
    ],
  )
  assert.deepEqual(ids(stream.events), upTo(stream.events.length))
  assert.deepEqual((await kept(job.id)).events, stream.events)
  const [message, , , , turn, results] = stream.events
  assert.equal(message?.type === 'message' && message.prompt, 'Shorten it')
  assert.ok(turn?.type === 'turn' && results?.type === 'results')
  assert.equal(turn.text, 'I shorten it.')
  assert.deepEqual(turn.total, { inputTokens: 100, cachedInputTokens: 40, outputTokens: 10, costUsd: null, turns: 1 })
  assert.deepEqual(turn.usage, { inputTokens: 100, cachedInputTokens: 40, outputTokens: 10 })
  assert.equal(job.usage.cachedInputTokens, 40)
  assert.deepEqual(results.changed, { files: 1, bytes: 17 })
  const end = stream.events.at(-1)
  assert.ok(end?.type === 'job_ended')
  assert.deepEqual([end.status, end.outcome, end.prLink, end.error], ['completed', 'pull_request', job.prLink, null])
})

test('a follow-up begins with a summary of the runs before, in a small request', async (t) => {
  play(write('new.md', '# New\n'), finish)
  const job = await client.ended((await client.create('Add a page')).id)
  const asked = service.model.requests.length
  play(edit('new.md', '# New', '# Newer'), finish)
  await client.ended((await client.message(job.id, 'Call it Newer')).id)
  const request = service.model.requests[asked] ?? []
  assert.ok(request.every(({ role }) => role !== 'assistant'))
  const summary = request.find(({ content }) => content?.includes('This job had earlier runs.'))?.content ?? ''
  assert.match(summary, /Run 1\. The user asked:\n> Add a page\n.*\n> A title\n> \n> A summary\.\n.*\n> new\.md</)
  const { events } = await kept(job.id)
  const changes = events.flatMap((event) => (event.type === 'context' ? [[event.turn, event.change]] : []))
  assert.deepEqual(changes, [[1, 'summarized']])
  const tokens = (service.model.sizes[asked] ?? Infinity) / 4
  t.diagnostic(`the first request of a follow-up has ${tokens.toFixed(0)} tokens`)
  assert.ok(tokens <= 5_000, `${tokens} tokens`)
})

test('a reader who has every event gets 204, until a follow-up adds more', async () => {
  play(nothing)
  const { id } = await client.ended((await client.create('Look')).id)
  const { events } = await kept(id)
  const last = events.at(-1)?.id ?? 0
  for (const init of [{ headers: { 'Last-Event-ID': String(last) } }, { headers: {}, query: `?lastEventId=${last}` }]) {
    const response = await client.fetch(pathOf(id) + (init.query ?? ''), { headers: init.headers })
    assert.equal(response.status, 204)
  }
  play(nothing)
  await client.message(id, 'Look again')
  const stream = await follow(open(id), last)
  await stream.ended
  assert.equal(stream.events[0]?.id, last + 1)
  assert.deepEqual([types(stream.events)[0], types(stream.events).at(-1)], ['message', 'job_ended'])
  await client.call('POST', `/v2/agent/${client.projectId}/job/${id}/archive`)
  const rest = await follow(open(id), stream.events.at(-1)?.id)
  await rest.ended
  assert.deepEqual(types(rest.events), ['archived'])
})

test('a client that reconnects after every event gets each exactly once', async () => {
  play(write('a.md', 'a\n'), write('b.md', 'b\n'), finish)
  const { id } = await client.create('Write')
  const seen: EventResponse[] = []
  for (;;) {
    const before = seen.length
    const stream = await follow(open(id), seen.at(-1)?.id)
    if (stream.response.status === 204) break
    await stream.until(({ events }) => events.length > 0)
    stream.leave()
    await stream.ended
    seen.push(...stream.events)
    assert.ok(seen.length > before)
  }
  assert.deepEqual(seen, (await kept(id)).events)
  assert.deepEqual(ids(seen), upTo(seen.length))
})

test('the text of the model comes while the answer is given, and not again', async () => {
  const gate = Promise.withResolvers<void>()
  const said = `Fine: \u2028 data: x\r\n\r\nid: 7\n\u0000 ${'😀'.repeat(2_000)}`
  service.model.script = (messages) =>
    messages.some((message) => message.role === 'tool')
      ? finish
      : { ...write('c.md', 'c\n'), text: said, hold: gate.promise }
  const { id } = await client.create('Speak')
  const stream = await follow(open(id))
  await stream.until(({ texts }) => texts.reduce((sum, one) => sum + one.text.length, 0) === said.length)
  assert.ok(!has('turn')(stream))
  gate.resolve()
  await stream.ended
  assert.equal(stream.texts.map((one) => one.text).join(''), said)
  const turn = stream.events.find((event) => event.type === 'turn')
  assert.equal(turn?.type === 'turn' && turn.text, said)
  const again = await follow(open(id))
  await again.ended
  assert.deepEqual(again.texts, [])
  assert.deepEqual(again.events, stream.events)
})

test('a response that is requested again starts at offset 0', async () => {
  let asked = 0
  service.model.script = (messages) => {
    if (messages.some((message) => message.role === 'tool')) return finish
    asked += 1
    return asked === 1
      ? { text: 'Half an ans', hold: delay(300), cut: true }
      : { ...write('d.md', 'd\n'), text: 'The whole', hold: delay(300) }
  }
  const { id } = await client.create('Speak twice')
  const stream = await follow(open(id))
  await stream.ended
  assert.deepEqual(
    stream.texts.map(({ offset, text }) => [offset, text]),
    [
      [0, 'Half an '],
      [0, 'The '],
    ],
  )
})

test('an invalid event id is refused, for a stream and for a page', async () => {
  play(nothing)
  const { id } = await client.ended((await client.create('Look')).id)
  for (const [header, status] of [
    ['x', 400],
    ['-1', 400],
    ['1.5', 400],
    ['999', 400],
    ['9'.repeat(30), 400],
    ['', 200],
    ['0', 200],
  ] as const) {
    for (const Accept of ['text/event-stream', 'application/json']) {
      const response = await client.fetch(pathOf(id), { headers: { Accept, 'Last-Event-ID': header } })
      assert.equal(response.status, status, header)
      await response.body?.cancel()
      const query = await client.fetch(`${pathOf(id)}?lastEventId=${header}`, { headers: { Accept } })
      assert.equal(query.status, status, header)
      await query.body?.cancel()
    }
  }
  const refused = await client.fetch(`${pathOf(id)}?cursor=zzz`, { headers: { Accept: 'application/json' } })
  assert.equal(refused.status, 400)
})

test('pages give every event once, and their order is that of the stream', async () => {
  play(write('f.md', 'f\n'), finish)
  const { id } = await client.ended((await client.create('Write')).id)
  const all = (await kept(id)).events
  const paged: EventResponse[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const page = await kept(id, cursor === '' ? '?limit=2' : `?limit=2&cursor=${cursor}`)
    paged.push(...page.events)
    cursor = page.nextCursor
  }
  assert.deepEqual(paged, all)
  assert.deepEqual((await kept(id, '?lastEventId=3')).events, all.slice(3))
  assert.deepEqual(await kept(id, `?lastEventId=${all.length}`), { events: [], nextCursor: null })
})

test('HEAD returns the headers of GET and opens no stream', async () => {
  const gate = Promise.withResolvers<void>()
  service.model.script = () => ({ ...nothing, wait: gate.promise })
  const { id } = await client.create('Wait')
  for (let times = 0; times < 150; times += 1) {
    const response = await client.fetch(pathOf(id), { method: 'HEAD' })
    assert.equal(response.status, 200)
    assert.equal(response.headers.get('Content-Type'), 'text/event-stream; charset=utf-8')
  }
  const stream = await follow(open(id))
  gate.resolve()
  await stream.ended
  assert.ok(has('job_ended')(stream))
})

test('streams over the limit of a project are refused until one ends', async () => {
  const gate = Promise.withResolvers<void>()
  service.model.script = () => ({ ...nothing, wait: gate.promise })
  const { id } = await client.create('Wait')
  // Each server counts its own; the client asks them in turn.
  const streams = await Promise.all(upTo(engine === 'cluster' ? 200 : 100).map(() => follow(open(id))))
  const refused = await client.fetch(pathOf(id))
  assert.equal(refused.status, 429)
  assert.equal(((await refused.json()) as { code: string }).code, 'too_many_streams')
  streams[0]?.leave()
  await streams[0]?.ended
  const other = await retried(() => follow(open(id)))
  gate.resolve()
  await Promise.all([other, ...streams.slice(1)].map((stream) => stream.ended))
  assert.ok(streams.slice(1).every(has('job_ended')))
})

async function retried(open: () => Promise<Stream>): Promise<Stream> {
  for (;;) {
    const stream = await open()
    if (stream.response.status === 200) return stream
    await stream.ended
  }
}
