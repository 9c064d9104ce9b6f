import assert from 'node:assert/strict'
import { after, before, beforeEach, suite, test } from 'node:test'
import {
  type CallOptions,
  expectProblem,
  openTestApp,
  publicUrl,
  type TestApp,
} from '../../../test/support/openapi-app.ts'
import type { JobPage } from '../../jobs/list.ts'
import type { JobView, MessageView } from '../../jobs/view.ts'

const files = [
  {
    path: 'a.md',
    previousPath: null,
    status: 'modified' as const,
    binary: false,
    additions: 1,
    deletions: 1,
    patch: '@@',
  },
]

suite('jobs over HTTP', () => {
  let t: TestApp
  let jobs: string
  before(async () => {
    t = await openTestApp({ diff: async () => 'diff --git a/a.md b/a.md\n', diffFiles: async () => files })
    jobs = `/v2/agent/${t.project.id}/job`
  })
  after(() => t.close())
  beforeEach(async () => {
    await t.db.deleteFrom('jobs').execute()
    await t.db.deleteFrom('idempotency').execute()
  })

  const create = async (options: CallOptions = {}) => t.call(jobs, { json: { prompt: 'do it' }, ...options })
  const createJob = async (): Promise<JobView> => jobOf(await create())
  const jobOf = async (response: Response) => (await response.json()) as JobView
  const countJobs = async () => (await t.db.selectFrom('jobs').select('id').execute()).length
  const end = (id: string, status: 'completed' | 'failed') =>
    t.db
      .updateTable('jobs')
      .set((e) => ({ status, phase: null, version: e('version', '+', 1) }))
      .where('id', '=', id)
      .execute()

  test('creating answers 201 with the job, where it is, and when to look again', async () => {
    const response = await create()
    assert.equal(response.status, 201)
    const job = await jobOf(response)
    assert.equal(response.headers.get('Location'), `${jobs}/${job.id}`)
    assert.equal(response.headers.get('Retry-After'), '2')
    assert.equal(response.headers.get('Cache-Control'), 'no-store')
    assert.deepEqual(
      { status: job.status, source: job.source, model: job.model, prLink: job.prLink, archivedAt: job.archivedAt },
      {
        status: 'active',
        source: { repository: t.project.repository, ref: `docent/${job.id}` },
        model: 'docent/rules',
        prLink: null,
        archivedAt: null,
      },
    )
    assert.deepEqual(await jobOf(await t.call(response.headers.get('Location') ?? '')), job)
  })

  test('Location keeps the path under which the service is published', async () => {
    const { app } = await t.start({ publicUrl: 'https://docs.test/docent' })
    const headers = { Authorization: `Bearer ${t.keys.write}`, 'Content-Type': 'application/json' }
    const response = await app.request(jobs, { method: 'POST', headers, body: '{"prompt":"x"}' })
    assert.match(response.headers.get('Location') ?? '', /^\/docent\/v2\/agent\/prj_\w+\/job\/job_\w+$/)
  })

  test('a message answers 200 with the job, and its messages come back in their order', async () => {
    const { id } = await createJob()
    const response = await t.call(`${jobs}/${id}/message`, { json: { prompt: 'and this' } })
    assert.equal(response.status, 200)
    assert.equal((await jobOf(response)).status, 'active')
    const { messages } = (await (await t.call(`${jobs}/${id}/messages`)).json()) as { messages: MessageView[] }
    assert.deepEqual(
      messages.map(({ prompt, runId }) => ({ prompt, runId })),
      [
        { prompt: 'do it', runId: null },
        { prompt: 'and this', runId: null },
      ],
    )
  })

  test('the eleventh waiting message is refused and says when to try again', async () => {
    const { id } = await createJob()
    const send = () => t.call(`${jobs}/${id}/message`, { json: { prompt: 'more' } })
    for (let sent = 1; sent < 10; sent += 1) assert.equal((await send()).status, 200)
    const response = await send()
    assert.equal(response.headers.get('Retry-After'), '5')
    await expectProblem(response, 429, 'too_many_messages')
  })

  test('archiving is final, may be done twice, and not to an active job', async () => {
    const { id } = await createJob()
    const archive = () => t.call(`${jobs}/${id}/archive`, { method: 'POST' })
    await expectProblem(await archive(), 409, 'job_active')
    await end(id, 'completed')
    const archived = await jobOf(await archive())
    assert.equal(archived.status, 'archived')
    assert.deepEqual(await jobOf(await archive()), archived)
    await expectProblem(await t.call(`${jobs}/${id}/message`, { json: { prompt: 'x' } }), 409, 'job_archived')
  })

  test('the tag of a job changes with it, and a caller that has it gets 304', async () => {
    const { id } = await createJob()
    const get = (ifNoneMatch?: string) =>
      t.call(`${jobs}/${id}`, { headers: ifNoneMatch === undefined ? {} : { 'If-None-Match': ifNoneMatch } })
    const first = await get()
    const tag = first.headers.get('ETag') ?? ''
    assert.match(tag, /^"[^"]+"$/)
    assert.equal(first.headers.get('Retry-After'), '2')
    assert.equal(first.headers.get('Cache-Control'), 'private, no-cache')
    for (const header of [tag, `W/${tag}`, `"x", ${tag}`, `"a,b",W/${tag}`, '*']) {
      const known = await get(header)
      assert.equal(known.status, 304, header)
      assert.equal(known.headers.get('ETag'), tag)
      assert.equal(known.headers.get('Retry-After'), '2')
      assert.equal(known.headers.get('Content-Type'), null)
    }
    for (const header of ['"x"', tag.slice(1, -1), `"${tag}"`, ''])
      assert.equal((await get(header)).status, 200, header)
    await end(id, 'failed')
    const changed = await get(tag)
    assert.equal(changed.status, 200)
    assert.notEqual(changed.headers.get('ETag'), tag)
    assert.equal(changed.headers.get('Retry-After'), null)
  })

  test('a new release and another public address change the tag of the same version', async () => {
    const { id } = await createJob()
    const tagIn = async (changes: Parameters<TestApp['start']>[0]) => {
      const headers = { Authorization: `Bearer ${t.keys.write}` }
      return (await (await t.start(changes)).app.request(`${jobs}/${id}`, { headers })).headers.get('ETag')
    }
    const tags = [await tagIn({}), await tagIn({ version: '0.2.0' }), await tagIn({ publicUrl: 'https://other.test' })]
    assert.equal(new Set(tags).size, 3)
    assert.equal(await tagIn({}), tags[0])
  })

  test('the list is newest first, and its pages have every job once', async () => {
    const ids: string[] = []
    for (let made = 0; made < 5; made += 1) ids.unshift((await createJob()).id)
    const seen: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const query: string = cursor === '' ? '' : `&cursor=${cursor}`
      const page = (await (await t.call(`${jobs}s?limit=2${query}`)).json()) as JobPage
      seen.push(...page.jobs.map((job) => job.id))
      cursor = page.nextCursor
    }
    assert.deepEqual(seen, ids)
    await end(ids[2] ?? '', 'failed')
    const failed = (await (await t.call(`${jobs}s?status=failed`)).json()) as JobPage
    assert.deepEqual(
      failed.jobs.map((job) => job.id),
      [ids[2]],
    )
    assert.deepEqual(await (await t.call(`${jobs}s?status=archived`)).json(), { jobs: [], nextCursor: null })
  })

  test('what the list cannot take is refused by name', async () => {
    const table: [string, string][] = [
      ['limit=0', 'limit'],
      ['limit=101', 'limit'],
      ['limit=', 'limit'],
      ['limit=1.5', 'limit'],
      ['limit=1e1', 'limit'],
      ['limit=-1', 'limit'],
      ['limit=0x10', 'limit'],
      ['limit=%201', 'limit'],
      ['limit=99999999999999999999', 'limit'],
      ['limit=1&limit=2', 'limit'],
      ['status=done', 'status'],
      ['status=', 'status'],
      ['status=Active', 'status'],
      ['cursor=', 'cursor'],
      ['cursor=x', 'cursor'],
    ]
    for (const [query, name] of table) {
      const problem = await expectProblem(await t.call(`${jobs}s?${query}`), 400, 'invalid_input')
      assert.equal(problem.details?.[0]?.pointer, `#/query/${name}`, query)
    }
    assert.equal((await t.call(`${jobs}s?limit=100&unknown=1`)).status, 200)
  })

  test('a diff is text, or by file for callers that like JSON better', async () => {
    const { id } = await createJob()
    const unchanged = await t.call(`${jobs}/${id}/diff`)
    assert.equal(await unchanged.text(), '')
    await t.db.updateTable('jobs').set({ base_commit: 'b', head_commit: 'h' }).where('id', '=', id).execute()
    const get = (accept?: string) =>
      t.call(`${jobs}/${id}/diff`, { headers: accept === undefined ? {} : { Accept: accept } })
    const text = await get()
    assert.equal(text.headers.get('Content-Type'), 'text/x-diff; charset=utf-8')
    assert.equal(text.headers.get('Vary'), 'Accept')
    assert.equal(await text.text(), 'diff --git a/a.md b/a.md\n')
    const json = await get('application/json')
    assert.equal(json.headers.get('Vary'), 'Accept')
    assert.deepEqual(await json.json(), { files })
  })

  suite('with an Idempotency-Key', () => {
    const once = (key: string, options: CallOptions = {}) => create({ headers: { 'Idempotency-Key': key }, ...options })

    test('the same request gives the first answer again', async () => {
      const first = await once('"abc"')
      assert.equal(first.headers.get('Idempotency-Replayed'), null)
      const job = await jobOf(first)
      await end(job.id, 'failed')
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
      await expectProblem(await once('k', { json: { prompt: 'do it', more: 1 } }), 422, 'idempotency_key_reused')
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
      const send = () =>
        t.call(`${jobs}/${id}/message`, { json: { prompt: 'once' }, headers: { 'Idempotency-Key': 'm' } })
      const first = await send()
      const again = await send()
      assert.equal(again.headers.get('Idempotency-Replayed'), 'true')
      assert.deepEqual(await again.json(), await first.json())
      const { messages } = (await (await t.call(`${jobs}/${id}/messages`)).json()) as { messages: MessageView[] }
      assert.equal(messages.length, 2)
    })

    test('a refused request leaves the key free', async () => {
      await expectProblem(await once('free', { json: { prompt: '' } }), 400, 'invalid_input')
      assert.equal((await once('free')).status, 201)
    })

    test('a key that is none is refused by name', async () => {
      for (const key of ['', '""', 'with space', 'x'.repeat(256), '"open', 'ünï', '"a";b=1', 'a, b']) {
        const problem = await expectProblem(await once(key), 400, 'invalid_input')
        assert.equal(problem.details?.[0]?.pointer, '#/header/Idempotency-Key', key)
      }
      assert.equal(await countJobs(), 0)
      assert.equal((await once('x'.repeat(255))).status, 201)
    })
  })

  suite('limits', () => {
    const limits = { createsPerHour: 2, messagesPerHour: 1 }
    const send = (call: TestApp['call'], options: CallOptions = {}) => call(jobs, { json: { prompt: 'x' }, ...options })

    test('a project has so many creates an hour; other projects have their own', async () => {
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

    test('creates and messages are counted apart', async () => {
      const { call } = await t.start({ limits })
      const { id } = await jobOf(await send(call))
      const message = () => call(`${jobs}/${id}/message`, { json: { prompt: 'x' } })
      assert.equal((await message()).headers.get('RateLimit-Policy'), '"messages";q=1;w=3600')
      await expectProblem(await message(), 429, 'rate_limited')
      assert.equal((await send(call)).status, 201)
    })

    test('what is refused and what is given again does not count', async () => {
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
      await end(archived.id, 'completed')
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
    })

    test('many at once do not slip through', async () => {
      const { call } = await t.start({ limits })
      const answers = await Promise.all(Array.from({ length: 8 }, () => send(call)))
      assert.equal(answers.filter((answer) => answer.status === 201).length, 2)
      assert.equal(await countJobs(), 2)
    })
  })

  test('addresses in answers are those of the public address', async () => {
    const { id } = await createJob()
    await end(id, 'completed')
    await t.db.updateTable('jobs').set({ pr_link: '/pulls/token' }).where('id', '=', id).execute()
    assert.equal((await jobOf(await t.call(`${jobs}/${id}`))).prLink, `${publicUrl}/pulls/token`)
  })
})
