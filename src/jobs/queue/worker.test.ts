// How a run that did not end well continues: what counts as an attempt, how long it waits, and what its budget in
// seconds counts.

import assert from 'node:assert/strict'
import { after, before, beforeEach, suite, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import { addJob, addProject, claimNext, completeRun, letTimePass, toLeased } from '../../../test/support/database.ts'
import { openTestDatabase } from '../../../test/support/engine.ts'
import { createManualClock } from '../../../test/support/manual-clock.ts'
import { systemClock } from '../../lib/clock.ts'
import { Failure } from '../../lib/failure.ts'
import { createLog } from '../../lib/observability/log.ts'
import { createMetrics } from '../../lib/observability/metrics.ts'
import type { Postgres } from '../../postgres/types.ts'
import { toDatabaseFailure } from '../../postgres/unavailable.ts'
import { lockJobOfRun, settleJob } from '../run/ends/settle-job.ts'
import { freeLostRuns } from './claims.ts'
import { runsChannel } from './runs.ts'
import { HandedBack, maxAttempts, settle } from './settle.ts'
import { startWorker, type WorkerOptions } from './worker.ts'

let postgres: Postgres
let projectId: string
before(async () => {
  postgres = await openTestDatabase()
  projectId = await addProject(postgres.db)
})
suite('the worker', () => {
  beforeEach(() => postgres.db.deleteFrom('jobs').execute())
  after(() => postgres.close())

  function toOptions(execute: WorkerOptions['execute'], concurrency = 1): WorkerOptions {
    const own = { db: postgres.db, clock: systemClock, log: createLog('silent'), metrics: createMetrics() }
    return { ...own, concurrency, leaseSeconds: 15, graceMs: 0, lockFirst: lockJobOfRun, execute, settled: settleJob }
  }

  /** A job whose run was claimed this often by workers that died. */
  async function addAbandoned(claims: number): Promise<string> {
    const jobId = await addJob(postgres.db, projectId)
    for (let claimed = 0; claimed < claims; claimed += 1) {
      await claimNext(postgres.db)
      await freeLostRuns(postgres.db, 'nobody')
    }
    return jobId
  }

  /** Runs a job whose run was claimed before (four times, unless said otherwise), until this error is settled. */
  async function failWith(thrown: unknown, claims = maxAttempts - 1) {
    const { db } = postgres
    const jobId = await addAbandoned(claims)
    const met = Promise.withResolvers<void>()
    const worker = startWorker(
      toOptions(() => {
        met.resolve()
        return Promise.reject(thrown)
      }),
    )
    await met.promise
    await worker.stop()
    const job = await db.selectFrom('jobs').selectAll().where('id', '=', jobId).executeTakeFirstOrThrow()
    const run = await db.selectFrom('runs').selectAll().where('job_id', '=', jobId).executeTakeFirstOrThrow()
    return { job, run }
  }

  test('a run for which git has no room, time or program fails in the end', async () => {
    const { job, run } = await failWith(new Failure('unavailable', 'git could not be started.'))
    assert.deepEqual(
      [job.status, job.error_code, job.error_message],
      ['failed', 'internal', 'git could not be started.'],
    )
    assert.deepEqual([run.state, run.error_code], ['ended', 'internal'])
  })

  test('an unavailable database is no attempt of a run', async () => {
    const lost = toDatabaseFailure(new Error('Connection terminated unexpectedly'))
    const { job, run } = await failWith(lost)
    assert.equal(job.status, 'active')
    assert.deepEqual([run.state, run.attempts], ['waiting', maxAttempts - 1])
  })

  test('no run begins while there is no room for it', async () => {
    const jobId = await addJob(postgres.db, projectId)
    const [asked, executed] = [Promise.withResolvers<void>(), Promise.withResolvers<string>()]
    const room = { isThere: false }
    const worker = startWorker({
      ...toOptions(async ({ run }) => executed.resolve(run.job_id)),
      hasRoom: () => {
        asked.resolve()
        return room.isThere
      },
    })
    await asked.promise
    const find = postgres.db.selectFrom('runs').select('state').where('job_id', '=', jobId)
    assert.equal((await find.executeTakeFirstOrThrow()).state, 'waiting')
    room.isThere = true
    worker.wake()
    assert.equal(await executed.promise, jobId)
    await worker.stop()
  })

  test('a run that killed five workers is given up without being executed again', async () => {
    const jobId = await addAbandoned(maxAttempts)
    const ended = Promise.withResolvers<void>()
    const worker = startWorker({
      ...toOptions(() => assert.fail('executed')),
      settled: async (trx, run, how) => {
        await settleJob(trx, run, how)
        ended.resolve()
      },
    })
    await ended.promise
    await worker.stop()
    const find = postgres.db.selectFrom('jobs').select('error_code').where('id', '=', jobId)
    assert.equal((await find.executeTakeFirstOrThrow()).error_code, 'attempts_exhausted')
  })

  const pauses: readonly (readonly [retryAfter: number | undefined, seconds: readonly number[]])[] = [
    [undefined, [1, 2, 4, 8]],
    [7, [7, 14, 28, 56]],
    [1_000, [1_000, 2_000, 3_600, 3_600]],
    [7_200, [7_200, 7_200, 7_200, 7_200]],
  ]

  for (const [retryAfter, seconds] of pauses) {
    test(`a run waits ${seconds.join()} s between attempts (named: ${retryAfter ?? '-'})`, async () => {
      const failure = new Failure('forge_rate_limited', 'Overloaded.', retryAfter === undefined ? {} : { retryAfter })
      for (const [at, delaySeconds] of [...seconds, undefined].entries()) {
        await postgres.db.deleteFrom('jobs').execute()
        await addAbandoned(at)
        const run = await claimNext(postgres.db)
        assert.ok(run)
        const how = await settle(toLeased(postgres.db, run), failure, settleJob)
        const expected = delaySeconds === undefined ? { kind: 'failed' } : { kind: 'waits', delaySeconds }
        assert.deepEqual(how, { ...expected, failure })
      }
    })
  }

  test('a failure that is final ends the run at once', async () => {
    const final = new Failure('model_unavailable', 'Cut off twice.', { isFinal: true })
    const { job } = await failWith(final, 1)
    assert.deepEqual([job.status, job.error_message], ['failed', 'Cut off twice.'])
  })

  test('the wait before another attempt is no time of the run', async () => {
    const { db } = postgres
    await addJob(db, projectId)
    const run = await claimNext(db)
    assert.ok(run)
    await letTimePass(db, 600)
    const failure = new Failure('model_unavailable', 'Come back in an hour.', { retryAfter: 3_600 })
    await settle(toLeased(db, run), failure, settleJob)
    await letTimePass(db, 7_200)
    const again = await claimNext(db)
    assert.equal(again?.id, run.id)
    const minutes = (Date.now() - (again.started_at?.getTime() ?? 0)) / 60_000
    assert.ok(Math.abs(minutes - 10) < 1, `${minutes} minutes`)
  })

  /** A worker whose runs of `stuck` never end; resolves `worked` with the project of the first other run. */
  function startBeside(stuck: string, concurrency: number) {
    const counts = { stuck: 0 }
    const worked = Promise.withResolvers<string>()
    const worker = startWorker(
      toOptions(async (leased) => {
        const { run, signal, db } = leased
        const job = await db
          .selectFrom('jobs')
          .select('project_id')
          .where('id', '=', run.job_id)
          .executeTakeFirstOrThrow()
        if (job.project_id !== stuck) {
          await completeRun(leased)
          return worked.resolve(job.project_id)
        }
        counts.stuck += 1
        await new Promise((_, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason), { once: true })
        })
      }, concurrency),
    )
    return { worker, counts, worked: worked.promise }
  }

  test('four stuck runs of one project do not keep the job of another waiting', async () => {
    const other = await addProject(postgres.db)
    for (let added = 0; added < 4; added += 1) await addJob(postgres.db, projectId)
    const { worker, counts, worked } = startBeside(projectId, 4)
    while (counts.stuck < 3) await setImmediate()
    await addJob(postgres.db, other)
    worker.wake()
    assert.equal(await worked, other)
    assert.equal(counts.stuck, 3)
    await worker.stop()
    await postgres.db.deleteFrom('projects').where('id', '=', other).execute()
  })

  for (const concurrency of [1, 2]) {
    test(`a worker of ${concurrency} ends the runs of two projects`, async () => {
      const other = await addProject(postgres.db)
      for (const project of [other, projectId, other]) await addJob(postgres.db, project)
      const { worker } = startBeside('', concurrency)
      const open = postgres.db.selectFrom('runs').select('id').where('state', '<>', 'ended')
      while ((await open.execute()).length > 0) await setImmediate()
      await worker.stop()
      await postgres.db.deleteFrom('projects').where('id', '=', other).execute()
    })
  }

  test('a run that waits for its provider holds no slot', async () => {
    await addJob(postgres.db, projectId)
    const run = await claimNext(postgres.db)
    assert.ok(run)
    const failure = new Failure('model_unavailable', 'Overloaded.', { retryAfter: 60 })
    await settle(toLeased(postgres.db, run), failure, settleJob)
    const other = await addProject(postgres.db)
    await addJob(postgres.db, other)
    const { worker, worked } = startBeside(projectId, 1)
    assert.equal(await worked, other)
    await worker.stop()
    await postgres.db.deleteFrom('projects').where('id', '=', other).execute()
  })

  test('a worker looks at an empty queue every 15 s, and at one with runs every second', async () => {
    const { db } = postgres
    const start = () => {
      const clock = createManualClock()
      const claimed = Promise.withResolvers<string>()
      const execute: WorkerOptions['execute'] = async (leased) => {
        await completeRun(leased)
        claimed.resolve(leased.run.job_id)
      }
      const worker = startWorker({ ...toOptions(execute), clock })
      return { clock, claimed: claimed.promise, stop: () => worker.stop() }
    }
    const first = start()
    await first.clock.untilAsleep(1)
    // Nobody tells this worker.
    const jobId = await addJob(db, projectId)
    await first.clock.pass(14_999)
    assert.equal(first.clock.sleepers(), 1)
    await first.clock.pass(1)
    assert.equal(await first.claimed, jobId)
    await first.stop()
    const later = await addJob(db, projectId)
    const inAnHour = sql<Date>`now() + interval '1 hour'`
    await db.updateTable('runs').set({ available_at: inAnHour }).where('job_id', '=', later).execute()
    const second = start()
    await second.clock.untilAsleep(1)
    await letTimePass(db, 3_600)
    await second.clock.pass(1_000)
    assert.equal(await second.claimed, later)
    await second.stop()
  })

  test('workers are told of a run that is freed or handed back', async () => {
    const { db } = postgres
    const told = { times: 0 }
    const unlisten = await postgres.listen(runsChannel, () => void (told.times += 1))
    await addJob(db, projectId)
    const first = await claimNext(db)
    assert.ok(first)
    const before = told.times
    await settle(toLeased(db, first), new HandedBack('the service stops'), settleJob)
    while (told.times === before) await setImmediate()
    const second = await claimNext(db)
    assert.equal(second?.id, first.id)
    const between = told.times
    assert.equal(await freeLostRuns(db, 'nobody'), 1)
    while (told.times === between) await setImmediate()
    await unlisten()
  })
})
