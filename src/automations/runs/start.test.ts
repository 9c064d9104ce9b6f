// The job of a run with grouping: that of the open pull request until it is full or has ended, as far as the database knows.

import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { addProject, claimNext, completeRun, toLeased } from '../../../test/support/database.ts'
import { openTestDatabase } from '../../../test/support/engine.ts'
import { createManualClock, type ManualClock } from '../../../test/support/manual-clock.ts'
import type { PullRequest } from '../../forge/forge.ts'
import { storeEntries } from '../../jobs/activity/store.ts'
import { archiveJob } from '../../jobs/archive.ts'
import { sendMessage } from '../../jobs/message.ts'
import { assignContributions, loadWaiting } from '../../jobs/appends/contribution.ts'
import { writeAsRun } from '../../jobs/queue/lease.ts'
import { updateJob } from '../../jobs/store.ts'
import type { Db, Postgres } from '../../postgres/types.ts'
import { operator } from '../../projects/keys.ts'
import { generateKey, parseKeys } from '../../secrets/keys.ts'
import { createSecrets } from '../../secrets/secrets.ts'
import type { AutomationChange } from '../automation.ts'
import { createAutomation, updateAutomation } from '../automations.ts'
import { refuseStopped, runNow } from './by-person.ts'
import type { AutomationRun } from './run.ts'

const day = 86_400_000
let postgres: Postgres
let db: Db
let projectId: string
let automationId: string
let clock: ManualClock
const ring = parseKeys(generateKey())
const secrets = createSecrets(() => ring)
const context = () => ({ db, clock, secrets, modelId: 'docent/rules', publicUrl: 'http://x' })

before(async () => {
  postgres = await openTestDatabase()
  db = postgres.db
})
after(() => postgres.close())
beforeEach(async () => {
  await db.deleteFrom('projects').execute()
  projectId = await addProject(db)
  clock = createManualClock(new Date('2026-11-20T09:00:00Z'))
  const given = { name: 'a', trigger: { type: 'person' }, instructions: 'Do it.', grouping: 'one' } as const
  automationId = (await createAutomation(context(), operator, projectId, given)).row.id
})

async function start(): Promise<AutomationRun> {
  const by = { name: 'k', personId: undefined }
  const limit = { name: 'creates', quota: 100 } as const
  const { value } = await runNow(context(), { projectId, automationId, by, refuse: refuseStopped }, undefined, limit)
  return value
}

const pullOf = (number: number): PullRequest => ({
  forge: 'github',
  number,
  state: 'open',
  draft: false,
  mergedAt: null,
  base: 'main',
  head: 'b'.repeat(40),
  link: `https://forge.example/${number}`,
})

/** Ends the run that waits, as one that changed something. */
async function publish(number: number): Promise<void> {
  const leased = toLeased(db, (await claimNext(db)) ?? assert.fail('a run waits'))
  await writeAsRun(leased, async (trx, run, job) => {
    await assignContributions(trx, run.id, await loadWaiting(trx, run.job_id))
    await trx.updateTable('runs').set({ branch: job.branch }).where('id', '=', run.id).execute()
  })
  const change = { pull: pullOf(number), baseCommit: 'a'.repeat(40), headCommit: 'b'.repeat(40) }
  await completeRun(leased, { finish: { kind: 'change', title: 'T', summary: 'S' }, change })
}

async function runOnce(number: number) {
  const run = await start()
  await publish(number)
  return run.jobId ?? assert.fail('it has a job')
}

const set = (change: AutomationChange) => updateAutomation(context(), operator, { projectId, id: automationId }, change)

test('ten runs continue one job, and the eleventh begins another', async () => {
  const jobs: string[] = []
  for (let at = 0; at < 10; at += 1) jobs.push(await runOnce(1))
  assert.equal(new Set(jobs).size, 1)
  const next = await start()
  assert.deepEqual([next.jobId === jobs[0], next.reason], [false, '#1 has 10 runs.'])
  await publish(2)
  assert.equal(await runOnce(2), next.jobId)
})

test('a pull request takes runs until it is 14 days old', async () => {
  const first = await runOnce(1)
  await clock.pass(14 * day - 1)
  assert.equal(await runOnce(1), first)
  await clock.pass(1)
  const next = await start()
  assert.deepEqual([next.jobId === first, next.reason], [false, '#1 is 14 days old.'])
})

/** Ends the run that waits with a question. */
async function ask(): Promise<void> {
  const leased = toLeased(db, (await claimNext(db)) ?? assert.fail('a run waits'))
  await writeAsRun(leased, async (trx, run) => {
    await assignContributions(trx, run.id, await loadWaiting(trx, run.job_id))
  })
  await completeRun(leased, { finish: { kind: 'question', question: 'Which one?' }, change: null })
}

test('a run continues the older pull request that a late answer has opened', async () => {
  const { jobId: asking } = await start()
  assert.ok(asking)
  await ask()
  const newer = await runOnce(1)
  await sendMessage(context(), { projectId, jobId: asking, prompt: 'This one.', at: clock.now() }, undefined)
  await publish(2)
  assert.equal(await runOnce(1), newer)
  await db.transaction().execute((trx) => updateJob(trx, newer, { pull_state: 'merged' }))
  assert.equal(await runOnce(2), asking)
  await clock.pass(14 * day)
  const next = await start()
  assert.deepEqual([[newer, asking].includes(next.jobId ?? ''), next.reason], [false, '#2 is 14 days old.'])
  await ask()
  // The newest job waits for an answer, and the only open pull request takes no more.
  assert.equal((await start()).reason, '#2 is 14 days old.')
})

test('the answer that opened a pull request is the beginning of its 14 days', async () => {
  const { jobId: asking } = await start()
  assert.ok(asking)
  await ask()
  await clock.pass(day)
  await sendMessage(context(), { projectId, jobId: asking, prompt: 'This one.', at: clock.now() }, undefined)
  await publish(1)
  await clock.pass(14 * day - 1)
  assert.equal(await runOnce(1), asking)
  await clock.pass(1)
  assert.equal((await start()).reason, '#1 is 14 days old.')
})

test('an approval of a person ends it, unless it was dismissed or is of a bot', async () => {
  const first = await runOnce(1)
  const review = async (login: string, state: string, isBot = false) => {
    await clock.pass(1_000)
    const at = clock.now().toISOString()
    const author = { id: login, login, isBot }
    const place = { at, text: '', path: null, line: null, link: null }
    await storeEntries(db, { jobId: first, forge: 'github', number: 1 }, [
      { ...place, kind: 'review', forgeId: `${login} ${at}`, author, state },
    ])
  }
  await review('bot', 'approved', true)
  await review('ada', 'approved')
  await review('ada', 'changes_requested')
  await review('grace', 'approved')
  await review('grace', 'dismissed')
  assert.equal(await runOnce(1), first)
  await review('ada', 'approved')
  await review('ada', 'commented')
  const next = await start()
  assert.deepEqual([next.jobId === first, next.reason], [false, '#1 is approved.'])
})

test('a job that is archived, or whose pull request has ended, is not continued', async () => {
  for (const state of ['merged', 'closed', 'archived'] as const) {
    const first = await runOnce(1)
    if (state === 'archived') await archiveJob(context(), projectId, first)
    else await db.transaction().execute((trx) => updateJob(trx, first, { pull_state: state }))
    const next = await start()
    assert.deepEqual([next.jobId === first, next.reason], [false, null], state)
    await publish(1)
  }
})

test('a run waits while a person is at work, and takes the settings of the automation', async () => {
  const first = await runOnce(1)
  await sendMessage(context(), { projectId, jobId: first, prompt: 'Go on.' }, undefined)
  await set({ scope: ['docs/'], budgets: { turns: 3 }, model: 'docent/rules' })
  const next = await start()
  assert.deepEqual([next.jobId, next.status], [first, 'queued'])
  const job = await db.selectFrom('jobs').selectAll().where('id', '=', first).executeTakeFirstOrThrow()
  assert.deepEqual([job.scope, job.budget, job.chosen_model], ['["docs/"]', '{"turns":3}', 'docent/rules'])
  const again = await start()
  assert.deepEqual([again.status, again.jobId], ['queued', null])
  await publish(1)
  await set({ grouping: 'each' })
  assert.notEqual((await start()).jobId, first)
})

test('a day counts the runs and their cost, also those that continue a job', async () => {
  await set({ caps: { runsPerDay: 2, costUsdPerDay: 1 } })
  const first = await runOnce(1)
  await clock.pass(day)
  await db.updateTable('runs').set({ cost_usd: 5 }).execute()
  assert.equal(await runOnce(1), first)
  await db.updateTable('runs').set({ cost_usd: 0.4 }).where('cost_usd', '<', 5).execute()
  await runOnce(1)
  assert.equal((await start()).reason, 'The automation may start 2 runs a day.')
  await set({ caps: { runsPerDay: null } })
  await db.updateTable('runs').set({ cost_usd: 0.6 }).where('cost_usd', '=', 0).execute()
  assert.equal((await start()).reason, 'The automation may cost 1 US dollars a day.')
})

test('a day counts runs that an earlier release started, which have no message', async () => {
  await set({ caps: { runsPerDay: 1 } })
  await runOnce(1)
  await db.updateTable('automation_runs').set({ message_id: null }).execute()
  assert.equal((await start()).reason, 'The automation may start 1 run a day.')
})
