// How a run waits for its checks: with progress that people see, and without losing the job.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { addJob, addProject, claimNext, toLeased } from '../../../../test/support/database.ts'
import { openTestDatabase } from '../../../../test/support/engine.ts'
import { createManualClock } from '../../../../test/support/manual-clock.ts'
import { Failure } from '../../../lib/failure.ts'
import type { Postgres } from '../../../postgres/types.ts'
import { readEvents } from '../../events/events.ts'
import { LeaseLost } from '../../queue/lease.ts'
import type { CheckedRun, CheckProgress } from '../../review/run-checks.ts'
import { waitForChecks } from './wait.ts'

let postgres: Postgres
before(async () => {
  postgres = await openTestDatabase()
})
after(() => postgres.close())

/** Begins to wait in a claimed run. The check ends when the test says so. */
async function arrange(signal = new AbortController().signal) {
  const { db } = postgres
  const jobId = await addJob(db, await addProject(db))
  const run = await claimNext(db)
  assert.ok(run)
  const clock = createManualClock()
  const errors: unknown[] = []
  const log = { error: (error: unknown) => void errors.push(error) }
  const checking = Promise.withResolvers<CheckedRun>()
  const state = { progress: { done: 0, total: 0 } as CheckProgress }
  const checks = { begin: () => undefined, close: () => undefined, progress: () => state.progress }
  const context = { ...toLeased(db, run, signal), clock, deps: { log } }
  const waiting = waitForChecks(context, { ...checks, check: () => checking.promise }, { edits: [], extent: 'all' })
  const progress = async () => {
    const events = await readEvents(db, { jobId, after: 0, limit: 100 }, '')
    return events.flatMap((event) => (event.type === 'progress' ? [`${event.done}/${event.total}`] : []))
  }
  return { clock, errors, checking, state, waiting, progress }
}

test('progress is shown once a second, and only when there is any', async () => {
  const { clock, checking, state, waiting, progress } = await arrange()
  await clock.untilAsleep(1)
  state.progress = { done: 300, total: 5_000 }
  await clock.pass(999)
  assert.deepEqual(await progress(), [])
  await clock.pass(1)
  await clock.untilAsleep(1)
  await clock.pass(1_000)
  await clock.untilAsleep(1)
  state.progress = { done: 900, total: 5_000 }
  await clock.pass(1_000)
  await clock.untilAsleep(1)
  assert.deepEqual(await progress(), ['300/5000', '900/5000'])
  const checked = {} as CheckedRun
  checking.resolve(checked)
  assert.equal(await waiting, checked)
})

test('documentation that cannot be checked loses no job, and the log says why', async () => {
  for (const error of [new TypeError('a bug'), new Failure('repository_invalid', 'odd')]) {
    const { checking, errors, waiting } = await arrange()
    checking.reject(error)
    assert.equal(await waiting, undefined)
    assert.equal(errors.length, 1)
  }
})

test('a lost lease, a stop and what may pass end the run', async () => {
  for (const error of [new LeaseLost('run_1'), new Failure('repository_unreachable', 'away')]) {
    const { checking, waiting } = await arrange()
    checking.reject(error)
    await assert.rejects(waiting, error)
  }
  const stopped = new AbortController()
  const { checking, waiting } = await arrange(stopped.signal)
  stopped.abort()
  checking.reject(new Error('stopped'))
  await assert.rejects(waiting, /stopped/)
})
