import assert from 'node:assert/strict'
import { before, beforeEach, suite, test } from 'node:test'
import { completeJob, letTimePass, toLeased, claimNext } from '../../../../test/support/database.ts'
import { expectProblem, openTestApp, type TestApp } from '../../../../test/support/openapi-app.ts'
import { failJob } from '../../../jobs/fail-job.ts'
import type { JobPage } from '../../../jobs/list.ts'
import { waitingDays } from '../../../jobs/overview.ts'
import type { Overview } from '../../../jobs/overview.ts'
import { endRun } from '../../../jobs/queue/runs.ts'
import type { JobResponse } from '../../../jobs/response.ts'
import { writeAsRun } from '../../../jobs/queue/lease.ts'

const day = 86_400

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

suite('jobs in lists, and what needs attention', () => {
  let t: TestApp
  let jobs: string
  before(async () => {
    t = await openTestApp()
    jobs = `/v2/agent/${t.project.id}/job`
  })
  beforeEach(async () => {
    await t.db.deleteFrom('jobs').execute()
  })

  const create = (json: unknown = { prompt: 'do it' }) => t.call(jobs, { json })
  const createJob = async (json?: unknown) => ((await (await create(json)).json()) as JobResponse).id
  const overview = async (key: string) => (await (await t.call('/v1/overview', { key })).json()) as Overview
  const idsOf = (list: Overview['latest']) => list.map(({ id }) => id)

  /** Fails the job that has waited longest, as a worker does. */
  async function failNext(): Promise<void> {
    const run = await claimNext(t.db)
    assert.ok(run)
    await writeAsRun(toLeased(t.db, run), async (trx) => {
      await failJob(trx, { jobId: run.job_id, runId: run.id }, { code: 'model_refused', message: 'It refused.' })
      await endRun(trx, run.id)
    })
  }

  test('the list shows what was asked, by whom, and how long the runs took', async () => {
    const prompt = '"\n'.repeat(200)
    await createJob({ prompt })
    const read = async () => ((await (await t.call(`${jobs}s`)).json()) as JobPage).jobs[0]
    const waiting = await read()
    assert.equal(waiting?.prompt.length, 200)
    assert.equal(waiting?.prompt.slice(0, 190), prompt.slice(0, 190))
    assert.equal(waiting?.projectId, t.project.id)
    assert.equal(waiting?.seconds, null)
    assert.deepEqual(waiting?.origin, { kind: 'api', name: 'write', link: null })
    await claimNext(t.db)
    await letTimePass(t.db, 90)
    assert.ok(((await read())?.seconds ?? 0) >= 90)
  })

  test('a job may have its own base branch and be a draft; other names are refused', async () => {
    const id = await createJob({ prompt: 'x', branch: 'next', draft: true })
    const row = await t.db.selectFrom('jobs').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    assert.deepEqual([row.base_branch, row.draft], ['next', true])
    const { app } = await t.start({ projects: { ...t.deps.projects, branchProblem: () => 'is not a branch' } })
    const headers = { Authorization: `Bearer ${t.keys.write}`, 'Content-Type': 'application/json' }
    const body = JSON.stringify({ prompt: 'x', branch: 'a..b' })
    const problem = await expectProblem(
      await app.request(jobs, { method: 'POST', headers, body }),
      400,
      'invalid_input',
    )
    assert.equal(problem.details?.[0]?.pointer, '#/branch')
  })

  test('the overview has what needs attention in visible projects', async () => {
    const failed = await createJob()
    await failNext()
    const cancelled = await createJob()
    await t.call(`${jobs}/${cancelled}/cancel`, { method: 'POST' })
    const proposing = await createJob()
    await completeJob(t.db, proposing, proposed)
    const asking = await createJob()
    await completeJob(t.db, asking, { finish: { kind: 'question', question: 'Which page?' } })
    const before = await overview(t.keys.read)
    assert.deepEqual(idsOf(before.asking), [asking])
    assert.deepEqual(idsOf(before.failed), [failed])
    assert.deepEqual(before.waiting, [], 'nobody has had time to review it')
    assert.deepEqual(idsOf(before.latest), [asking, proposing, cancelled, failed])
    const merge = (at: Date | null) =>
      t.db.updateTable('jobs').set({ pull_state: 'merged', pull_merged_at: at }).where('id', '=', failed).execute()
    await merge(new Date(Date.now() + 60_000))
    assert.deepEqual((await overview(t.keys.read)).failed, [], 'merged after it failed')
    await merge(new Date(Date.now() - 60_000))
    assert.deepEqual(idsOf((await overview(t.keys.read)).failed), [failed], 'it failed after the merge')
    await merge(null)
    await letTimePass(t.db, waitingDays * day + 1)
    assert.deepEqual(idsOf((await overview(t.keys.read)).waiting), [proposing])
    await letTimePass(t.db, 12 * day)
    assert.deepEqual((await overview(t.keys.read)).failed, [], 'it failed long ago')
    assert.deepEqual(await overview(t.keys.foreign), {
      asking: [],
      failed: [],
      waiting: [],
      latest: [],
      credentials: [],
    })
  })

  test('only admins see which credentials stopped working', async () => {
    const now = new Date()
    const access = JSON.stringify({ rights: {}, missing: [], problem: 'The token has expired.' })
    await t.db
      .insertInto('credentials')
      .values({ project_id: t.project.id, kind: 'token', access, created_at: now, updated_at: now })
      .execute()
    assert.deepEqual((await overview(t.keys.write)).credentials, [])
    assert.deepEqual((await overview(t.keys.adminOfProject)).credentials, [
      { projectId: t.project.id, problem: 'The token has expired.' },
    ])
  })
})
