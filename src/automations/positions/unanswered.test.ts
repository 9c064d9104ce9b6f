// A run asks a question, and its job is archived without an answer: its commits get a state that says so.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { openTestDatabase } from '../../../test/support/engine.ts'
import { following } from '../../../test/support/following.ts'
import { archiveIdleJobs, archiveJob } from '../../jobs/archive.ts'
import { sendMessage } from '../../jobs/message.ts'
import type { Postgres } from '../../postgres/types.ts'
import { readLedger } from '../ledger/ledger.ts'

let postgres: Postgres
before(async () => {
  postgres = await openTestDatabase()
})
after(() => postgres.close())

async function arrange(t: Parameters<typeof following>[0], grouping: 'each' | 'one' = 'each') {
  const world = await following(t, postgres.db)
  const { db, clock, projectId } = world
  const context = { db, clock, modelId: 'docent/rules', publicUrl: 'https://docs.test' }
  const id = await world.create({ grouping })
  await world.step()
  const feature = 'export function createClient(retryLimit = 5, retryDelay = 10) {}\nexport function closeClient() {}\n'
  world.product.commit('main', { 'src/client.ts': feature }, 'feat: add `retryDelay` to createClient')
  await world.step()
  await assignMessages(world.db)
  const jobId = (await world.end('question')) ?? ''
  await world.step()
  const read = async () => {
    const { entries } = await readLedger(context, projectId, { limit: 10 })
    return entries.map(({ state, reason }) => [state, reason])
  }
  const hasQuestion = async () => (await world.runs(id)).at(-1)?.has_question
  return { world, context, id, jobId, read, hasQuestion }
}

/** As runs do when they begin. */
async function assignMessages(db: Postgres['db']): Promise<void> {
  await sql`update messages m set run_id = (select id from runs where job_id = m.job_id and state = 'waiting')
    where run_id is null`.execute(db)
}

test('the commits of a question that a person archives are rejected', async (t) => {
  const { world, context, jobId, read, hasQuestion } = await arrange(t)
  assert.deepEqual(await read(), [['waiting', null]])
  await archiveJob(context, world.projectId, jobId)
  await world.step()
  const rejected = [['rejected', 'A person archived the job instead of answering its question.']]
  assert.deepEqual(await read(), rejected)
  assert.equal(await hasQuestion(), false)
  await world.step()
  assert.deepEqual(await read(), rejected)
})

test('the commits of a question that grew old are set aside until it is answered', async (t) => {
  const { world, context, jobId, read, hasQuestion } = await arrange(t)
  await archiveIdleJobs(world.db, new Date(Date.now() + 60_000))
  await world.step()
  await world.step()
  assert.deepEqual(await read(), [
    ['set_aside', 'Nobody answered the question of its job, which was archived for its age.'],
  ])
  await sendMessage(context, { projectId: world.projectId, jobId, prompt: 'The first one.' }, undefined)
  await world.step()
  assert.equal((await read())[0]?.[0], 'set_aside')
  await world.end()
  await world.step()
  assert.deepEqual(await read(), [['skipped', 'All is well.']])
  assert.equal(await hasQuestion(), false)
})

test('a question is no contribution to the pull request of earlier runs', async (t) => {
  const { world, jobId, read } = await arrange(t)
  await world.db.updateTable('jobs').set({ pull_state: 'open', pull_number: 1 }).where('id', '=', jobId).execute()
  await world.step()
  assert.deepEqual(await read(), [['waiting', null]])
})

test('a question that a later run of the job has left behind lets its commits wait', async (t) => {
  const { world, id, jobId } = await arrange(t, 'one')
  const { db } = world
  await db.updateTable('jobs').set({ pull_state: 'open', pull_number: 1 }).where('id', '=', jobId).execute()
  world.product.commit(
    'main',
    { 'src/close.ts': 'export function closeClient(force = true) {}\n' },
    'feat: add `force`',
  )
  await world.step()
  await assignMessages(db)
  assert.equal(await world.end('question'), jobId)
  await world.step()
  const runs = await db.selectFrom('automation_runs').select(['id', 'has_question']).orderBy('ordinal').execute()
  const [first] = await world.commits(id)
  assert.deepEqual(
    runs.map((run) => run.has_question),
    [false, true, false],
  )
  assert.equal(first?.run_id, runs[2]?.id)
})

test('a commit whose runs failed twice is set aside, also with a question in between', async (t) => {
  const world = await following(t, postgres.db)
  const { db, clock, projectId } = world
  const id = await world.create()
  await world.step()
  const feature = 'export function createClient(retryLimit = 5, retryDelay = 10) {}\nexport function closeClient() {}\n'
  world.product.commit('main', { 'src/client.ts': feature }, 'feat: add `retryDelay` to createClient')
  await world.step()
  await world.end('model_refused')
  await world.step()
  await clock.pass(10 * 60_000)
  await world.step()
  const jobId = (await world.end('question')) ?? ''
  await world.step()
  assert.equal((await world.commits(id)).at(-1)?.state, 'in_run')
  const context = { db, clock, modelId: 'docent/rules', publicUrl: 'https://docs.test' }
  await sendMessage(context, { projectId, jobId, prompt: 'The first one.' }, undefined)
  await world.end('model_refused')
  await world.step()
  assert.equal((await world.commits(id)).at(-1)?.state, 'set_aside')
})
