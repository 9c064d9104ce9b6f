import assert from 'node:assert/strict'
import { before, beforeEach, suite, test } from 'node:test'
import { nothingRefused } from '../../../forge/forge.ts'
import {
  type CallOptions,
  expectProblem,
  openTestApp,
  publicUrl,
  type TestApp,
} from '../../../../test/support/openapi-app.ts'
import { completeJob } from '../../../../test/support/database.ts'
import type { Git } from '../../../git/types.ts'
import type { EventPage } from '../../../jobs/events/list.ts'
import type { JobPage } from '../../../jobs/list.ts'
import { Failure } from '../../../lib/failure.ts'
import type { JobResponse, MessageResponse } from '../../../jobs/response.ts'

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

const proposed = {
  change: {
    pull: {
      forge: 'docent',
      number: 1,
      state: 'open',
      draft: false,
      mergedAt: null,
      link: '/pulls/token',
      base: 'main',
      head: 'h',
    },
    baseCommit: 'b',
    headCommit: 'h',
  },
} as const

suite('jobs over HTTP', () => {
  let t: TestApp
  let jobs: string
  before(async () => {
    t = await openTestApp({
      ensure: async () => {},
      diff: async () => 'diff --git a/a.md b/a.md\n',
      diffFiles: async () => files,
    })
    jobs = `/v2/agent/${t.project.id}/job`
  })
  beforeEach(async () => {
    await t.db.deleteFrom('jobs').execute()
    await t.db.deleteFrom('idempotency').execute()
  })

  const create = async (options: CallOptions = {}) => t.call(jobs, { json: { prompt: 'do it' }, ...options })
  const createJob = async (): Promise<JobResponse> => jobOf(await create())
  const jobOf = async (response: Response) => (await response.json()) as JobResponse
  const cancel = (id: string) => t.call(`${jobs}/${id}/cancel`, { method: 'POST' })

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
    const { messages } = (await (await t.call(`${jobs}/${id}/messages`)).json()) as { messages: MessageResponse[] }
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
    await completeJob(t.db, id)
    const archived = await jobOf(await archive())
    assert.equal(archived.status, 'archived')
    assert.deepEqual(await jobOf(await archive()), archived)
    await expectProblem(await t.call(`${jobs}/${id}/message`, { json: { prompt: 'x' } }), 409, 'job_archived')
  })

  test('labels and reviewers that the forge refused are a warning among the events', async () => {
    const { id } = await createJob()
    const pull = {
      forge: 'gitea',
      number: 7,
      state: 'open',
      draft: false,
      mergedAt: null,
      base: 'main',
      head: 'h',
      link: 'https://x/7',
    } as const
    const refused = { ...nothingRefused, labels: ['docs'], reviewers: ['ada'] }
    await completeJob(t.db, id, { change: { pull: { ...pull, refused }, baseCommit: 'a', headCommit: 'b' } })
    const { events } = (await (await t.call(`${jobs}/${id}/events.json`)).json()) as EventPage
    const warnings = events.flatMap((event) => (event.type === 'warning' ? event.message : []))
    assert.equal(warnings.length, 2)
    assert.match(
      warnings[0] ?? '',
      /^Gitea did not add the label "docs": .* docent project update prj_\w+ --label NAME$/,
    )
    assert.match(warnings[1] ?? '', /"ada": .* --reviewer NAME$/)
    const { result } = (await (await t.call(`${jobs}/${id}`)).json()) as JobResponse
    assert.equal(result?.text, `All is well.\n\nDocent adds:\n${warnings.map((one) => `- ${one}`).join('\n')}`)
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
    await cancel(id)
    const changed = await get(tag)
    assert.equal(changed.status, 200)
    assert.notEqual(changed.headers.get('ETag'), tag)
    assert.equal(changed.headers.get('Retry-After'), null)
  })

  test('cancelling, a message, the end of a run and archiving each change the tag', async () => {
    const { id } = await createJob()
    const post = (path: string, json?: object) => t.call(`${jobs}/${id}/${path}`, { method: 'POST', json })
    const changes = [
      () => post('cancel'),
      () => post('message', { prompt: 'go on' }),
      () => completeJob(t.db, id),
      () => post('archive'),
    ]
    let tag = (await t.call(`${jobs}/${id}`)).headers.get('ETag') ?? ''
    for (const [at, change] of changes.entries()) {
      const get = () => t.call(`${jobs}/${id}`, { headers: { 'If-None-Match': tag } })
      assert.equal((await get()).status, 304, `before change ${at}`)
      await change()
      const response = await get()
      assert.equal(response.status, 200, `change ${at}`)
      tag = response.headers.get('ETag') ?? ''
    }
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
    const { nextCursor } = (await (await t.call(`${jobs}s?limit=2`)).json()) as JobPage
    const plain = Buffer.from(nextCursor ?? '', 'base64url').toString()
    assert.equal(plain, `j${ids[1]}`, 'a cursor has no more than its page')
    const foreign = await t.call(`/v2/agent/${t.other.id}/jobs?cursor=${nextCursor}`, { key: t.keys.foreign })
    await expectProblem(foreign, 400, 'invalid_input')
    await cancel(ids[2] ?? '')
    const failed = (await (await t.call(`${jobs}s?status=failed`)).json()) as JobPage
    assert.deepEqual(
      failed.jobs.map((job) => job.id),
      [ids[2]],
    )
    assert.deepEqual(await (await t.call(`${jobs}s?status=archived`)).json(), { jobs: [], nextCursor: null })
  })

  test('invalid parameters of the list are refused by name', async () => {
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
    await completeJob(t.db, id, proposed)
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

  test('a diff of a damaged mirror is read once more, then 503 with Retry-After', async () => {
    const { id } = await createJob()
    await completeJob(t.db, id, proposed)
    const damage = { left: 0 }
    const diff = async () => {
      damage.left -= 1
      if (damage.left >= 0) throw new Failure('unavailable', 'The mirror is damaged.')
      return 'diff --git a/a.md b/a.md\n'
    }
    const git = { repository: () => ({ ensure: async () => {}, diff }) } as unknown as Git
    const { call } = await t.start({ jobs: { ...t.deps.jobs, git } })
    damage.left = 1
    assert.equal(await (await call(`${jobs}/${id}/diff`)).text(), 'diff --git a/a.md b/a.md\n')
    damage.left = 2
    const response = await call(`${jobs}/${id}/diff`)
    assert.ok(Number(response.headers.get('Retry-After')) > 0)
    await expectProblem(response, 503, 'unavailable')
  })

  test('addresses in answers are those of the public address', async () => {
    const { id } = await createJob()
    await completeJob(t.db, id, proposed)
    assert.equal((await jobOf(await t.call(`${jobs}/${id}`))).prLink, `${publicUrl}/pulls/token`)
  })
})
