// The service is killed while GitHub merges for it: before the request has an effect, and before the answer arrives. It finds out
// what became of the merge, and never asks for the same commit again.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import type { AutomationRun } from '../../src/automations/runs/run.ts'
import { openSocketApi } from '../../src/cli/api/api.ts'
import { parseConfig } from '../../src/config/config.ts'
import type { JobResponse } from '../../src/jobs/response.ts'
import type { ForgeFault } from '../support/forge/server.ts'
import { withDatabase } from '../support/stopped-database.ts'
import { startProcess } from './crashing-service.ts'
import { type ArrangedOnGitHub, arrangeOnGitHub } from './github.ts'

const route = 'PUT /repos/:owner/:repo/pulls/:pull_number/merge'
let arranged: ArrangedOnGitHub

before(async () => {
  arranged = await arrangeOnGitHub()
})
after(() => arranged.close())

async function send<T>(method: string, path: string, body?: unknown): Promise<T> {
  const { body: text } = await openSocketApi(parseConfig(arranged.environment)).send(method, path, body)
  return JSON.parse(text) as T
}

/** As if a minute had passed while the service was away: it polls the pull requests when it starts. */
async function letPollsBeDue(): Promise<void> {
  await withDatabase(arranged.environment, (db) =>
    sql`update jobs set pull_check_after = pull_check_after - interval '1 minute'`.execute(db),
  )
}

/** Kills the service when GitHub gets the request to merge, which then fails in this way. Returns the job. */
async function killAtMerge(name: string, faultOf: (reached: () => void) => ForgeFault): Promise<string> {
  const first = await startProcess(arranged.environment)
  const { projectId } = arranged.connectTo([first.address])
  const automations = `/v1/projects/${projectId}/automations`
  const given = { name, trigger: { type: 'person' }, instructions: `page ${name}`, update: 'merge' }
  const { id } = await send<{ id: string }>('POST', automations, given)
  const { jobId } = await send<AutomationRun>('POST', `${automations}/${id}/run`)
  assert.ok(jobId)
  const ended = await until(jobId, ({ status }) => status !== 'active')
  assert.equal(ended.outcome, 'pull_request', JSON.stringify(ended.error))
  await first.kill()
  const { forge } = arranged
  forge.remarks.verdict('status', forge.pull(ended.pullRequest?.number ?? 0).head)
  await letPollsBeDue()
  const reached = Promise.withResolvers<void>()
  forge.fault = (request) => (request.route === route ? faultOf(reached.resolve) : undefined)
  const second = await startProcess(arranged.environment)
  await reached.promise
  await second.kill()
  forge.fault = undefined
  await letPollsBeDue()
  return jobId
}

async function until(jobId: string, isDone: (job: JobResponse) => boolean): Promise<JobResponse> {
  const { projectId } = arranged.connectTo([''])
  for (;;) {
    const job = await send<JobResponse>('GET', `/v2/agent/${projectId}/job/${jobId}`)
    if (isDone(job)) return job
    await delay(50)
  }
}

const countAsked = () => arranged.forge.requests.filter((request) => request.route === route).length

test('killed before the answer, the service finds that it was merged', async () => {
  const jobId = await killAtMerge('answered', (reached) => ({ kind: 'hold', bytes: 0, reached }))
  const asked = countAsked()
  const last = await startProcess(arranged.environment)
  const { merging, pullRequest } = await until(jobId, (job) => job.pullRequest?.state === 'merged')
  await last.kill()
  assert.deepEqual([merging?.state, arranged.forge.pull(pullRequest?.number ?? 0).state], ['merged', 'merged'])
  assert.equal(countAsked(), asked)
})

test('killed before the request has an effect, it leaves the merge to a person', async () => {
  const jobId = await killAtMerge('unseen', (reached) => {
    reached()
    return { kind: 'stall' }
  })
  const asked = countAsked()
  const last = await startProcess(arranged.environment)
  const { merging, pullRequest } = await until(jobId, (job) => job.merging?.state === 'waiting')
  assert.deepEqual(
    merging?.obstacles.map(({ code }) => code),
    ['asked_already'],
  )
  assert.equal(countAsked(), asked)
  arranged.forge.merge(pullRequest?.number ?? 0)
  await last.kill()
  await letPollsBeDue()
  const again = await startProcess(arranged.environment)
  await until(jobId, (job) => job.pullRequest?.state === 'merged')
  await again.kill()
})
