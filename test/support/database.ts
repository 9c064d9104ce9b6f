// What tests of the features put into a database.

import { createJob } from '../../src/jobs/create.ts'
import { claimRun } from '../../src/jobs/queue/claims.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { createId } from '../../src/lib/id.ts'
import type { Db } from '../../src/postgres/types.ts'

export async function addProject(db: Db, repository = 'https://example.com/docs.git'): Promise<string> {
  const id = createId('prj')
  const now = new Date()
  const row = { id, name: 'Test', repository, branch: null, model: null, created_at: now, updated_at: now }
  await db.insertInto('projects').values(row).execute()
  return id
}

/** A job of the project with a run that a worker has claimed. */
export async function addRunningRun(db: Db, projectId: string) {
  const context = { db, clock: systemClock, modelId: 'test/model', publicUrl: 'http://x' }
  const { value } = await createJob(context, { projectId, prompt: 'do it' }, undefined)
  const run = await claimRun(db, 'tester', 600)
  if (!run) throw new Error('no run waits')
  return { jobId: value.job.id, runId: run.id, fence: run.fence }
}
