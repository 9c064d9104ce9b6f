// A user makes automations on the command line: by hand and by schedule, from the run to the merged pull request, with limits
// that its jobs keep. With a running service, and without one.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { AutomationRun } from '../../src/automations/runs/run.ts'
import type { ShownAutomation } from '../../src/http/resources/automations/schemas.ts'
import { runCommand } from '../support/command.ts'
import { type OneService, startOneService } from '../support/one-service.ts'
import { removeFolder } from '../support/temporary.ts'

let t: OneService

before(async () => {
  t = await startOneService({
    'docs/index.md': '# Acme\n\nAcme CLI is a tool.\n',
    'docs/api/a.md': '# API\n\nAcme CLI has an API.\n',
  })
})
// The last test has stopped the service.
after(() => removeFolder(t.folder))

const docent = (args: readonly string[], input = '') =>
  runCommand(['automation', ...args], t.environment, { readInput: () => Promise.resolve(input) })

async function ok(args: readonly string[], input = ''): Promise<string> {
  const ran = await docent(args, input)
  assert.deepEqual([ran.code, ran.stderr], [0, ''], ran.stdout)
  return ran.stdout
}

const show = async (name: string) => JSON.parse(await ok(['show', name, '--json'])) as ShownAutomation
const runs = async (name: string) =>
  (JSON.parse(await ok(['runs', name, '--json'])) as { readonly runs: readonly AutomationRun[] }).runs

test('an automation that people start is run, merged, and shows its runs', async () => {
  const prompt = 'Rename "Acme CLI" to "Acme Command Line" everywhere.'
  const made = await ok(
    ['create', 'Rename', '--instructions', '-', '--scope', 'docs/api/', '--cap', 'runsPerDay=2'],
    prompt,
  )
  assert.match(made, /^name +Rename$/m)
  assert.match(made, /^scope +docs\/api\/$/m)
  assert.match(made, /^caps +runsPerDay=2$/m)
  const started = await ok(['run', 'Rename'])
  const [, jobId = ''] = /^Started the run aru_\w+: job (job_\w+)\.\n$/.exec(started) ?? []
  const job = await t.client.ended(jobId)
  assert.equal(job.outcome, 'pull_request', JSON.stringify(job.error))
  // Outside of the scope nothing changed.
  assert.match(await t.client.diff(jobId), /^\+Acme Command Line has an API\.$/m)
  assert.doesNotMatch(await t.client.diff(jobId), /docs\/index\.md/)
  const pull = (await t.client.pulls()).find((one) => one.jobId === jobId)
  assert.match(await (await fetch(job.prLink ?? '')).text(), /Automation:[^\n]{0,40}Rename/)
  assert.deepEqual(
    (await runs('Rename')).map(({ status, prLink }) => [status, prLink]),
    [['review_needed', job.prLink]],
  )
  await t.client.call('POST', `/v1/projects/${t.client.projectId}/pulls/${pull?.number}/merge`)
  assert.match(await ok(['runs', 'Rename']), /^\d{4}-\d\d-\d\d \d\d:\d\dZ +accepted +Operator +job_\w+ +http/m)
  await t.client.ended((await runAgain('Rename')).jobId ?? '')
  const capped = await docent(['run', 'Rename'])
  assert.deepEqual([capped.code, capped.stdout], [1, ''])
  assert.equal(capped.stderr, 'docent: The run was capped: The automation may start 2 runs a day.\n')
  assert.equal((await show('Rename')).lastRun?.status, 'capped')
  assert.deepEqual(
    (await runs('Rename')).map(({ status }) => status),
    ['capped', 'nothing_to_do', 'accepted'],
  )
})

async function runAgain(name: string): Promise<AutomationRun> {
  return JSON.parse(await ok(['run', name, '--json'])) as AutomationRun
}

test('the doctor names the automations whose last run failed', async () => {
  await ok(['create', 'Poem', '--instructions', 'Write a poem.'])
  const { jobId } = await runAgain('Poem')
  assert.equal((await t.client.ended(jobId ?? '')).status, 'failed')
  const { stdout } = await runCommand(['doctor', '--no-model'], t.environment)
  assert.match(stdout, /^✓ automations of Docs: 2 of 2 are on$/m)
  assert.match(
    stdout,
    /^! automation Poem of Docs: its last run failed: .+\n {4}See `docent automation runs aut_\w+`\.$/m,
  )
  assert.doesNotMatch(stdout, /automation Rename/)
  await ok(['delete', 'Poem'])
})

test('a schedule is created, changed, paused, resumed and deleted', async () => {
  await ok([
    'create',
    'Weekly',
    '--cron',
    '0 3 * * 1',
    '--time-zone',
    'Europe/Berlin',
    '--instructions',
    'Fix.',
    '--paused',
  ])
  const paused = await ok(['list'])
  assert.match(paused, /^aut_\w+ +Weekly +0 3 \* \* 1 Europe\/Berlin +paused +-$/m)
  assert.match(await ok(['resume', 'Weekly']), /^nextRunAt +\d{4}-/m)
  const { id, nextRunAt } = await show('Weekly')
  assert.match(await ok(['list']), new RegExp(`Weekly .*${nextRunAt?.slice(0, 10)} 0[12]:0\\dZ +-$`, 'm'))
  // The part of the trigger that is not given stays.
  await ok(['set', id, '--cron', '30 4 * * *', '--name', 'Daily', '--budget', 'turns=5', '--update', 'draft'])
  const changed = await show('Daily')
  assert.deepEqual(changed.trigger, { type: 'schedule', cron: '30 4 * * *', timeZone: 'Europe/Berlin' })
  assert.deepEqual([changed.budgets.turns, changed.update], [5, 'draft'])
  await ok(['set', 'Daily', '--time-zone', 'UTC', '--reset', 'budgets', 'update'])
  const reset = await show('Daily')
  assert.deepEqual(reset.trigger, { type: 'schedule', cron: '30 4 * * *', timeZone: 'UTC' })
  assert.deepEqual([reset.budgets.turns, reset.update], [null, 'pull_request'])
  assert.match(await ok(['pause', 'Daily']), /^enabled +false$/m)
  assert.equal((await docent(['run', 'Daily'])).stderr, 'docent: The automation is paused.\n')
  await ok(['set', 'Daily', '--no-schedule'])
  assert.deepEqual((await show('Daily')).trigger, { type: 'person' })
  assert.equal(await ok(['delete', 'Daily']), 'Deleted the automation Daily.\n')
})

test('mistakes are explained', async () => {
  await ok(['create', 'Known', '--instructions', 'x'])
  const table: [string[], number, RegExp][] = [
    [['show', 'Unknown'], 1, /no automation Unknown\. Its automations are:\n.*aut_\w+ {2}Known/s],
    [
      ['create', 'x', '--instructions', 'x', '--cron', '*/5 * * * *'],
      1,
      /`trigger.cron` must leave at least 15 minutes/,
    ],
    [['create', 'x', '--instructions', 'x', '--time-zone', 'UTC'], 2, /--time-zone needs --cron/],
    [['set', 'Known', '--time-zone', 'UTC'], 2, /the automation has no schedule/],
    [['set', 'Known', '--no-schedule', '--cron', '0 3 * * *'], 2, /cannot be used with/],
    [['create', 'x', '--instructions', 'x', '--budget', 'minutes=5'], 2, /the names are turns, tokens/],
    [['create', 'x', '--instructions', 'x', '--update', 'push'], 2, /choices are pull_request, draft, merge/],
    [['create', 'Known', '--instructions', 'x'], 1, /has an automation `Known` already/],
    [['create', 'x'], 2, /Give a name and --instructions/],
    [['create', 'x', '--instructions', ' '], 2, /instruction is empty/],
  ]
  for (const [args, code, words] of table) {
    const ran = await docent(args)
    assert.equal(ran.code, code, args.join(' '))
    assert.match(ran.stderr, words)
  }
})

test('without a service, automations are managed, and not run', async () => {
  await t.service.stop()
  assert.match(await ok(['list']), /Known/)
  assert.match(await ok(['pause', 'Known']), /^enabled +false$/m)
  const ran = await docent(['run', 'Known'])
  assert.deepEqual([ran.code, ran.stderr.includes('No service runs on')], [4, true])
})
