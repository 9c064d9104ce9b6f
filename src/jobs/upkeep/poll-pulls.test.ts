import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { addJob, addProject, completeJob } from '../../../test/support/database.ts'
import { openTestDatabase } from '../../../test/support/engine.ts'
import { createMemoryHost } from '../../../test/support/memory-host.ts'
import { toPullRequest } from '../../forge/hosted.ts'
import type { Repository, WantedRefs } from '../../git/types.ts'
import { systemClock } from '../../lib/clock.ts'
import { Failure } from '../../lib/failure.ts'
import { createLog } from '../../lib/observability/log.ts'
import type { JobRow } from '../../postgres/schema.ts'
import type { Postgres } from '../../postgres/types.ts'
import { day, hastenPolls, hour, pollErrorOf, minute, nextPollSeconds } from '../pulls/polls.ts'
import { toJobResponse } from '../response.ts'
import { pollPulls } from './poll-pulls.ts'
import { plainPolling } from '../../../test/support/polling.ts'

const { signal } = new AbortController()
let postgres: Postgres
before(async () => {
  postgres = await openTestDatabase()
})
after(() => postgres.close())

function toLook(job: JobRow) {
  return { isChecked: job.pull_checked_at !== null, error: pollErrorOf(job) }
}

/** Sets up a project with an in-memory host. `poll` polls once; `pass(seconds)` moves every job's schedule into the past. */
async function arrange() {
  const { db } = postgres
  const host = createMemoryHost()
  const calls: string[] = []
  const failures: Failure[] = []
  host.poll = async (number, etag) => {
    calls.push(`poll ${number}`)
    const failure = failures.pop()
    if (failure) throw failure
    const pull = await host.get(number, signal)
    const now = JSON.stringify(pull)
    if (!pull) return { kind: 'gone' }
    return etag === now ? { kind: 'unchanged' } : { kind: 'pull', pull, etag: now, comments: null }
  }
  const projectId = await addProject(db)
  const connected = { value: true }
  const repository = {
    fetch: async ({ branch }: WantedRefs) => ({ base: { branch, commit: `head of ${branch}` } }),
    mergeBase: async (base: string, head: string) => `${base} and ${head}`,
  } as unknown as Repository
  const hostOf = async (id: string) => (id === projectId && connected.value ? host : undefined)
  const propose = async (branch: string) => {
    const jobId = await addJob(db, projectId)
    const created = await host.create({ title: 'Fix', body: 'b', base: 'main', branch, draft: false }, signal)
    if (created.kind !== 'created') return assert.fail(created.kind)
    await completeJob(db, jobId, {
      change: { pull: toPullRequest(host, created.pull), baseCommit: 'a', headCommit: 'b' },
    })
    return { jobId, number: created.pull.number }
  }
  const read = (jobId: string) => db.selectFrom('jobs').selectAll().where('id', '=', jobId).executeTakeFirstOrThrow()
  const pass = async (seconds: number) => {
    const shift = sql`make_interval(secs => ${seconds})`
    await sql`update jobs set pull_check_after = pull_check_after - ${shift}, updated_at = updated_at - ${shift}`.execute(
      db,
    )
  }
  const git = { repository: () => repository }
  const explained: unknown[] = []
  const explainRefusal = async (id: string, error: unknown) => {
    explained.push([id, error])
    return error
  }
  const poll = () =>
    pollPulls({
      ...plainPolling,
      db,
      git,
      clock: systemClock,
      log: createLog('silent'),
      hostOf,
      explainRefusal,
      signal,
    })
  return { db, projectId, host, calls, failures, explained, connected, propose, read, pass, poll }
}

test("polling without a change keeps the job's version", async () => {
  const { calls, propose, read, pass, poll } = await arrange()
  const { jobId, number } = await propose('docent/1')
  const { version } = await read(jobId)
  await poll()
  assert.deepEqual(calls, [], 'polled before it was due')
  for (const _look of ['the first, which has no ETag', 'the second', 'the third']) {
    await pass(minute)
    await poll()
    await poll()
  }
  assert.deepEqual(calls, [`poll ${number}`, `poll ${number}`, `poll ${number}`])
  const job = await read(jobId)
  assert.deepEqual([job.version, job.pull_state], [version, 'open'])
  assert.ok(job.pull_etag !== null && job.pull_checked_at !== null)
})

test('a base that people chose is recorded, with the commit that the diff starts from', async () => {
  const { host, propose, read, pass, poll } = await arrange()
  const { jobId, number } = await propose('docent/1')
  host.change(number, { base: 'next' })
  await pass(minute)
  await poll()
  const { pull_base: base, base_commit: commit } = await read(jobId)
  assert.deepEqual([base, commit], ['next', 'head of next and b'])
})

test('a merge is recorded with its time, raises the version once, and stops polling', async () => {
  const { host, calls, propose, read, pass, poll } = await arrange()
  const { jobId, number } = await propose('docent/1')
  const { version } = await read(jobId)
  const mergedAt = '2026-11-22T05:00:00.000Z'
  host.change(number, { state: 'merged', mergedAt })
  await pass(minute)
  await poll()
  const job = await read(jobId)
  assert.deepEqual([job.version, job.pull_check_after], [version + 1, null])
  const { pullRequest, prLink } = toJobResponse(job, '')
  assert.deepEqual(pullRequest, { number, url: prLink, state: 'merged', draft: false, mergedAt })
  await pass(day)
  await poll()
  assert.deepEqual(calls, [`poll ${number}`])
})

test('a change of draft is shown, and a pull request that is gone counts as closed', async () => {
  const { host, propose, read, pass, poll } = await arrange()
  const { jobId, number } = await propose('docent/1')
  host.change(number, { draft: true })
  await pass(minute)
  await poll()
  assert.deepEqual([(await read(jobId)).pull_draft, (await read(jobId)).pull_state], [true, 'open'])
  host.pulls.length = 0
  await pass(minute)
  await poll()
  const job = await read(jobId)
  assert.deepEqual([job.pull_state, job.pull_check_after, job.pull_number], ['closed', null, number])
})

test('concurrent processes poll each pull request once', async () => {
  const { calls, propose, pass, poll } = await arrange()
  const numbers: number[] = []
  for (const branch of ['docent/1', 'docent/2', 'docent/3']) numbers.push((await propose(branch)).number)
  await pass(minute)
  await Promise.all([poll(), poll(), poll()])
  assert.deepEqual(
    calls.toSorted(),
    numbers.map((number) => `poll ${number}`),
  )
})

test('after a rate limit, the whole project waits as long as the forge requests', async () => {
  const { calls, failures, propose, pass, poll } = await arrange()
  await propose('docent/1')
  await propose('docent/2')
  failures.push(new Failure('forge_rate_limited', 'Slow down.', { retryAfter: 900 }))
  await pass(minute)
  await poll()
  assert.equal(calls.length, 1)
  await pass(890)
  await poll()
  assert.equal(calls.length, 1, 'polled ten seconds too early')
  await pass(20)
  await poll()
  assert.equal(calls.length, 3)
})

test('after a failure without Retry-After, the project waits for two minutes', async () => {
  const { projectId, calls, failures, explained, propose, read, pass, poll } = await arrange()
  const { jobId } = await propose('docent/1')
  const shown = async () => toLook(await read(jobId))
  const { version } = await read(jobId)
  assert.deepEqual(await shown(), { isChecked: true, error: null })
  const refusal = new Failure('repository_unauthorized', 'The token was revoked.')
  failures.push(refusal)
  await pass(minute)
  await poll()
  assert.deepEqual(explained, [[projectId, refusal]], 'the refusal did not reach its credential')
  const error = { code: 'repository_unauthorized', message: 'The token was revoked.' }
  assert.deepEqual(await shown(), { isChecked: true, error })
  await pass(2 * minute - 10)
  await poll()
  assert.equal(calls.length, 1, 'polled ten seconds too early')
  await pass(20)
  await poll()
  assert.equal(calls.length, 2)
  assert.deepEqual(await shown(), { isChecked: true, error: null })
  assert.equal((await read(jobId)).version, version)
})

test('a delivery of the forge makes the next look due, also if it comes during a look', async () => {
  const { db, host, projectId, calls, failures, propose, pass, poll } = await arrange()
  const { number } = await propose('docent/1')
  const looks = () => calls.filter((call) => call === `poll ${number}`).length
  await hastenPolls(db, [projectId])
  await poll()
  assert.equal(looks(), 1)
  const ask = host.poll.bind(host)
  host.poll = async (...given) => {
    await hastenPolls(db, [projectId])
    return ask(...given)
  }
  await pass(minute)
  await poll()
  host.poll = ask
  await poll()
  assert.equal(looks(), 3, 'what happened during the look was not looked at')
  await poll()
  assert.equal(looks(), 3)
  failures.push(new Failure('forge_rate_limited', 'Slow down.', { retryAfter: 900 }))
  await pass(minute)
  await poll()
  await hastenPolls(db, [projectId])
  await poll()
  assert.equal(looks(), 4, 'the forge asked to wait')
})

test('a project that lost its credential is polled again after ten minutes', async () => {
  const { calls, connected, propose, read, pass, poll } = await arrange()
  const { jobId } = await propose('docent/1')
  connected.value = false
  await pass(minute)
  await poll()
  assert.match(pollErrorOf(await read(jobId))?.message ?? '', /has no credential/)
  connected.value = true
  await pass(9 * minute)
  await poll()
  assert.deepEqual(calls, [])
  await pass(minute + 1)
  await poll()
  assert.equal(calls.length, 1)
  assert.equal((await read(jobId)).pull_state, 'open')
})

test('polling does not overwrite a pull request that a run has just recorded', async () => {
  const { db, host, propose, read, pass, poll } = await arrange()
  const { jobId, number } = await propose('docent/1')
  host.change(number, { state: 'closed' })
  await pass(minute)
  const ask = host.poll.bind(host)
  host.poll = async (...given) => {
    const polled = await ask(...given)
    await db.updateTable('jobs').set({ pull_number: 999 }).where('id', '=', jobId).execute()
    return polled
  }
  await poll()
  assert.deepEqual([(await read(jobId)).pull_number, (await read(jobId)).pull_state], [999, 'open'])
})

test('polling slows down as the last change gets older', () => {
  const table: readonly (readonly [age: number, next: number])[] = [
    [0, minute],
    [hour - 1, minute],
    [hour, 5 * minute],
    [day - 1, 5 * minute],
    [day, 30 * minute],
    [7 * day - 1, 30 * minute],
    [7 * day, 6 * hour],
    [90 * day - 1, 6 * hour],
    [90 * day, day],
  ]
  for (const [age, next] of table) assert.equal(nextPollSeconds(age), next, String(age))
})
