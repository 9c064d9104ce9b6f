// Runs of automations that share a pull request on GitHub: killed where one continues it, or moves to a job of its own. Each run has
// one commit after one merge of the base, one entry in the text and one comment.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { RunPage } from '../../src/automations/runs/list.ts'
import type { AutomationRun } from '../../src/automations/runs/run.ts'
import { openSocketApi } from '../../src/cli/api/api.ts'
import { parseConfig } from '../../src/config/config.ts'
import type { ShownAutomation } from '../../src/http/resources/automations/schemas.ts'
import { appendPoints, type RunPoint } from '../../src/jobs/run/context.ts'
import { sampled } from '../support/rounds.ts'
import { type Cluster, startCluster } from './cluster.ts'
import { type ArrangedOnGitHub, arrangeOnGitHub } from './github.ts'
import { slots } from './stop-runs.ts'

let arranged: ArrangedOnGitHub
let service: Cluster

before(async () => {
  arranged = await arrangeOnGitHub({ DOCENT_WORKER_CONCURRENCY: String(slots) })
  service = await startCluster(arranged.environment)
})
after(async () => {
  await service.close()
  await arranged.close()
})

const client = () => arranged.connectTo(service.addresses)
const automations = () => `/v1/projects/${client().projectId}/automations`

async function operate<T>(method: string, path: string, body: object): Promise<T> {
  const sent = await openSocketApi(parseConfig(service.environment)).send(method, path, body)
  assert.ok(sent.status < 300, sent.body)
  return JSON.parse(sent.body) as T
}

const start = (id: string) => client().call<AutomationRun>('POST', `${automations()}/${id}/run`)

async function ended(id: string, runId: string): Promise<AutomationRun> {
  for (;;) {
    const { runs } = await client().call<RunPage>('GET', `${automations()}/${id}/runs`)
    const found = runs.find((one) => one.id === runId) ?? assert.fail('the run is there')
    if (found.endedAt !== null) return found
    await delay(50)
  }
}

/** An automation with a pull request that has one run; the next one adds another page. */
async function begin(name: string) {
  const body = { name, trigger: { type: 'person' }, instructions: `page ${name}`, grouping: 'one' }
  const { id } = await operate<ShownAutomation>('POST', automations(), body)
  const first = await ended(id, (await start(id)).id)
  assert.equal(first.status, 'review_needed', first.reason ?? '')
  await operate('PATCH', `${automations()}/${id}`, { instructions: `extra ${name}-more` })
  return { id, name, jobId: first.jobId ?? '' }
}

const messagesOf = (jobId: string) => client().messages(jobId)

/** The second run is in the pull request of the first one, once. */
async function assertAppended({ id, name, jobId }: Awaited<ReturnType<typeof begin>>, runId: string): Promise<void> {
  const run = await ended(id, runId)
  assert.deepEqual([run.status, run.jobId, run.reason], ['review_needed', jobId, null])
  const { remote, pulls, remarks } = arranged.forge
  const mine = pulls.filter(({ branch }) => branch.includes(jobId))
  assert.equal(mine.length, 1)
  const [pull = assert.fail()] = mine
  assert.equal(pull.title, `${name}: 2 runs`)
  assert.equal(pull.body.match(/^\*\*\d{4}-\d\d-\d\d: Pages\*\*$/gm)?.length, 2)
  const parents = remote.git(['log', '--first-parent', '--format=%P', `main..${pull.branch}`]).split('\n')
  assert.deepEqual(
    parents.map((line) => line.split(' ').length),
    [1, 2, 1],
  )
  assert.equal(remote.git(['show', `${pull.branch}:${name}-more.md`]), `extra ${name}-more`)
  const said = remarks.all.filter((one) => one.number === pull.number && one.text.startsWith('Added by a run'))
  assert.equal(said.length, 1)
  const messages = await messagesOf(jobId)
  assert.deepEqual([messages.length, new Set(messages.map((one) => one.runId)).size], [2, 2])
}

/** The second run has a job and a pull request of its own, and the first ones are as they were. */
async function assertMoved({ id, name, jobId }: Awaited<ReturnType<typeof begin>>, runId: string): Promise<void> {
  const run = await ended(id, runId)
  assert.notEqual(run.jobId, jobId)
  assert.deepEqual([run.status, run.reason?.endsWith(`changed the same places: ${name}.md.`)], ['review_needed', true])
  const left = await client().ended(jobId)
  assert.deepEqual([left.status, left.outcome, left.pullRequest?.state], ['completed', 'pull_request', 'open'])
  assert.deepEqual([(await messagesOf(jobId)).length, (await messagesOf(run.jobId ?? '')).length], [1, 1])
  const { runs } = await client().call<RunPage>('GET', `${automations()}/${id}/runs`)
  assert.equal(runs.length, 2)
  for (const job of [jobId, run.jobId ?? '']) {
    assert.equal(arranged.forge.pulls.filter(({ branch }) => branch.includes(job)).length, 1)
  }
}

const all = [...appendPoints.filter((point) => point !== 'moved'), 'prepared', 'pushed', 'proposed'] as const
const points = sampled(all, 2)

test('killed at any point, a run is in the shared pull request once', async (t) => {
  await service.arm()
  const undisturbed = await begin('undisturbed')
  const begun = await Promise.all(points.map((point) => begin(point.replaceAll(' ', '-'))))
  const moving = await Promise.all(['moved', 'claimed'].map((name) => begin(name)))
  const theirs = Object.fromEntries(moving.map(({ name }) => [`${name}.md`, 'by a person\n']))
  arranged.forge.push('main', { 'theirs.md': 'theirs\n', ...theirs })

  await service.arm()
  const { id: runId } = await start(undisturbed.id)
  await assertAppended(undisturbed, runId)
  while (service.points.at(-1) !== 'recorded') await delay(10)
  const numbers = new Map<RunPoint, number>(service.points.map((point, at) => [point, at + 1]))
  assert.deepEqual(
    points.filter((point) => !numbers.has(point)),
    [],
  )

  const standing: { readonly name: string; readonly check: () => Promise<void> }[] = []
  for (const [at, point] of points.entries()) {
    const one = begun[at] ?? assert.fail(point)
    await service.arm(numbers.get(point))
    const run = await start(one.id)
    assert.equal((await service.stopped()).point, point)
    standing.push({ name: point, check: () => assertAppended(one, run.id) })
  }
  for (const [at, point] of (['moved', 'claimed'] as const).entries()) {
    const one = moving[at] ?? assert.fail(point)
    await service.arm(point === 'moved' ? 2 : 1)
    const run = await start(one.id)
    assert.equal((await service.stopped()).point, point)
    standing.push({ name: `${point}, with a conflict`, check: () => assertMoved(one, run.id) })
  }
  await service.replace()
  for (const { name, check } of standing) await t.test(name, check)
  assert.equal(arranged.forge.remote.git(['for-each-ref', 'refs/docent']), '', 'no temporary ref is left')
})
