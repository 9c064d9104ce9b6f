// The version of a job, which the ETag is made of: every change of what the API shows raises it.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { addJob, addProject, claimNext, completeRun, letTimePass, toLeased } from '../../test/support/database.ts'
import { openTestDatabase } from '../../test/support/engine.ts'
import { systemClock } from '../lib/clock.ts'
import { Failure } from '../lib/failure.ts'
import { createProcessRedactor } from '../lib/outbound/redactor.ts'
import { createMetrics } from '../lib/observability/metrics.ts'
import type { Postgres } from '../postgres/types.ts'
import { archiveIdleJobs, archiveJob } from './archive.ts'
import { cancelJob } from './cancel.ts'
import { createJobReader } from './list.ts'
import { sendMessage } from './message.ts'
import type { LeasedRun } from './queue/lease.ts'
import { HandedBack, settle } from './queue/settle.ts'
import { setPhase } from './run/context.ts'
import { settleJob } from './run/ends/settle-job.ts'
import { createTurnStore } from './run/turns.ts'

let postgres: Postgres
before(async () => {
  postgres = await openTestDatabase()
})
after(() => postgres.close())

const response = {
  model: 'test/model',
  text: 'Done.',
  messages: [],
  calls: [],
  finishReason: 'stop',
  usage: { inputTokens: 10, cachedInputTokens: 0, cacheWriteTokens: 0, outputTokens: 1, costUsd: 0.1 },
} as const

test('every change of a job that the API shows raises its version', async () => {
  const { db } = postgres
  const projectId = await addProject(db)
  const jobId = await addJob(db, projectId)
  const context = { db, clock: systemClock, modelId: 'test/model', publicUrl: 'http://x' }
  const read = createJobReader(context)
  const send = () => sendMessage(context, { projectId, jobId, prompt: 'go on' }, undefined)
  const held: { run?: LeasedRun } = {}
  const claim = async () => {
    const run = await claimNext(db)
    assert.ok(run)
    return (held.run = toLeased(db, run))
  }
  const current = () => held.run ?? assert.fail('a run is claimed')
  const deps = { metrics: createMetrics(), redactor: createProcessRedactor(), reached: () => Promise.resolve() }
  const changed = { takeEdits: () => [], measure: () => ({ files: 0, bytes: 0 }) }
  const changes: readonly (readonly [name: string, change: () => Promise<unknown>])[] = [
    ['cancelled', () => cancelJob(context, projectId, jobId)],
    ['a message to a failed job', send],
    ['a phase', async () => setPhase({ ...(await claim()), modelId: 'test/model' }, 'editing')],
    ['another model', () => setPhase({ ...current(), modelId: 'test/other' }, 'editing')],
    [
      'a turn',
      async () => {
        const store = createTurnStore({ ...current(), deps }, changed)
        await store.open(1, [])
        await store.saveResponse(1, response)
      },
    ],
    ['handed back', () => settle(current(), new HandedBack('stop'), settleJob)],
    ['completed', async () => completeRun(await claim())],
    ['a message to a completed job', send],
    ['failed', async () => settle(await claim(), new Failure('model_refused', 'No.'), settleJob)],
    [
      'archived by the service',
      async () => {
        await letTimePass(db, 86_401)
        await archiveIdleJobs(db, new Date(Date.now() - 86_400_000))
      },
    ],
    ['a message to a job archived by the service', send],
    ['completed again', async () => completeRun(await claim())],
    ['archived by a person', () => archiveJob(context, projectId, jobId)],
  ]
  let seen = await read(projectId, jobId)
  for (const [name, change] of changes) {
    await change()
    const now = await read(projectId, jobId)
    assert.notDeepEqual(now.job, seen.job, name)
    assert.ok(now.version > seen.version, name)
    seen = now
  }
})
