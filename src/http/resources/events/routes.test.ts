import assert from 'node:assert/strict'
import { before, suite, test } from 'node:test'
import { createReader } from '../../../../test/support/event-stream.ts'
import type { EventPage } from '../../../jobs/events/list.ts'
import { createManualClock } from '../../../../test/support/manual-clock.ts'
import { expectProblem, openTestApp, type TestApp } from '../../../../test/support/openapi-app.ts'
import { createEventFeed, heartbeatMs } from '../../../jobs/events/feed.ts'
import type { JobResponse } from '../../../jobs/response.ts'
import { operator, revokeKey } from '../../../projects/keys.ts'
import { createRecognition } from '../../../projects/recognise.ts'
import { createStreamLimit } from '../../response/stream-limit.ts'

suite('events over HTTP', () => {
  let t: TestApp
  before(async () => {
    t = await openTestApp()
  })
  const jobs = () => `/v2/agent/${t.project.id}/job`
  const create = async () => (await (await t.call(jobs(), { json: { prompt: 'Do it' } })).json()) as JobResponse

  test('they are visible to everyone who may see the job', async () => {
    const path = `${jobs()}/${(await create()).id}/events`
    await expectProblem(await t.call(path, { key: null }), 401, 'unauthenticated')
    await expectProblem(await t.call(path, { key: t.keys.foreign }), 404, 'not_found')
    await expectProblem(await t.call(`${jobs()}/job_aaaaaaaaaaaaaaaaaaaa/events`), 404, 'not_found')
    const cancel = path.replace('/events', '/cancel')
    await expectProblem(await t.call(cancel, { method: 'POST', key: t.keys.read }), 403, 'forbidden')
    await expectProblem(await t.call(cancel, { method: 'POST', key: t.keys.foreign }), 404, 'not_found')
    const response = await t.call(`${path}?limit=5`, { key: t.keys.read, headers: { Accept: 'application/json' } })
    assert.equal(response.status, 200)
  })

  test('a stream unless JSON is liked better', async () => {
    const path = `${jobs()}/${(await create()).id}/events`
    for (const [accept, type] of [
      ['*/*', 'text/event-stream'],
      ['text/event-stream', 'text/event-stream'],
      ['text/html', 'text/event-stream'],
      ['application/json', 'application/json'],
      ['text/event-stream;q=0.5, application/json', 'application/json'],
    ] as const) {
      const response = await t.call(path, { headers: { Accept: accept } })
      assert.equal(response.headers.get('Content-Type')?.split(';')[0], type, accept)
      assert.equal(response.headers.get('Vary'), 'Accept')
      await response.body?.cancel()
    }
  })

  test('the page of events is at events.json, and at events with Accept: JSON', async () => {
    const path = `${jobs()}/${(await create()).id}/events`
    const read = async (address: string, headers = {}) => (await t.call(address, { headers })).json()
    const page = (await read(`${path}.json`)) as EventPage
    assert.deepEqual([page.events[0]?.type, page.nextCursor], ['message', null])
    for (const query of ['', '?limit=1', '?lastEventId=1']) {
      assert.deepEqual(await read(path + query, { Accept: 'application/json' }), await read(`${path}.json${query}`))
    }
    assert.deepEqual(await read(`${path}.json`, { 'Last-Event-ID': '1' }), await read(`${path}.json?lastEventId=1`))
    for (const [address, headers] of [
      [`${path}.json?limit=0`, {}],
      [`${path}?limit=0`, { Accept: 'application/json' }],
    ] as const) {
      const problem = await expectProblem(await t.call(address, { headers }), 400, 'invalid_input')
      assert.deepEqual(
        problem.details?.map(({ pointer }) => pointer),
        ['#/query/limit'],
      )
    }
  })

  test('every 15 seconds a comment comes, until the key is revoked', async () => {
    const clock = createManualClock()
    const { db } = t
    const events = createEventFeed({ postgres: { db, listen: async () => async () => undefined }, clock })
    const app = await t.start({ events, jobs: { ...t.deps.jobs, clock } })
    const path = `${jobs()}/${(await create()).id}/events`
    const key = t.keys.read
    const response = await app.call(path, { key, headers: { Accept: 'text/event-stream' } })
    const body = response.body?.getReader()
    const reader = createReader()
    const next = async () => {
      const chunk = await body?.read()
      return chunk?.done === false ? new TextDecoder().decode(chunk.value) : undefined
    }
    assert.equal(await next(), 'retry: 2000\n\n')
    assert.deepEqual(
      reader.push((await next()) ?? '').map((one) => one.type),
      ['message'],
    )
    for (let beat = 0; beat < 3; beat += 1) {
      await untilAsleep(clock)
      await clock.pass(heartbeatMs)
      assert.equal(await next(), ':\n\n')
    }
    await revokeKey(db, operator, (await createRecognition(db)(key))?.id ?? '')
    await untilAsleep(clock)
    await clock.pass(heartbeatMs)
    assert.equal(await next(), undefined)
    await events.close()
  })

  test('places are counted by project and in all, and given back', () => {
    const limit = createStreamLimit({ ofProject: 2, ofProcess: 3 })
    const first = limit.take('a')
    limit.take('a')
    assert.throws(() => limit.take('a'), { code: 'too_many_streams', retryAfter: 15 })
    limit.take('b')
    assert.throws(() => limit.take('b'), { code: 'unavailable' })
    first()
    limit.take('b')
  })
})

/** The feed waits for what comes, and the answer for its reader. */
async function untilAsleep(clock: ReturnType<typeof createManualClock>): Promise<void> {
  while (clock.sleepers() === 0) await new Promise((resolve) => setImmediate(resolve))
  for (const _turn of [1, 2]) await new Promise((resolve) => setImmediate(resolve))
}
