// The states of runs: messages that wait, are taken, and end with the runs of their jobs.

import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { addProject, claimNext, completeRun, toLeased } from '../../../test/support/database.ts'
import { openTestDatabase } from '../../../test/support/engine.ts'
import { settleJob } from '../../jobs/run/ends/settle-job.ts'
import { takeMessages } from '../../jobs/run/turns.ts'
import { cancelJob } from '../../jobs/cancel.ts'
import { addFollowUp, sendMessage } from '../../jobs/message.ts'
import { HandedBack, settle } from '../../jobs/queue/settle.ts'
import { type LeasedRun, writeAsRun } from '../../jobs/queue/lease.ts'
import { systemClock } from '../../lib/clock.ts'
import { Failure } from '../../lib/failure.ts'
import { createId } from '../../lib/id.ts'
import type { Db, Postgres } from '../../postgres/types.ts'
import { operator } from '../../projects/keys.ts'
import { generateKey, parseKeys } from '../../secrets/keys.ts'
import { createSecrets } from '../../secrets/secrets.ts'
import { createAutomation } from '../automations.ts'
import { refuseStopped, runNow } from './by-person.ts'
import { readStates } from './states.ts'

let postgres: Postgres
let db: Db
let projectId: string
let automationId: string
const ring = parseKeys(generateKey())
const secrets = createSecrets(() => ring)
const context = () => ({ db, clock: systemClock, secrets, modelId: 'docent/rules', publicUrl: 'http://x' })

before(async () => {
  postgres = await openTestDatabase()
  db = postgres.db
})
after(() => postgres.close())
beforeEach(async () => {
  await db.deleteFrom('projects').execute()
  projectId = await addProject(db)
  const given = { name: 'a', trigger: { type: 'person' }, instructions: 'Do it.' } as const
  automationId = (await createAutomation(context(), operator, projectId, given)).row.id
})

async function start() {
  const by = { name: 'k', personId: undefined }
  const limit = { name: 'creates', quota: 100 } as const
  const { value } = await runNow(context(), { projectId, automationId, by, refuse: refuseStopped }, undefined, limit)
  return { id: value.id, jobId: value.jobId ?? assert.fail('it has a job') }
}

/** Another run of the automation that continues the job. */
async function follow(jobId: string): Promise<string> {
  const id = createId('aru')
  await db.transaction().execute(async (trx) => {
    const { messageId } = await addFollowUp(trx, { projectId, jobId, prompt: 'Again.' })
    const row = { id, automation_id: automationId, trigger: 'person', job_id: jobId, message_id: messageId } as const
    await trx
      .insertInto('automation_runs')
      .values({ ...row, created_at: new Date() })
      .execute()
  })
  return id
}

const say = (jobId: string) => sendMessage(context(), { projectId, jobId, prompt: 'go on' }, undefined)
const claim = async () => toLeased(db, (await claimNext(db)) ?? assert.fail('a run waits'))
const take = (leased: LeasedRun) => writeAsRun(leased, (trx, run) => takeMessages(trx, run))
const fail = (leased: LeasedRun, words: string) => settle(leased, new Failure('model_refused', words), settleJob)
const ask = { finish: { kind: 'question', question: 'Which one?' }, change: null } as const
async function stateOf(id: string) {
  const state = (await readStates(db, [id])).get(id) ?? assert.fail('it has a state')
  const words = state.kind === 'failed' ? `${state.code}: ${state.message}` : 'said' in state ? state.said : null
  return [state.kind, words]
}

test('a run is queued until its message is taken, and while its run waits', async () => {
  const { id } = await start()
  assert.deepEqual(await stateOf(id), ['queued', null])
  const leased = await claim()
  assert.deepEqual(await stateOf(id), ['queued', null])
  await take(leased)
  assert.deepEqual(await stateOf(id), ['running', null])
  await settle(leased, new HandedBack('stop'), settleJob)
  assert.deepEqual(await stateOf(id), ['queued', null])
  await completeRun(await claim())
  assert.deepEqual(await stateOf(id), ['no_changes', 'All is well.'])
})

test('a job that fails before it takes the message fails the run', async () => {
  const { id, jobId } = await start()
  await fail(await claim(), 'No access.')
  assert.deepEqual(await stateOf(id), ['failed', 'model_refused: No access.'])
  await say(jobId)
  assert.deepEqual(await stateOf(id), ['queued', null])
  await completeRun(await claim())
  assert.deepEqual(await stateOf(id), ['no_changes', 'All is well.'])
})

test('an answer of a person to a failed run or a question continues the run', async () => {
  const { id, jobId } = await start()
  const leased = await claim()
  await take(leased)
  await fail(leased, 'No.')
  assert.deepEqual(await stateOf(id), ['failed', 'model_refused: No.'])
  await say(jobId)
  assert.deepEqual(await stateOf(id), ['queued', null])
  await completeRun(await claim(), ask)
  assert.deepEqual(await stateOf(id), ['needs_input', 'Which one?'])
  await say(jobId)
  await completeRun(await claim())
  await say(jobId)
  await fail(await claim(), 'Not about it any more.')
  assert.deepEqual(await stateOf(id), ['no_changes', 'All is well.'])
})

test('two runs of one job end each as their own messages do', async () => {
  const { id: first, jobId } = await start()
  const leased = await claim()
  await take(leased)
  const second = await follow(jobId)
  await fail(leased, 'First.')
  assert.deepEqual([(await stateOf(first))[0], (await stateOf(second))[0]], ['failed', 'failed'])
  const third = await follow(jobId)
  assert.deepEqual([(await stateOf(first))[1], (await stateOf(second))[0]], ['model_refused: First.', 'queued'])
  await completeRun(await claim(), ask)
  for (const id of [second, third]) assert.deepEqual(await stateOf(id), ['needs_input', 'Which one?'])
  const fourth = await follow(jobId)
  await completeRun(await claim())
  const states = await readStates(db, [first, second, third, fourth, 'aru_gone'])
  assert.deepEqual(
    [first, second, third, fourth].map((id) => states.get(id)?.kind),
    ['failed', 'needs_input', 'needs_input', 'no_changes'],
  )
  assert.equal(states.size, 4)
})

async function startAndAsk() {
  const { id, jobId } = await start()
  const leased = await claim()
  await take(leased)
  await completeRun(leased, ask)
  return { id, jobId }
}

test('a run that ends before it takes a message is that of the first which waited', async () => {
  const { id, jobId } = await startAndAsk()
  const cancelled = await follow(jobId)
  await cancelJob(context(), projectId, jobId)
  const states = async () => [(await stateOf(id))[0], (await stateOf(cancelled))[0]]
  assert.deepEqual(await states(), ['needs_input', 'failed'])
  await say(jobId)
  await completeRun(await claim())
  assert.deepEqual(await states(), ['needs_input', 'no_changes'])

  const { id: answered, jobId: other } = await startAndAsk()
  await say(other)
  const joined = await follow(other)
  await cancelJob(context(), projectId, other)
  for (const one of [answered, joined]) assert.equal((await stateOf(one))[0], 'failed')
})

test('a run that an earlier release started is the first message of its job', async () => {
  const { id, jobId } = await start()
  await completeRun(await claim())
  await say(jobId)
  await db.updateTable('automation_runs').set({ message_id: null }).execute()
  await db.updateTable('runs').set({ outcome: null }).execute()
  assert.deepEqual(await stateOf(id), ['no_changes', 'All is well.'])
})
