// Rows for tests of the features, and functions that end jobs and let time pass in the database.

import { sql } from 'kysely'
import { createJob } from '../../src/jobs/create.ts'
import { claimRun } from '../../src/jobs/queue/claims.ts'
import { type LeasedRun, writeAsRun } from '../../src/jobs/queue/lease.ts'
import { type Ended, record } from '../../src/jobs/run/ends/record.ts'
import { lockJobOfRun } from '../../src/jobs/run/ends/settle-job.ts'
import { saveFinish, takeMessages } from '../../src/jobs/run/turns.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { createId } from '../../src/lib/id.ts'
import type { RunRow } from '../../src/postgres/schema.ts'
import type { Db } from '../../src/postgres/types.ts'

export async function addProject(db: Db, repository = 'https://example.com/docs.git'): Promise<string> {
  const id = createId('prj')
  const now = new Date()
  const row = { id, name: 'Test', repository, created_at: now, updated_at: now }
  await db.insertInto('projects').values(row).execute()
  return id
}

/** Adds a job with a waiting run. Returns its id. */
export async function addJob(db: Db, projectId: string): Promise<string> {
  const context = { db, clock: systemClock, modelId: 'test/model', publicUrl: 'http://x' }
  const { value } = await createJob(context, { projectId, prompt: 'do it' }, undefined)
  return value.job.id
}

/** Claims the run that has waited longest. */
export function claimNext(db: Db, owner = 'tester'): Promise<RunRow | undefined> {
  return claimRun(db, { owner, leaseSeconds: 600, share: 1_000 })
}

/** Adds a job to the project, with a run that a worker has claimed. */
export async function addRunningRun(db: Db, projectId: string) {
  const jobId = await addJob(db, projectId)
  const run = await claimNext(db)
  if (!run) throw new Error('no run waits')
  return { jobId, runId: run.id, fence: run.fence }
}

/** Returns the argument of `execute` for a claimed run. */
export function toLeased(db: Db, run: RunRow, signal = new AbortController().signal): LeasedRun {
  const lease = { runId: run.id, fence: run.fence, seconds: 600 }
  return { run, lease, db, clock: systemClock, lockFirst: lockJobOfRun, signal }
}

const nothingDone: Ended = { finish: { kind: 'no_change', reason: 'All is well.' }, change: null }

/** Takes the messages of a run and completes it. */
export async function completeRun(leased: LeasedRun, ended: Partial<Ended> = {}): Promise<void> {
  const whole = { ...nothingDone, ...ended }
  await writeAsRun(leased, async (trx, run) => {
    await takeMessages(trx, run)
    await saveFinish(trx, run, whole.finish)
  })
  await record(leased, whole)
}

/** Claims and completes the job's waiting run as a worker does. Also claims the runs that have waited longer. */
export async function completeJob(db: Db, jobId: string, ended?: Partial<Ended>): Promise<void> {
  for (;;) {
    const run = await claimNext(db)
    if (!run) throw new Error('no run of the job waits')
    if (run.job_id === jobId) return completeRun(toLeased(db, run), ended)
  }
}

/** Moves all times of jobs and their runs into the past. */
export async function letTimePass(db: Db, seconds: number): Promise<void> {
  const shift = sql`make_interval(secs => ${seconds})`
  await sql`update runs set available_at = available_at - ${shift}, lease_until = lease_until - ${shift},
    started_at = started_at - ${shift}, ended_at = ended_at - ${shift},
    waiting_since = waiting_since - ${shift}`.execute(db)
  await sql`update jobs set updated_at = updated_at - ${shift}, archived_at = archived_at - ${shift}`.execute(db)
}
