// Runs of an automation that share one pull request: its text, the base that is merged in first, and when the next one is opened.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
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
  pushAsPerson(t.repository, 'main', { 'news.md': '# News\n' })
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
  pushAsPerson(t.repository, 'main', { 'guides/a.md': '# A\n\nOne.\n\nZwei.\n' })
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
  // The one that was left stays so after the newest has ended.
  await close(await numberOf(third))
  const fourth = await run(id, write('guides/d.md', '# D\n'), done('Add D'))
  assert.deepEqual([[first.jobId, second.jobId].includes(fourth.jobId), fourth.reason], [false, null])
  assert.deepEqual(await t.client.job(first.jobId ?? ''), left)
})

const close = (number: number) => t.client.call('POST', `${all()}/pulls/${number}/close`)
const numberOf = async ({ jobId }: AutomationRun) =>
  (await t.client.job(jobId ?? '')).pullRequest?.number ?? assert.fail('it has a pull request')

test('closed changes are data for the next run, and left out when they come again', async () => {
  const id = await create('Rejected')
  const greet = edit('index.md', 'Welcome to Acme.', 'Hello, Acme.')
  const first = await run(id, greet, write('guides/d.md', '# D\n\nFour.\n'), done('Greet'))
  const number = await numberOf(first)
  pushAsPerson(t.repository, (await pullOf(number)).branch, { 'person.md': '# By a person\n' })
  await close(number)
  pushAsPerson(t.repository, 'main', { 'index.md': '# Home\n\nNew.\n\nWelcome to Acme.\n' })

  // The same changes with other white space and in another place, and one that nobody has rejected.
  const page = write('guides/d.md', '# D\n\n\nFour. \n')
  const second = await run(
    id,
    greet,
    page,
    edit('guides/a.md', 'One.', 'Eins.'),
    write('person.md', '# By a person\n'),
    done('Again'),
  )
  const asked = t.model.requests.map((request) => JSON.stringify(request)).findLast((one) => one.includes('rejected'))
  assert.match(asked ?? '', /People closed pull requests of this automation[^]*Hello, Acme\.[^]*Four\./)
  assert.doesNotMatch(asked ?? '', /By a person[^]*Do not propose/)
  assert.notEqual(second.jobId, first.jobId)
  const { branch, body } = await pullOf(await numberOf(second))
  const changed = await git(t.repository, 'diff', '--name-only', `main...${branch}`)
  assert.deepEqual(changed.split('\n'), ['guides/a.md', 'person.md'])
  const said = `guides/d.md (#${number}), index.md (#${number})`
  assert.ok(body.includes(`Left out, because people have rejected the same changes: \`${said}\`.`), body)
  const job = await t.client.job(second.jobId ?? '')
  assert.ok(
    job.result?.text.includes(`Docent adds:\n- Left out, because people have rejected the same changes: ${said}.`),
  )

  // Nothing else is left: no pull request, and the run says why.
  await close(await numberOf(second))
  const third = await run(id, greet, done('Once more'))
  const reason = `People have rejected everything that this run would change: index.md (#${number}). Nothing was published.`
  assert.deepEqual([third.status, third.reason, third.prLink], ['nothing_to_do', reason, null])

  // A person may ask for it.
  t.play(greet, done('Asked'))
  await t.client.message(third.jobId ?? '', 'Do greet.')
  assert.equal((await t.client.ended(third.jobId ?? '')).outcome, 'pull_request')
})

test('an archived job, and one whose pull request has 20 pages, takes no more', async () => {
  const id = await create('Full')
  const first = await run(id, write('guides/e.md', '# E\n'), done('E'))
  await t.client.call('POST', `/v2/agent/${t.client.projectId}/job/${first.jobId}/archive`)
  const calls = Array.from({ length: 20 }, (_, at) => ({
    name: 'write_file',
    input: { path: `many/${at}.md`, content: `# ${at}\n` },
  }))
  const second = await run(id, { calls }, done('Many'))
  assert.deepEqual([second.status, second.reason], ['review_needed', null])
  const third = await run(id, write('guides/f.md', '# F\n'), done('F'))
  assert.equal(new Set([first, second, third].map(({ jobId }) => jobId)).size, 3)
  assert.equal(third.reason, `#${await numberOf(second)} changes 20 pages or more.`)
  assert.equal((await t.client.job(second.jobId ?? '')).outcome, 'pull_request')
})

test('a run that is due while a person is at work comes after it, in the same job', async () => {
  const id = await create('Together')
  const first = await run(id, write('guides/g.md', '# G\n'), done('G'))
  const jobId = first.jobId ?? ''
  // Each run writes what its own messages ask for.
  t.model.script = (messages) => {
    const asked = messages.findLast(({ role, content }) => role === 'user' && !content?.startsWith('<'))?.content ?? ''
    const path = asked.startsWith('Add') ? 'guides/h.md' : 'guides/i.md'
    const isWritten = messages.some((one) => one.tool_calls?.some((call) => call.function.arguments.includes(path)))
    return isWritten ? done(path) : write(path, '# Page\n')
  }
  await t.client.message(jobId, 'Add H.')
  // Before its run is prepared, the run of the automation would be a part of it.
  while (['queued', 'preparing'].includes((await t.client.job(jobId)).phase ?? '')) await delay(10)
  const { id: runId } = await t.client.call<AutomationRun>('POST', `${all()}/automations/${id}/run`)
  const ended = await t.client.ended(jobId)
  assert.equal((await runsOf(id)).find((one) => one.id === runId)?.jobId, jobId)
  const { body } = await pullOf(ended.pullRequest?.number ?? 0)
  const titles = [...body.matchAll(/^\*\*\d{4}-\d\d-\d\d: (.*)\*\*\n\nStarted by (.*)\.$/gm)]
  assert.deepEqual(
    titles.map(([, title, by]) => [title, by]),
    [
      ['guides/i.md', '`test`'],
      ['guides/h.md', 'a message'],
      ['G', '`test`'],
    ],
  )
})
