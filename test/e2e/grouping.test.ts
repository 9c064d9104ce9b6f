// Runs of an automation that share one pull request: its text, the base that is merged in first, and when the next one is opened.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { RunPage } from '../../src/automations/runs/list.ts'
import type { AutomationRun } from '../../src/automations/runs/run.ts'
import type { ShownAutomation } from '../../src/http/resources/automations/schemas.ts'
import type { PullNow } from '../../src/forge/own/response.ts'
import { openSocketApi } from '../../src/cli/api/api.ts'
import { parseConfig } from '../../src/config/config.ts'
import type { Scripted } from '../support/model-server.ts'
import { git, pushAsPerson, show } from '../support/repository.ts'
import { edit, type ScriptedService, startScriptedService, write } from '../support/scripted.ts'

let t: ScriptedService
before(async () => {
  t = await startScriptedService()
})
after(() => t.close())

const all = () => `/v1/projects/${t.client.projectId}`
const runsOf = async (id: string) => (await t.client.call<RunPage>('GET', `${all()}/automations/${id}/runs`)).runs
const pullOf = (number: number) => t.client.call<PullNow>('GET', `${all()}/pulls/${number}`)

async function create(name: string, more: object = {}): Promise<string> {
  const operator = openSocketApi(parseConfig(t.running.environment))
  const body = { name, trigger: { type: 'person' }, instructions: 'Follow the product.', grouping: 'one', ...more }
  const sent = await operator.send('POST', `${all()}/automations`, body)
  assert.equal(sent.status, 201, sent.body)
  const made = JSON.parse(sent.body) as ShownAutomation
  assert.equal(made.grouping, body.grouping)
  return made.id
}

const done = (title: string): Scripted => ({
  calls: [{ name: 'finish', input: { title, summary: `What ${title} says.` } }],
})

/** Starts a run in which the model does this, and waits for its end. */
async function run(id: string, ...answers: readonly Scripted[]): Promise<AutomationRun> {
  t.play(...answers)
  const { id: runId } = await t.client.call<AutomationRun>('POST', `${all()}/automations/${id}/run`)
  for (;;) {
    const found = (await runsOf(id)).find((one) => one.id === runId) ?? assert.fail('the run is there')
    if (found.endedAt !== null) return found
    if (found.jobId !== null) await t.client.ended(found.jobId)
  }
}

test('three runs make one pull request, which says what each contributed', async () => {
  const id = await create('Update docs')
  const first = await run(id, edit('index.md', 'Welcome', 'Hello'), done('Greet'))
  const second = await run(id, edit('guides/a.md', 'One.', 'Uno.'), done('Count'))
  assert.deepEqual([second.jobId, second.prLink], [first.jobId, first.prLink])
  // A run without a change is no entry.
  assert.equal((await run(id)).status, 'nothing_to_do')
  await pushAsPerson(t.repository, 'main', { 'news.md': '# News\n' })
  const third = await run(id, write('guides/b.md', '# B\n'), done('Add B'))
  assert.deepEqual([third.jobId, third.status, third.reason], [first.jobId, 'review_needed', null])
  const runs = await runsOf(id)
  assert.deepEqual(
    runs.map(({ status }) => status),
    ['review_needed', 'nothing_to_do', 'review_needed', 'review_needed'],
  )
  assert.equal((await t.client.pulls()).length, 1)

  const job = await t.client.job(first.jobId ?? '')
  const pull = await pullOf(job.pullRequest?.number ?? 0)
  assert.equal(pull.title, 'Update docs: 3 runs')
  const titles = [...pull.body.matchAll(/^\*\*\d{4}-\d\d-\d\d: (.*)\*\*\n\nStarted by `test`\.\n\nWhat/gm)]
  assert.deepEqual(
    titles.map(([, title]) => title),
    ['Add B', 'Count', 'Greet'],
  )
  // The base is in the branch, by a merge before the commit of the third run.
  assert.equal(await show(t.repository, pull.branch, 'news.md'), '# News')
  const parents = await git(t.repository, 'log', '--format=%P', '--first-parent', '-2', pull.branch)
  assert.deepEqual(
    parents.split('\n').map((line) => line.split(' ').length),
    [1, 2],
  )
  // Each run shows what it used itself.
  const sum = runs.reduce((turns, { usage }) => turns + (usage?.turns ?? 0), 0)
  assert.deepEqual([sum, runs[1]?.usage?.turns], [job.usage.turns, 1])
})

test('a conflict with the base leaves the pull request alone and opens the next', async () => {
  const id = await create('Conflicts')
  const first = await run(id, edit('guides/a.md', 'Two.', 'Dos.'), done('Two'))
  const before = await t.client.job(first.jobId ?? '')
  const head = await git(t.repository, 'rev-parse', before.source.ref ?? '')
  await pushAsPerson(t.repository, 'main', { 'guides/a.md': '# A\n\nOne.\n\nZwei.\n' })
  const second = await run(id, write('guides/c.md', '# C\n'), done('Add C'))
  assert.notEqual(second.jobId, first.jobId)
  assert.deepEqual([second.status, second.prLink === first.prLink], ['review_needed', false])
  assert.match(second.reason ?? '', /^main and docent\/job_\w+ changed the same places: guides\/a\.md\.$/)
  const left = await t.client.job(first.jobId ?? '')
  assert.deepEqual([left.status, left.outcome, left.pullRequest], ['completed', 'pull_request', before.pullRequest])
  assert.equal(await git(t.repository, 'rev-parse', before.source.ref ?? ''), head)
  const { body } = await pullOf((await t.client.job(second.jobId ?? '')).pullRequest?.number ?? 0)
  assert.match(body, /Started by `test`\. A new pull request: `main and docent/)
  // The next one continues the newest.
  const third = await run(id, edit('guides/c.md', 'C', 'See'), done('See'))
  assert.deepEqual([third.jobId, third.reason], [second.jobId, null])
  assert.equal((await runsOf(id)).length, 3)
})
