// Idle jobs: archived by the sweep and made active again by a message; and what else the sweep and messages keep.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { addJob, addProject, claimNext, completeJob, letTimePass } from '../../test/support/database.ts'
import { openTestDatabase } from '../../test/support/engine.ts'
import { createManualClock } from '../../test/support/manual-clock.ts'
import type { Git } from '../git/types.ts'
import { systemClock } from '../lib/clock.ts'
import { createLog } from '../lib/observability/log.ts'
import type { Db, Postgres } from '../postgres/types.ts'
import { archiveJob } from './archive.ts'
import { cancelJob } from './cancel.ts'
import { createJobReader } from './list.ts'
import { sendMessage } from './message.ts'
import { createPause } from '../postgres/pause.ts'
import { keepSweeping, sweep } from './upkeep/sweep.ts'
import { plainPolling } from '../../test/support/polling.ts'

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
  return addJob(db, projectId)
}

test('an active job without a run gets one by the sweep', async () => {
  const jobId = await arrange()
  await db.deleteFrom('runs').execute()
  assert.equal(await claimNext(db), undefined)
  await sweep({ db, log: createLog('silent'), archiveAfterDays: 90, upkeepTime: async () => new Date() })
  assert.equal((await claimNext(db))?.job_id, jobId)
})

test('the sweeps free the run of a dead worker, a third of a lease after the lease', async () => {
  const jobId = await arrange()
  const { id = '' } = (await claimNext(db, 'dead')) ?? {}
  const state = async () =>
    (await db.selectFrom('runs').select('state').where('id', '=', id).executeTakeFirstOrThrow()).state
  const clock = createManualClock()
  const sweeps = 9
  const stopping = new AbortController()
  const swept = keepSweeping({
    polling: createPause(),
    db,
    clock,
    log: createLog('silent'),
    git: { mirrors: () => Promise.resolve([]) } as unknown as Git,
    hostOf: () => Promise.resolve(undefined),
    ...plainPolling,
    explainRefusal: (_, error) => Promise.resolve(error),
    mergeOwnPulls: () => Promise.resolve(),
    finishChecks: () => Promise.resolve(),
    handleComments: () => Promise.resolve(),
    upkeepTime: () => Promise.resolve(undefined),
    archiveAfterDays: 90,
    leaseSeconds: 600,
    signal: stopping.signal,
  })
  await clock.untilAsleep(sweeps)
  await letTimePass(db, 601)
  await clock.pass(199_000)
  await clock.untilAsleep(sweeps)
  assert.equal(await state(), 'running')
  await clock.pass(1_000)
  await clock.untilAsleep(sweeps)
  assert.equal(await state(), 'waiting')
  stopping.abort()
  await swept
  assert.equal((await claimNext(db, 'alive'))?.job_id, jobId)
})

test('the sweep archives idle jobs, and no others', async () => {
  const jobId = await arrange()
  const status = async () =>
    (await db.selectFrom('jobs').select('status').where('id', '=', jobId).executeTakeFirstOrThrow()).status
  const sweepAfter = async (days: number) => {
    await letTimePass(db, days * 86_400)
    await sweep({ db, log: createLog('silent'), archiveAfterDays: 90, upkeepTime: async () => new Date() })
  }
  await sweepAfter(91)
  assert.equal(await status(), 'active')
  await completeJob(db, jobId)
  await sweepAfter(89)
  assert.equal(await status(), 'completed')
  await sweepAfter(2)
  assert.equal(await status(), 'archived')
  assert.equal((await readJob(jobId)).job.archivedBy, 'service')
})

test('the sweep deletes expired setup tokens, and none while the clock is doubted', async () => {
  const old = new Date(0)
  await db.insertInto('setup_tokens').values({ digest: 'd', created_at: old, expires_at: old }).execute()
  const tokensAfter = async (now: Date | undefined) => {
    await sweep({ db, log: createLog('silent'), archiveAfterDays: 90, upkeepTime: () => Promise.resolve(now) })
    return (await db.selectFrom('setup_tokens').select('digest').execute()).length
  }
  assert.equal(await tokensAfter(undefined), 1)
  assert.equal(await tokensAfter(new Date()), 0)
})

test('a part of the sweep that fails keeps no other one from its work', async () => {
  const now = new Date()
  await db.insertInto('setup_tokens').values({ digest: 'e', created_at: now, expires_at: now }).execute()
  await sql`alter table jobs rename column pull_waiting_after to renamed`.execute(db)
  try {
    await sweep({ db, log: createLog('silent'), archiveAfterDays: 90, upkeepTime: async () => new Date() })
  } finally {
    await sql`alter table jobs rename column renamed to pull_waiting_after`.execute(db)
  }
  assert.deepEqual(await db.selectFrom('setup_tokens').select('digest').execute(), [])
})

const readJob = (id: string) => createJobReader(context())(projectId, id)

/** A completed job that was idle for 91 days. */
async function arrangeIdle() {
  const jobId = await arrange()
  await completeJob(db, jobId)
  await letTimePass(db, 91 * 86_400)
  await sweep({ db, log: createLog('silent'), archiveAfterDays: 90, upkeepTime: async () => new Date() })
  return jobId
}

test('a message to a job that the service archived makes it active again', async () => {
  const jobId = await arrangeIdle()
  const archived = await readJob(jobId)
  assert.equal(archived.job.status, 'archived')
  const { value } = await sendMessage(context(), { projectId, jobId, prompt: 'go on' }, undefined)
  const { status, phase, archivedAt, archivedBy } = value.job
  assert.deepEqual([status, phase, archivedAt, archivedBy], ['active', 'queued', null, null])
  assert.ok(value.version > archived.version)
  assert.equal((await claimNext(db))?.number, 2)
})

test('a job archived before archivedBy existed was archived by the service', async () => {
  const jobId = await arrangeIdle()
  await db.updateTable('jobs').set({ archived_by: null }).execute()
  assert.equal((await readJob(jobId)).job.archivedBy, 'service')
  const { value } = await sendMessage(context(), { projectId, jobId, prompt: 'go on' }, undefined)
  assert.equal(value.job.status, 'active')
})

test('archiving by a person is permanent', async () => {
  const jobId = await arrange()
  await completeJob(db, jobId)
  const { job } = await archiveJob(context(), projectId, jobId)
  assert.equal(job.archivedBy, 'person')
  await assert.rejects(sendMessage(context(), { projectId, jobId, prompt: 'go on' }, undefined), {
    code: 'job_archived',
  })
})

test('the eleventh waiting message is refused, and the ten are kept in order', async () => {
  const jobId = await arrange()
  const send = (prompt: string) => sendMessage(context(), { projectId, jobId, prompt }, undefined)
  for (let i = 2; i <= 10; i += 1) await send(`message ${i}`)
  await assert.rejects(send('one too many'), { code: 'too_many_messages' })
  const rows = await db.selectFrom('messages').select('prompt').where('job_id', '=', jobId).orderBy('ordinal').execute()
  assert.equal(rows.length, 10)
  await cancelJob(context(), projectId, jobId)
  assert.equal((await send('takes them all along')).value.job.status, 'active')
  assert.equal(rows[9]?.prompt, '"message 10"')
})
