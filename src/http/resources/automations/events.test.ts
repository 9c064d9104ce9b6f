// Events reach their automation over HTTP: signed as a sender signs them, or with a key. Forged, late, doubled, large and too
// many ones.

import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { before, beforeEach, suite, test } from 'node:test'
import { completeJob } from '../../../../test/support/database.ts'
import { createManualClock } from '../../../../test/support/manual-clock.ts'
import { expectProblem, openTestApp, type TestApp } from '../../../../test/support/openapi-app.ts'
import { settleRuns } from '../../../automations/runs/settle.ts'
import { systemClock } from '../../../lib/clock.ts'
import { createLog } from '../../../lib/observability/log.ts'
import type { AutomationRun } from '../../../automations/runs/run.ts'
import type { ShownAutomation } from './schemas.ts'

const usual = { name: 'Release', trigger: { type: 'event' }, instructions: 'Update the version.' }
const json = { 'Content-Type': 'application/json' }

type Signed = { readonly secret: string; readonly id?: string; readonly at?: number; readonly body?: string }

function sign({ secret, id = 'msg_1', at = Date.now(), body = '{"version":"2.0.0"}' }: Signed) {
  const timestamp = String(Math.floor(at / 1_000))
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  const signed = { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` }
  return { key: null, body, headers: { ...json, ...signed } }
}

suite('events over HTTP', () => {
  let t: TestApp
  let all: string
  before(async () => {
    t = await openTestApp()
    all = `/v1/projects/${t.project.id}/automations`
  })
  beforeEach(async () => {
    for (const table of ['automations', 'jobs', 'rate_limits'] as const) await t.db.deleteFrom(table).execute()
  })

  async function create(given: object = {}) {
    const response = await t.call(all, { key: t.keys.admin, json: { ...usual, ...given } })
    const text = await response.text()
    assert.equal(response.status, 201, text)
    const made = JSON.parse(text) as ShownAutomation
    return { id: made.id, path: `/v1/events/${made.id}`, secret: made.secret ?? '', made }
  }
  const change = async (id: string, given: object) => {
    const response = await t.call(`${all}/${id}`, { key: t.keys.admin, method: 'PATCH', json: given })
    return (await response.json()) as ShownAutomation
  }
  const show = async (id: string) => (await (await t.call(`${all}/${id}`)).json()) as ShownAutomation
  const runsOf = async (id: string) =>
    ((await (await t.call(`${all}/${id}/runs`)).json()) as { runs: AutomationRun[] }).runs
  async function run(response: Response): Promise<AutomationRun> {
    const text = await response.text()
    assert.equal(response.status, 202, text)
    return JSON.parse(text) as AutomationRun
  }

  test('a signed event starts a job, and its payload is stored as data', async () => {
    const { path, id, secret, made } = await create()
    assert.match(secret, /^whsec_[0-9A-Za-z+/]{43}=$/)
    assert.equal(made.eventAddress, `https://docs.test/v1/events/${id}`)
    const body = JSON.stringify({ version: '2.0.0', notes: 'n'.repeat(300) })
    const started = await run(await t.call(path, sign({ secret, body })))
    assert.deepEqual([started.status, started.trigger], ['queued', { type: 'event', id: 'msg_1', name: null }])
    const messages = await t.db.selectFrom('messages').selectAll().execute()
    const payload = { version: '2.0.0', notes: `${'n'.repeat(200)}… [100 more characters]` }
    assert.deepEqual(
      messages.map(({ job_id, prompt, data }) => [job_id, prompt, JSON.parse(data ?? '')]),
      [[started.jobId, JSON.stringify(usual.instructions), { payload, leftOut: 0 }]],
    )
    const stored = await t.db.selectFrom('automations').select('event_secret').executeTakeFirstOrThrow()
    assert.doesNotMatch(stored.event_secret ?? '', /whsec_/)
    // Shown once.
    assert.equal((await show(id)).secret, null)
    assert.equal((await change(id, { name: 'Other' })).secret, null)
  })

  test('a delivery that comes again gets the run of the first one', async () => {
    const { path, id, secret } = await create()
    const first = await run(await t.call(path, sign({ secret })))
    await completeJob(t.db, first.jobId ?? '')
    const again = await t.call(path, sign({ secret, at: Date.now() + 5_000 }))
    assert.equal(again.headers.get('Idempotency-Replayed'), 'true')
    assert.equal((await run(again)).id, first.id)
    const both = await Promise.all([1, 2, 3].map(() => t.call(path, sign({ secret, id: 'msg_2' }))))
    const ids = await Promise.all(both.map(async (response) => (await run(response)).id))
    assert.equal(new Set(ids).size, 1)
    await change(id, { enabled: false })
    assert.equal((await run(await t.call(path, sign({ secret })))).id, first.id)
    assert.equal((await runsOf(id)).length, 2)
  })

  test('events while a job is active are one run, which has the payloads of all', async () => {
    const { path, secret, id } = await create()
    const first = await run(await t.call(path, sign({ secret })))
    const second = await run(await t.call(path, sign({ secret, id: 'msg_2' })))
    const third = await run(await t.call(path, sign({ secret, id: 'msg_3' })))
    assert.deepEqual([second.status, second.reason, third.status], ['queued', null, 'skipped'])
    await completeJob(t.db, first.jobId ?? '')
    const { signal } = new AbortController()
    await settleRuns({ db: t.db, clock: systemClock, modelId: 'test/model', log: createLog('silent'), signal })
    const begun = (await runsOf(id)).find((one) => one.id === second.id)
    const message = await t.db
      .selectFrom('messages')
      .select('data')
      .where('job_id', '=', begun?.jobId ?? '')
      .executeTakeFirstOrThrow()
    const payload = { version: '2.0.0' }
    assert.deepEqual(JSON.parse(message.data ?? ''), { payload: { events: [payload, payload] }, leftOut: 0 })
  })

  test('a request without the secret is refused in one way, whatever it asks for', async () => {
    const { path, id, secret } = await create()
    const person = await create({ name: 'By hand', trigger: { type: 'person' } })
    const paused = await create({ name: 'Paused', enabled: false })
    const bad = `whsec_${Buffer.alloc(32).toString('base64')}`
    const good = sign({ secret })
    const table: [string, Parameters<typeof t.call>[1] & object][] = [
      [path, sign({ secret: bad })],
      [path, sign({ secret, at: Date.now() - 301_000 })],
      [path, sign({ secret, at: Date.now() + 302_000 })],
      [path, sign({ secret, id: 'a.b' })],
      [path, { ...good, body: '{"version":"2.0.1"}' }],
      [path, { ...good, headers: { ...good.headers, 'webhook-id': 'msg_2' } }],
      [path, { key: null, body: '{}', headers: json }],
      [path, { key: null, body: 'no JSON', headers: json }],
      [path, { key: null, method: 'POST' }],
      [person.path, sign({ secret: bad })],
      [paused.path, sign({ secret })],
      [`/v1/events/aut_${'0'.repeat(20)}`, sign({ secret })],
      ['/v1/events/x', sign({ secret })],
      ['/v1/events/%00', sign({ secret })],
    ]
    const answers = []
    for (const [address, sent] of table) {
      const {
        requestId: _,
        instance: __,
        ...problem
      } = await expectProblem(await t.call(address, sent), 401, 'unauthenticated')
      answers.push(problem)
    }
    for (const answer of answers) assert.deepEqual(answer, answers[0])
    assert.deepEqual(await runsOf(id), [])
  })

  test('a key with `write` for the project needs no signature', async () => {
    const { path, id } = await create()
    const person = await create({ name: 'By hand', trigger: { type: 'person' } })
    const send = (address: string, key: string, headers = {}) => t.call(address, { key, json: { a: 1 }, headers })
    const started = await run(await send(path, t.keys.write, { 'webhook-id': 'x' }))
    assert.deepEqual(started.trigger, { type: 'event', id: 'x', name: 'write' })
    assert.equal((await run(await send(path, t.keys.write, { 'webhook-id': 'x' }))).id, started.id)
    assert.equal((await run(await send(path, t.keys.write))).trigger.type, 'event')
    await expectProblem(await send(path, t.keys.read), 403, 'forbidden')
    await expectProblem(await send(path, 'docent_x'), 401, 'unauthenticated')
    await expectProblem(await send(path, t.keys.write, { 'webhook-id': 'a b' }), 400, 'invalid_input')
    const answers = []
    for (const [address, key] of [
      [path, t.keys.foreign],
      [person.path, t.keys.write],
      [`/v1/events/aut_${'0'.repeat(20)}`, t.keys.write],
      ['/v1/events/%00', t.keys.write],
    ] as const) {
      answers.push((await expectProblem(await send(address, key), 404, 'not_found')).detail)
    }
    assert.equal(new Set(answers).size, 1)
    await change(id, { enabled: false })
    const refused = await expectProblem(await send(path, t.keys.write), 409, 'automation_paused')
    assert.equal(refused.detail, 'The automation is paused.')
  })

  test('the body is JSON of at most 1 MiB, and its signature counts its bytes', async () => {
    const { path, secret } = await create()
    const spaced = '{ "version":\n "2.0.0" ,"n":1.0}'
    assert.equal((await t.call(path, sign({ secret, body: spaced }))).status, 202)
    const full = JSON.stringify({ text: 'x'.repeat(1024 * 1024 - 11) })
    assert.equal((await t.call(path, sign({ secret, id: 'full', body: full }))).status, 202)
    await expectProblem(await t.call(path, sign({ secret, body: `${full} ` })), 413, 'payload_too_large')
    const typed = sign({ secret })
    for (const type of ['text/plain', 'application/x-www-form-urlencoded']) {
      const headers = { ...typed.headers, 'Content-Type': type }
      await expectProblem(await t.call(path, { ...typed, headers }), 415, 'unsupported_media_type')
    }
    for (const body of ['', 'no', '{"a":', '['.repeat(65) + ']'.repeat(65)]) {
      const sent = sign({ secret, id: 'broken', body })
      await expectProblem(await t.call(path, { ...sent, method: 'POST' }), 400, 'invalid_input')
    }
  })

  test('a new secret replaces the old one, and another trigger deletes it', async () => {
    const { path, id, secret } = await create()
    const rotate = (key: string) => t.call(`${all}/${id}/secret`, { key, method: 'POST' })
    await expectProblem(await rotate(t.keys.write), 403, 'forbidden')
    const rotated = ((await (await rotate(t.keys.adminOfProject)).json()) as ShownAutomation).secret ?? ''
    assert.match(rotated, /^whsec_/)
    await expectProblem(await t.call(path, sign({ secret })), 401, 'unauthenticated')
    await run(await t.call(path, sign({ secret: rotated })))
    assert.equal((await change(id, { trigger: { type: 'person' } })).eventAddress, null)
    await expectProblem(await t.call(path, sign({ secret: rotated })), 401, 'unauthenticated')
    await expectProblem(await rotate(t.keys.admin), 400, 'invalid_input')
    const back = await change(id, { trigger: { type: 'event' } })
    assert.notEqual(back.secret, rotated)
    await run(await t.call(path, sign({ secret: back.secret ?? '', id: 'msg_9' })))
  })

  test('more than 30 events within an hour pause the automation, until it is resumed', async () => {
    const clock = createManualClock(new Date())
    const { call } = await t.start({ jobs: { ...t.deps.jobs, clock } })
    const { path, id, secret } = await create()
    const send = (event: string) => call(path, sign({ secret, id: event, at: clock.now().getTime() }))
    for (let at = 0; at < 30; at += 1) await run(await send(`a${at}`))
    // A delivery that comes again is not another event.
    await run(await send('a0'))
    await clock.pass(3_500_000)
    const refused = await expectProblem(await send('last'), 409, 'automation_paused')
    assert.match(refused.detail, /paused itself: more than 30 events within an hour, until 20/)
    const shown = await show(id)
    assert.deepEqual([shown.enabled, refused.detail.endsWith(shown.pausedBecause ?? 'x')], [false, true])
    assert.equal((await expectProblem(await send('next'), 409, 'automation_paused')).detail, refused.detail)
    assert.equal((await runsOf(id)).length, 20)
    const resumed = (await (
      await call(`${all}/${id}`, { key: t.keys.admin, method: 'PATCH', json: { enabled: true } })
    ).json()) as ShownAutomation
    assert.deepEqual([resumed.enabled, resumed.pausedBecause], [true, null])
    await run(await send('last'))
    // 29 more, and then those of the first hour no longer count.
    for (let at = 0; at < 29; at += 1) await run(await send(`b${at}`))
    await clock.pass(3_601_000)
    await run(await send('c'))
  })

  test('jobs of events count as new jobs of the hour', async () => {
    const { path, id, secret } = await create()
    const { call } = await t.start({ limits: { ...t.deps.limits, createsPerHour: 1 } })
    const first = await call(path, sign({ secret }))
    assert.match(first.headers.get('RateLimit') ?? '', /^"creates";r=0;/)
    await completeJob(t.db, (await run(first)).jobId ?? '')
    await expectProblem(await call(path, sign({ secret, id: 'msg_2' })), 429, 'rate_limited')
    // It was not taken, so it can be sent again.
    assert.equal((await runsOf(id)).length, 1)
  })
})
