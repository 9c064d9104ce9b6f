// Automations that merge: the service itself merges what a real run made, as one of Docent's own pull requests and on GitHub; what
// it waits for is in the job, in the run, and on the command line.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import type { AutomationRun } from '../../src/automations/runs/run.ts'
import { parseConfig } from '../../src/config/config.ts'
import { openSocketApi } from '../../src/cli/api/api.ts'
import type { JobResponse } from '../../src/jobs/response.ts'
import { runCommand } from '../support/command.ts'
import { connectForge, type ForgeService, startWithForges } from '../support/forge/connected-service.ts'
import { edit, finish } from '../support/scripted.ts'
import type { Client } from '../support/service.ts'
import { withDatabase } from '../support/stopped-database.ts'

let service: ForgeService<'github'>
before(async () => {
  service = await startWithForges([['github', { kind: 'github', files: { 'docs/a.md': '# A\n\nOne.\n\nTwo.\n' } }]])
})
after(() => service.close())

/** As if this time had passed: the service looks again when it starts. */
async function restartAfter(seconds: number): Promise<void> {
  const shift = sql`make_interval(secs => ${seconds})`
  await service.running.restart(() =>
    withDatabase(service.running.environment, async (db) => {
      await sql`update jobs set pull_check_after = pull_check_after - ${shift}`.execute(db)
      await sql`update merges set look_after = look_after - ${shift}`.execute(db)
    }),
  )
}

async function send<T>(method: string, path: string, body?: unknown): Promise<T> {
  const { body: text } = await openSocketApi(parseConfig(service.running.environment)).send(method, path, body)
  return JSON.parse(text) as T
}

type Made = { readonly jobId: string; readonly automationId: string; readonly job: () => Promise<JobResponse> }

async function run({ projectId }: Pick<Client, 'projectId'>, name: string, fields: object): Promise<Made> {
  const automations = `/v1/projects/${projectId}/automations`
  const body = { name, trigger: { type: 'person' }, instructions: 'Say more', update: 'merge', ...fields }
  const { id } = await send<{ id: string }>('POST', automations, body)
  const { jobId } = await send<AutomationRun>('POST', `${automations}/${id}/run`)
  assert.ok(jobId)
  const job = () => send<JobResponse>('GET', `/v2/agent/${projectId}/job/${jobId}`)
  while ((await job()).status === 'active') await new Promise((resolve) => setTimeout(resolve, 50))
  return { jobId, automationId: id, job }
}

async function until(job: () => Promise<JobResponse>, isDone: (job: JobResponse) => boolean): Promise<JobResponse> {
  for (;;) {
    const now = await job()
    if (isDone(now)) return now
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

const runsOf = async (projectId: string, id: string) =>
  (await send<{ runs: readonly AutomationRun[] }>('GET', `/v1/projects/${projectId}/automations/${id}/runs`)).runs

test("one of Docent's own pull requests is merged if its automation needs no checks", async () => {
  const { client, play } = service
  play(edit('guides/a.md', 'One.', 'One more.'), finish)
  const careful = await run(client, 'Careful', {})
  await restartAfter(0)
  const waiting = await until(careful.job, ({ merging }) => merging !== null)
  assert.deepEqual(
    waiting.merging?.obstacles.map(({ code }) => code),
    ['no_checks'],
    JSON.stringify(waiting),
  )
  const [shown] = await runsOf(client.projectId, careful.automationId)
  assert.deepEqual([shown?.status, shown?.reason], ['review_needed', waiting.merging?.obstacles[0]?.message])
  const path = `/v1/projects/${client.projectId}/automations/${careful.automationId}`
  await send('PATCH', path, { mergeWithoutChecks: true })
  await restartAfter(60)
  const merged = await until(careful.job, ({ pullRequest }) => pullRequest?.state === 'merged')
  assert.deepEqual([merged.merging?.state, merged.merging?.obstacles], ['merged', []])
  assert.equal((await runsOf(client.projectId, careful.automationId))[0]?.status, 'accepted')
  const listed = await runCommand(['job', 'show', careful.jobId], service.running.environment)
  assert.match(listed.stdout, /^merging +merged$/m, listed.stdout)
})

test('on GitHub the service merges the commit of the run, not GitHub by itself', async () => {
  const forge = service.forges.get('github')
  assert.ok(forge)
  const { client, send: configure } = await connectForge(service, forge, { isApp: true })
  await configure('PATCH', '', { pullRequest: { autoMerge: true, draft: true } })
  service.play(edit('docs/a.md', 'One.', 'One more.'), finish)
  const { job, jobId } = await run(client, 'Say more', {})
  const [pull] = forge.pulls
  assert.deepEqual([pull?.autoMerge, pull?.draft], [false, false], JSON.stringify(await job()))
  forge.remarks.verdict('status', pull?.head ?? '', { state: 'pending' })
  await restartAfter(60)
  const waiting = await until(job, ({ merging }) => merging !== null)
  assert.deepEqual(waiting.merging?.obstacles, [{ code: 'check_pending', message: 'Not finished: build.' }])
  const listed = await runCommand(['job', 'show', jobId], service.running.environment)
  assert.match(listed.stdout, /^merging +waiting: Not finished: build\.$/m, listed.stdout)
  forge.remarks.verdicts.pop()
  forge.remarks.verdict('status', pull?.head ?? '')
  await restartAfter(60)
  await until(job, ({ merging }) => merging?.state !== 'waiting')
  await restartAfter(60)
  await until(job, ({ merging }) => merging?.state === 'merged')
  assert.deepEqual(
    forge.requests.filter(({ route }) => route.endsWith('/merge')).map(({ body }) => body),
    [{ sha: pull?.head, merge_method: 'squash' }],
  )
  assert.equal(forge.remote.git(['show', 'main:docs/a.md']), '# A\n\nOne more.\n\nTwo.')
})
