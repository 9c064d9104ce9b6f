// A run outlasts a provider or a forge that is away: how long it waits, that no worker holds it, and that every answer that broke off
// counts once.

import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { addJob, addProject, claimNext, letTimePass, toLeased } from '../../../test/support/database.ts'
import { openTestDatabase } from '../../../test/support/engine.ts'
import type { FailedAttempt } from '../../agent/model/types.ts'
import { systemClock } from '../../lib/clock.ts'
import { Failure } from '../../lib/failure.ts'
import { createMetrics } from '../../lib/observability/metrics.ts'
import { createProcessRedactor } from '../../lib/outbound/redactor.ts'
import type { Postgres } from '../../postgres/types.ts'
import { cancelJob } from '../cancel.ts'
import { sendMessage } from '../message.ts'
import { settleJob } from '../run/ends/settle-job.ts'
import { createTurnStore, loadTurns } from '../run/turns.ts'
import { freeLostRuns } from './claims.ts'
import { writeAsRun } from './lease.ts'
import { noteProgress } from './runs.ts'
import { settle } from './settle.ts'

let postgres: Postgres
let projectId: string
before(async () => {
  postgres = await openTestDatabase()
  projectId = await addProject(postgres.db)
})
after(() => postgres.close())
beforeEach(() => postgres.db.deleteFrom('jobs').execute())

const away = new Failure('model_unavailable', 'The model is not available (503).')

/** Lets the provider be away until `until` seconds have passed; resolves with the waits. */
async function stayAway(until: number): Promise<readonly number[]> {
  const { db } = postgres
  const delays: number[] = []
  for (let passed = 0; passed < until; passed += delays.at(-1) ?? 0) {
    const run = await claimNext(db)
    assert.ok(run && run.attempts === 1, `${run?.attempts} attempts`)
    const how = await settle(toLeased(db, run), away, settleJob)
    assert.ok(how.kind === 'waits', `gave up after ${passed} s`)
    delays.push(how.delaySeconds)
    assert.equal(await claimNext(db), undefined, 'no worker holds the run while it waits')
    await letTimePass(db, how.delaySeconds)
  }
  return delays
}

test('a provider that is away for half an hour is waited out', async () => {
  const { db } = postgres
  const jobId = await addJob(db, projectId)
  const delays = await stayAway(600)
  assert.ok(delays.length >= 6 && delays.length <= 13, delays.join())
  assert.deepEqual([delays[0], delays.at(-1)], [1, 180])
  assert.deepEqual(
    delays,
    delays.toSorted((a, b) => a - b),
  )
  const events = db.selectFrom('events').select('data').where('type', '=', 'run_retried')
  assert.match((await events.execute()).at(-1)?.data ?? '', /"waitSeconds":180/)
  // The process dies while it asks again: the next one knows how long the provider has been away.
  await claimNext(db)
  await freeLostRuns(db, 'nobody')
  const lost = await claimNext(db)
  assert.equal(lost?.waits, delays.length)
  const late = await settle(toLeased(db, lost), away, settleJob)
  assert.deepEqual(late, { kind: 'waits', delaySeconds: 180, failure: away })
  await letTimePass(db, 1_200)
  const last = await claimNext(db)
  assert.ok(last)
  const how = await settle(toLeased(db, last), away, settleJob)
  assert.ok(how.kind === 'failed')
  assert.match(how.failure.message, /\(503\)\. The run tried \d+ times in 3\d minutes\.$/)
  const job = await db.selectFrom('jobs').selectAll().where('id', '=', jobId).executeTakeFirstOrThrow()
  assert.deepEqual([job.status, job.error_code], ['failed', 'model_unavailable'])
})

test('a forge is waited for as long, and a failure of git in between ends nothing', async () => {
  const { db } = postgres
  const jobId = await addJob(db, projectId)
  await stayAway(60)
  const settleWith = async (failure: Failure) => {
    const run = await claimNext(db)
    assert.ok(run)
    const how = await settle(toLeased(db, run), failure, settleJob)
    await letTimePass(db, how.kind === 'waits' ? how.delaySeconds : 0)
    return how
  }
  const failure = new Failure('forge_unavailable', 'It did not answer.')
  const git = new Failure('repository_unreachable', 'It did not answer.')
  assert.deepEqual(await settleWith(git), { kind: 'waits', delaySeconds: 1, failure: git })
  let passed = 60
  let how = await settleWith(failure)
  for (; how.kind === 'waits'; how = await settleWith(failure)) passed += how.delaySeconds
  assert.ok(passed >= 1_800 && passed < 2_000, `${passed} s`)
  const job = await db.selectFrom('jobs').selectAll().where('id', '=', jobId).executeTakeFirstOrThrow()
  assert.equal(job.error_code, 'forge_unavailable')
})

test('a stored response ends a wait, and the next one begins anew', async () => {
  const { db } = postgres
  await addJob(db, projectId)
  await stayAway(60)
  const run = await claimNext(db)
  assert.ok(run)
  const leased = toLeased(db, run)
  await writeAsRun(leased, noteProgress)
  const how = await settle(leased, away, settleJob)
  assert.deepEqual(how, { kind: 'waits', delaySeconds: 1, failure: away })
})

test('a time that the provider names is kept, five times at least', async () => {
  const { db } = postgres
  await addJob(db, projectId)
  const named = new Failure('model_unavailable', 'Come back in an hour.', { retryAfter: 3_600 })
  for (const expected of ['waits', 'waits', 'waits', 'waits', 'failed']) {
    const run = await claimNext(db)
    assert.ok(run)
    const how = await settle(toLeased(db, run), named, settleJob)
    assert.equal(how.kind, expected)
    await letTimePass(db, 3_600)
  }
})

test('a run that waits for its provider takes messages and can be cancelled', async () => {
  const { db } = postgres
  const context = { db, clock: systemClock, modelId: 'm/m', publicUrl: '' }
  const jobId = await addJob(db, projectId)
  const run = await claimNext(db)
  assert.ok(run)
  await settle(toLeased(db, run), away, settleJob)
  const message = { projectId, jobId, prompt: 'and the other page' }
  const { value } = await sendMessage(context, message, undefined)
  assert.deepEqual([value.job.status, value.job.phase], ['active', 'queued'])
  const { job } = await cancelJob(context, projectId, jobId)
  assert.equal(job.error?.code, 'cancelled')
  await letTimePass(db, 3_600)
  assert.equal(await claimNext(db), undefined)
})

test('an answer that broke off counts once, also after the run was cancelled', async () => {
  const { db } = postgres
  const jobId = await addJob(db, projectId)
  const run = await claimNext(db)
  assert.ok(run)
  const deps = { reached: () => Promise.resolve(), metrics: createMetrics(), redactor: createProcessRedactor() }
  const changes = { takeEdits: () => [], measure: () => ({ files: 0, bytes: 0 }) }
  const store = createTurnStore({ ...toLeased(db, run), deps }, changes)
  await store.open(1, [])
  const usage = { inputTokens: 40, cachedInputTokens: 0, cacheWriteTokens: 0, outputTokens: 2, costUsd: 0.5 }
  const first: FailedAttempt = { id: 'att_1', model: 'a/b', cause: 'broken', usage, isEstimate: true }
  const second: FailedAttempt = { ...first, id: 'att_2', cause: 'stopped' }
  await store.saveAttempt(1, first)
  await store.saveAttempt(1, first)
  await cancelJob({ db, clock: systemClock, modelId: 'm/m', publicUrl: '' }, projectId, jobId)
  await store.saveAttempt(1, second)
  const job = await db.selectFrom('jobs').selectAll().where('id', '=', jobId).executeTakeFirstOrThrow()
  assert.deepEqual([job.input_tokens, job.output_tokens, job.cost_usd, job.turns], [80, 4, 1, 0])
  assert.deepEqual((await loadTurns(db, run.id))[0]?.failed, [first, second])
  assert.match((await deps.metrics.scrape()).text, /docent_tokens_total\{model="a\/b",direction="output"\} 6/)
})
