// How a run that did not end well goes on: what costs it an attempt, and what its budget in seconds counts.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { addProject, addRunningRun } from '../../../test/support/database.ts'
import { openTestDatabase } from '../../../test/support/engine.ts'
import { systemClock } from '../../lib/clock.ts'
import { Failure } from '../../lib/failure.ts'
import { createLog } from '../../lib/log.ts'
import { createMetrics } from '../../lib/metrics.ts'
import type { Postgres } from '../../postgres/types.ts'
import { toDatabaseFailure } from '../../postgres/unavailable.ts'
import { createJob } from '../create.ts'
import type { LeasedRun, RunDeps } from '../run/context.ts'
import { claimRun, maxAttempts } from './claims.ts'
import { handBack } from '../run/record.ts'
import { startWorker } from './worker.ts'

let postgres: Postgres
let projectId: string
before(async () => {
  postgres = await openTestDatabase()
  projectId = await addProject(postgres.db)
})
after(() => postgres.close())

const deps = () => {
  const log = createLog('silent')
  return { db: postgres.db, clock: systemClock, log, metrics: createMetrics() } as unknown as RunDeps
}

/** Runs a job, whose run was claimed four times before, until this error was settled. */
async function failWith(thrown: unknown) {
  const { db } = postgres
  const context = { db, clock: systemClock, modelId: 'm/m', publicUrl: '' }
  const { value } = await createJob(context, { projectId, prompt: 'x' }, undefined)
  const jobId = value.job.id
  await sql`update runs set attempts = ${maxAttempts - 1} where job_id = ${jobId}`.execute(db)
  const met = Promise.withResolvers<void>()
  const execute = () => {
    met.resolve()
    return Promise.reject(thrown)
  }
  const worker = startWorker({ ...deps(), concurrency: 1, leaseSeconds: 15, graceMs: 5_000, execute })
  await met.promise
  await worker.stop()
  const job = await db.selectFrom('jobs').selectAll().where('id', '=', jobId).executeTakeFirstOrThrow()
  const run = await db.selectFrom('runs').selectAll().where('job_id', '=', jobId).executeTakeFirstOrThrow()
  await sql`delete from jobs where id = ${jobId}`.execute(db)
  return { job, run }
}

test('a run for which git has no room, no time or no program fails in the end', async () => {
  const { job, run } = await failWith(new Failure('unavailable', 'git could not be started.'))
  assert.deepEqual([job.status, job.error_code, job.error_message], ['failed', 'internal', 'git could not be started.'])
  assert.equal(run.state, 'ended')
})

test('that the database was away is no attempt of a run', async () => {
  const lost = toDatabaseFailure(new Error('Connection terminated unexpectedly'))
  const { job, run } = await failWith(lost)
  assert.equal(job.status, 'active')
  assert.deepEqual([run.state, run.attempts], ['waiting', maxAttempts - 1])
})

test('the wait before another try is no time of the run', async () => {
  const { db } = postgres
  const { jobId, runId, fence } = await addRunningRun(db, projectId)
  await sql`update runs set started_at = now() - interval '10 minutes' where id = ${runId}`.execute(db)
  const lease = { runId, jobId, fence, seconds: 15 }
  const failure = new Failure('model_unavailable', 'Come back in an hour.', { retryAfter: 3_600 })
  await handBack({ deps: deps(), lease } as LeasedRun, { delaySeconds: 3_600, failure })
  // Two hours later.
  await sql`update runs set started_at = started_at - interval '2 hours',
    available_at = available_at - interval '2 hours' where id = ${runId}`.execute(db)
  const run = await claimRun(db, 'a', 15)
  assert.equal(run?.id, runId)
  const minutes = (Date.now() - (run.started_at?.getTime() ?? 0)) / 60_000
  assert.ok(Math.abs(minutes - 10) < 1, `${minutes} minutes`)
})
