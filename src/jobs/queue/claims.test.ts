import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import type { Db, Postgres } from '../../postgres/types.ts'
import { addProject } from '../../../test/support/database.ts'
import { openTestDatabase } from '../../../test/support/engine.ts'
import { systemClock } from '../../lib/clock.ts'
import { createLog } from '../../lib/log.ts'
import { createJob } from '../create.ts'
import { sendMessage } from '../message.ts'
import { claimRun, freeLostRuns, holdLease, LeaseLost, renewLease } from './claims.ts'
import { sweep } from '../upkeep/sweep.ts'

let postgres: Postgres
let db: Db
let projectId: string

before(async () => {
  postgres = await openTestDatabase()
  db = postgres.db
  projectId = await addProject(db)
})
after(() => postgres.close())

const context = () => ({ db, clock: systemClock, modelId: 'test/model', publicUrl: 'http://x' })

async function arrange() {
  await db.deleteFrom('jobs').execute()
  const { value } = await createJob(context(), { projectId, prompt: 'do it' }, undefined)
  return value.job.id
}

async function claim(owner: string) {
  const run = await claimRun(db, owner, 15)
  assert.ok(run)
  return { run, lease: { runId: run.id, jobId: run.job_id, fence: run.fence, seconds: 15 } }
}

test('a waiting run is claimed once', async () => {
  await arrange()
  const { run } = await claim('a')
  assert.equal(run.attempts, 1)
  assert.equal(await claimRun(db, 'b', 15), undefined)
})

test('a lease that ran out is freed, and its former owner can write and renew no more', async () => {
  await arrange()
  const first = await claim('a')
  assert.equal(await freeLostRuns(db), 0)
  await sql`update runs set lease_until = now() - interval '1 second'`.execute(db)
  assert.equal(await freeLostRuns(db), 1)
  const second = await claim('b')
  assert.equal(second.run.id, first.run.id)
  assert.equal(await renewLease(db, first.lease), false)
  assert.equal(await renewLease(db, second.lease), true)
  await assert.rejects(
    db.transaction().execute((trx) => holdLease(trx, first.lease)),
    LeaseLost,
  )
  await db.transaction().execute((trx) => holdLease(trx, second.lease))
})

test('the sole owner frees what a process before it held, and keeps its own', async () => {
  await arrange()
  await claim('dead')
  assert.equal(await freeLostRuns(db, 'alive'), 1)
  await claim('alive')
  assert.equal(await freeLostRuns(db, 'alive'), 0)
})

test('the time in which nobody has a run does not count as its own', async () => {
  await arrange()
  await claim('a')
  await sql`update runs set started_at = now() - interval '2 hours', lease_until = now() - interval '1 hour'`.execute(
    db,
  )
  await freeLostRuns(db)
  const { run } = await claim('b')
  const hours = (Date.now() - (run.started_at?.getTime() ?? 0)) / 3_600_000
  assert.ok(Math.abs(hours - 1) < 0.01, `${hours} hours`)
})

test('the fence grows with every claim', async () => {
  await arrange()
  const first = await claim('a')
  await freeLostRuns(db, 'b')
  const second = await claim('b')
  assert.ok(second.lease.fence > first.lease.fence)
})

test('an active job without a run gets one by the sweep', async () => {
  const jobId = await arrange()
  await sql`update runs set state = 'ended'`.execute(db)
  assert.equal(await claimRun(db, 'a', 15), undefined)
  await sweep({ db, log: createLog('silent'), archiveAfterDays: 90 })
  assert.equal((await claim('a')).run.job_id, jobId)
})

test('the sweep archives what stands idle, and only that', async () => {
  const jobId = await arrange()
  const status = async () =>
    (await db.selectFrom('jobs').select('status').where('id', '=', jobId).executeTakeFirstOrThrow()).status
  await sql`update jobs set updated_at = now() - interval '91 days'`.execute(db)
  await sweep({ db, log: createLog('silent'), archiveAfterDays: 90 })
  assert.equal(await status(), 'active')
  await sql`update jobs set status = 'completed', phase = null, updated_at = now() - interval '91 days'`.execute(db)
  await sweep({ db, log: createLog('silent'), archiveAfterDays: 90 })
  assert.equal(await status(), 'archived')
})

test('two runs of one job cannot be open at once', async () => {
  const jobId = await arrange()
  const copy = sql`insert into runs (id, job_id, number, state, available_at, created_at)
    values ('x', ${jobId}, 9, 'waiting', now(), now())`.execute(db)
  await assert.rejects(copy, /runs_one_open/)
})

test('the eleventh waiting message is refused, and the ten are kept in order', async () => {
  const jobId = await arrange()
  const send = (prompt: string) => sendMessage(context(), { projectId, jobId, prompt }, undefined)
  for (let i = 2; i <= 10; i += 1) await send(`message ${i}`)
  await assert.rejects(send('one too many'), { code: 'too_many_messages' })
  const rows = await db.selectFrom('messages').select('prompt').where('job_id', '=', jobId).orderBy('ordinal').execute()
  assert.equal(rows.length, 10)
  await sql`update runs set state = 'ended' where job_id = ${jobId}`.execute(db)
  await sql`update jobs set status = 'failed', phase = null where id = ${jobId}`.execute(db)
  assert.equal((await send('takes them all along')).value.job.status, 'active')
  assert.equal(rows[9]?.prompt, '"message 10"')
})
