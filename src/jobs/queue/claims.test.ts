import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import type { Db, Postgres } from '../../postgres/types.ts'
import { addJob, addProject, claimNext, letTimePass, toLeased } from '../../../test/support/database.ts'
import { openTestDatabase } from '../../../test/support/engine.ts'
import { claimRun, freeLostRuns, renewLease } from './claims.ts'
import { LeaseLost, writeAsRun } from './lease.ts'

let postgres: Postgres
let db: Db
let projectId: string

before(async () => {
  postgres = await openTestDatabase()
  db = postgres.db
  projectId = await addProject(db)
})
after(() => postgres.close())

async function arrange() {
  await db.deleteFrom('jobs').execute()
  return addJob(db, projectId)
}

async function claim(owner: string) {
  const run = await claimNext(db, owner)
  assert.ok(run)
  return toLeased(db, run)
}

const nothing = async () => undefined

test('a waiting run is claimed once', async () => {
  await arrange()
  const { run } = await claim('a')
  assert.equal(run.attempts, 1)
  assert.equal(await claimNext(db, 'b'), undefined)
})

test('after an expired lease is freed, its former holder can neither write nor renew', async () => {
  await arrange()
  const first = await claim('a')
  assert.equal(await freeLostRuns(db), 0)
  await letTimePass(db, 601)
  assert.equal(await freeLostRuns(db), 1)
  const second = await claim('b')
  assert.equal(second.run.id, first.run.id)
  assert.equal(await renewLease(db, first.lease), false)
  assert.equal(await renewLease(db, second.lease), true)
  await assert.rejects(writeAsRun(first, nothing), LeaseLost)
  await writeAsRun(second, nothing)
})

test('the sole owner frees what an earlier process held, and keeps its own', async () => {
  await arrange()
  await claim('dead')
  assert.equal(await freeLostRuns(db, 'alive'), 1)
  await claim('alive')
  assert.equal(await freeLostRuns(db, 'alive'), 0)
})

test('the time in which no worker has a run does not count as its own', async () => {
  await arrange()
  await claim('a')
  await letTimePass(db, 4_200)
  await freeLostRuns(db)
  const { run } = await claim('b')
  const minutes = (Date.now() - (run.started_at?.getTime() ?? 0)) / 60_000
  assert.ok(Math.abs(minutes - 10) < 1, `${minutes} minutes: the lease of 600 s was its own time`)
})

test('the fence grows with every claim', async () => {
  await arrange()
  const first = await claim('a')
  await freeLostRuns(db, 'b')
  const second = await claim('b')
  assert.ok(second.lease.fence > first.lease.fence)
})

test('one project has at most its share of the runs of a worker', async () => {
  await arrange()
  for (let added = 1; added < 4; added += 1) await addJob(db, projectId)
  const take = (owner: string) => claimRun(db, { owner, leaseSeconds: 600, share: 2 })
  const projectOf = async (owner: string) => {
    const run = await take(owner)
    if (!run) return undefined
    return (await db.selectFrom('jobs').select('project_id').where('id', '=', run.job_id).executeTakeFirst())
      ?.project_id
  }
  const other = await addProject(db)
  try {
    assert.deepEqual(
      [await projectOf('a'), await projectOf('a'), await projectOf('a')],
      [projectId, projectId, undefined],
    )
    await addJob(db, other)
    assert.equal(await projectOf('a'), other, 'a later job of another project is claimed first')
    assert.equal(await projectOf('b'), projectId, 'each worker counts its own runs')
  } finally {
    await db.deleteFrom('projects').where('id', '=', other).execute()
  }
  assert.equal(await projectOf('a'), projectId, 'the only project has all slots')
})

test('two runs of one job cannot be open at once', async () => {
  const jobId = await arrange()
  const copy = sql`insert into runs (id, job_id, number, state, available_at, created_at)
    values ('x', ${jobId}, 9, 'waiting', now(), now())`.execute(db)
  await assert.rejects(copy, /runs_one_open/)
})
