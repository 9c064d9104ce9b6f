import assert from 'node:assert/strict'
import { before, beforeEach, suite, test } from 'node:test'
import { type CallOptions, expectProblem, openTestApp, type TestApp } from '../../../../test/support/openapi-app.ts'
import { sweepLimits } from '../../../requests/rate-limits.ts'
import type { JobResponse, MessageResponse } from '../../../jobs/response.ts'

suite('requests that come again, and too many of them', () => {
  let t: TestApp
  let jobs: string
  before(async () => {
    t = await openTestApp()
    jobs = `/v2/agent/${t.project.id}/job`
  })
  beforeEach(async () => {
    await t.db.deleteFrom('jobs').execute()
    await t.db.deleteFrom('idempotency').execute()
    await t.db.deleteFrom('rate_limits').execute()
  })

  const create = async (options: CallOptions = {}) => t.call(jobs, { json: { prompt: 'do it' }, ...options })
  const createJob = async (): Promise<JobResponse> => jobOf(await create())
  const jobOf = async (response: Response) => (await response.json()) as JobResponse
  const countJobs = async () => (await t.db.selectFrom('jobs').select('id').execute()).length

  suite('with an Idempotency-Key', () => {
    const once = (key: string, options: CallOptions = {}) => create({ headers: { 'Idempotency-Key': key }, ...options })

    test('the same request gives the first answer again', async () => {
      const first = await once('"abc"')
      assert.equal(first.headers.get('Idempotency-Replayed'), null)
      const job = await jobOf(first)
      await t.call(`${jobs}/${job.id}/cancel`, { method: 'POST' })
      for (const key of ['"abc"', 'abc']) {
        const again = await once(key)
        assert.equal(again.status, 201)
        assert.equal(again.headers.get('Idempotency-Replayed'), 'true')
        assert.equal(again.headers.get('Location'), first.headers.get('Location'))
        assert.deepEqual(await jobOf(again), job)
      }
      assert.equal(await countJobs(), 1)
    })

    test('another body, or another address, under the same key is refused', async () => {
      const { id } = await jobOf(await once('k'))
      await expectProblem(await once('k', { json: { prompt: 'other' } }), 422, 'idempotency_key_reused')
      for (const other of [{ more: 1 }, { model: 'a/other' }, { branch: 'next' }, { draft: true }]) {
        await expectProblem(await once('k', { json: { prompt: 'do it', ...other } }), 422, 'idempotency_key_reused')
      }
      const message = await t.call(`${jobs}/${id}/message`, {
        json: { prompt: 'do it' },
        headers: { 'Idempotency-Key': 'k' },
      })
      await expectProblem(message, 422, 'idempotency_key_reused')
      assert.equal(await countJobs(), 1)
    })

    test('keys of different callers do not meet', async () => {
      const [one, other] = [await once('k'), await once('k', { key: t.keys.admin })]
      assert.notEqual((await jobOf(one)).id, (await jobOf(other)).id)
    })

    test('a pair at the same time makes one job', async () => {
      const answers = await Promise.all([once('pair'), once('pair'), once('pair')])
      assert.equal(await countJobs(), 1)
      for (const answer of answers) {
        if (answer.status === 201) continue
        assert.equal(answer.headers.get('Retry-After'), '1')
        await expectProblem(answer, 409, 'request_in_flight')
      }
      assert.equal(answers.filter((one) => one.status === 201 && !one.headers.has('Idempotency-Replayed')).length, 1)
    })

    test('a message under a key is sent once', async () => {
      const { id } = await createJob()
      const send = (other = {}) =>
        t.call(`${jobs}/${id}/message`, { json: { prompt: 'once', ...other }, headers: { 'Idempotency-Key': 'm' } })
      const first = await send()
      const again = await send()
      assert.equal(again.headers.get('Idempotency-Replayed'), 'true')
      assert.deepEqual(await again.json(), await first.json())
      for (const other of [{ model: 'a/other' }, { branch: 'next' }, { draft: true }]) {
        await expectProblem(await send(other), 422, 'idempotency_key_reused')
      }
      const { messages } = (await (await t.call(`${jobs}/${id}/messages`)).json()) as { messages: MessageResponse[] }
      assert.equal(messages.length, 2)
    })

    test('a refused request leaves the key free', async () => {
      await expectProblem(await once('free', { json: { prompt: '' } }), 400, 'invalid_input')
      assert.equal((await once('free')).status, 201)
    })

    test('an invalid key is refused by the name of its field', async () => {
      for (const key of ['', '""', 'with space', 'x'.repeat(256), '"open', 'ünï', '"a";b=1', 'a, b']) {
        const problem = await expectProblem(await once(key), 400, 'invalid_input')
        assert.equal(problem.details?.[0]?.pointer, '#/header/Idempotency-Key', key)
      }
      assert.equal(await countJobs(), 0)
      assert.equal((await once('x'.repeat(255))).status, 201)
    })
  })

  suite('limits', () => {
    const limits = { createsPerHour: 2, messagesPerHour: 1, exportsPerHour: 1, collectsPerMinute: 1 }
    const send = (call: TestApp['call'], options: CallOptions = {}) => call(jobs, { json: { prompt: 'x' }, ...options })

    test('the limit of creates per hour applies to each project separately', async () => {
      const { call } = await t.start({ limits })
      const first = await send(call)
      assert.equal(first.headers.get('RateLimit'), '"creates";r=1;t=3600')
      assert.equal(first.headers.get('RateLimit-Policy'), '"creates";q=2;w=3600')
      assert.match((await send(call, { key: t.keys.admin })).headers.get('RateLimit') ?? '', /^"creates";r=0;t=3\d{3}$/)
      const refused = await send(call)
      assert.match(refused.headers.get('RateLimit') ?? '', /^"creates";r=0;t=3\d{3}$/)
      assert.match(refused.headers.get('Retry-After') ?? '', /^3\d{3}$/)
      const problem = await expectProblem(refused, 429, 'rate_limited')
      assert.equal(problem.detail, 'This project has used up its 2 creates an hour.')
      const other = await call(`/v2/agent/${t.other.id}/job`, { key: t.keys.foreign, json: { prompt: 'x' } })
      assert.equal(other.status, 201)
      assert.equal(await countJobs(), 3)
    })

    test('creates and messages are counted separately', async () => {
      const { call } = await t.start({ limits })
      const { id } = await jobOf(await send(call))
      const message = () => call(`${jobs}/${id}/message`, { json: { prompt: 'x' } })
      assert.equal((await message()).headers.get('RateLimit-Policy'), '"messages";q=1;w=3600')
      await expectProblem(await message(), 429, 'rate_limited')
      assert.equal((await send(call)).status, 201)
    })

    test('refusals and replays do not count', async () => {
      const { call } = await t.start({ limits })
      const key = { headers: { 'Idempotency-Key': 'one' } }
      const first = await send(call, key)
      assert.match(first.headers.get('RateLimit') ?? '', /r=1;/)
      for (let tries = 0; tries < 4; tries += 1) {
        const replayed = await send(call, key)
        assert.equal(replayed.headers.get('Idempotency-Replayed'), 'true')
        assert.match(replayed.headers.get('RateLimit') ?? '', /r=1;/)
        await expectProblem(await send(call, { json: { prompt: '' } }), 400, 'invalid_input')
        await expectProblem(await send(call, { ...key, json: { prompt: 'y' } }), 422, 'idempotency_key_reused')
        await expectProblem(
          await call(`${jobs}/job_00000000000000000000/message`, { json: { prompt: 'x' } }),
          404,
          'not_found',
        )
      }
      const archived = await jobOf(first)
      await t.call(`${jobs}/${archived.id}/cancel`, { method: 'POST' })
      await call(`${jobs}/${archived.id}/archive`, { method: 'POST' })
      for (let tries = 0; tries < 3; tries += 1) {
        await expectProblem(
          await call(`${jobs}/${archived.id}/message`, { json: { prompt: 'x' } }),
          409,
          'job_archived',
        )
      }
      assert.equal((await send(call)).status, 201)
      await expectProblem(await send(call), 429, 'rate_limited')
      const replayed = await send(call, key)
      assert.equal(replayed.status, 201, 'a request that was done is not refused when it comes again')
      assert.match(replayed.headers.get('RateLimit') ?? '', /r=0;/)
    })

    test('all servers count together, and a restart forgives nothing', async () => {
      const [one, other] = [await t.start({ limits }), await t.start({ limits })]
      assert.match((await send(one.call)).headers.get('RateLimit') ?? '', /r=1;/)
      assert.match((await send(other.call)).headers.get('RateLimit') ?? '', /r=0;/)
      for (const { call } of [one, other, await t.start({ limits })]) {
        await expectProblem(await send(call), 429, 'rate_limited')
      }
    })

    test('after an hour a new count begins, and the sweep deletes the old one', async () => {
      const { call } = await t.start({ limits })
      for (let times = 0; times < 2; times += 1) await send(call)
      await expectProblem(await send(call), 429, 'rate_limited')
      await t.db
        .updateTable('rate_limits')
        .set({ expire: Date.now() - 1 })
        .execute()
      await sweepLimits(t.db, new Date())
      assert.equal((await t.db.selectFrom('rate_limits').selectAll().execute()).length, 1)
      assert.equal((await send(call)).headers.get('RateLimit'), '"creates";r=1;t=3600')
      await t.db
        .updateTable('rate_limits')
        .set({ expire: Date.now() - 3_601_000 })
        .execute()
      await sweepLimits(t.db, new Date())
      assert.deepEqual(await t.db.selectFrom('rate_limits').selectAll().execute(), [])
    })

    test('many at once do not slip through', async () => {
      const { call } = await t.start({ limits })
      const answers = await Promise.all(Array.from({ length: 8 }, () => send(call)))
      assert.equal(answers.filter((answer) => answer.status === 201).length, 2)
      assert.equal(await countJobs(), 2)
    })
  })
})
