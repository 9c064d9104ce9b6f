// What tests of the features put into a database, and how they let jobs end and time pass in it.

import { sql } from 'kysely'
import { createJob } from '../../src/jobs/create.ts'
import { claimRun } from '../../src/jobs/queue/claims.ts'
import { type LeasedRun, writeAsRun } from '../../src/jobs/queue/lease.ts'
import type { Proposed } from '../../src/jobs/run/propose.ts'
import { record } from '../../src/jobs/run/record.ts'
import { lockJobOfRun } from '../../src/jobs/run/settle-job.ts'
import { takeMessages } from '../../src/jobs/run/turns.ts'
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

/** A new job with a waiting run; its id. */
export async function addJob(db: Db, projectId: string): Promise<string> {
  const context = { db, clock: systemClock, modelId: 'test/model', publicUrl: 'http://x' }
  const { value } = await createJob(context, { projectId, prompt: 'do it' }, undefined)
  return value.job.id
}

/** Claims the run that has waited longest. */
export function claimNext(db: Db, owner = 'tester'): Promise<RunRow | undefined> {
  return claimRun(db, { owner, leaseSeconds: 600, share: 1_000 })
}

/** A job of the project with a run that a worker has claimed. */
export async function addRunningRun(db: Db, projectId: string) {
  const jobId = await addJob(db, projectId)
  const run = await claimNext(db)
  if (!run) throw new Error('no run waits')
  return { jobId, runId: run.id, fence: run.fence }
}

/** What `execute` gets for a claimed run. */
export function toLeased(db: Db, run: RunRow, signal = new AbortController().signal): LeasedRun {
  const lease = { runId: run.id, fence: run.fence, seconds: 600 }
  return { run, lease, db, clock: systemClock, lockFirst: lockJobOfRun, signal }
}

/** Takes the messages and ends well. */
export async function completeRun(leased: LeasedRun, proposed: Proposed = { change: null }): Promise<void> {
  await writeAsRun(leased, takeMessages)
  await record(leased, proposed)
}

/** The job's waiting run is claimed and ends well, as a worker does it; earlier waiting runs are claimed on the way. */
export async function completeJob(db: Db, jobId: string, proposed?: Proposed): Promise<void> {
  for (;;) {
    const run = await claimNext(db)
    if (!run) throw new Error('no run of the job waits')
    if (run.job_id === jobId) return completeRun(toLeased(db, run), proposed)
  }
}

/** For jobs and their runs all that happened was so much earlier. */
export async function letTimePass(db: Db, seconds: number): Promise<void> {
  const shift = sql`make_interval(secs => ${seconds})`
  await sql`update runs set available_at = available_at - ${shift}, lease_until = lease_until - ${shift},
    started_at = started_at - ${shift}, ended_at = ended_at - ${shift}`.execute(db)
  await sql`update jobs set updated_at = updated_at - ${shift}, archived_at = archived_at - ${shift}`.execute(db)
}
