// Runs that share a pull request, and one of them ends with a question.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { claimNext, completeRun, toLeased } from '../../../test/support/database.ts'
import { openTestDatabase } from '../../../test/support/engine.ts'
import { following, type Following } from '../../../test/support/following.ts'
import { assignContributions, loadWaiting } from '../../jobs/appends/contribution.ts'
import type { Ended } from '../../jobs/run/ends/record.ts'
import type { Postgres } from '../../postgres/types.ts'
import { readLedger } from './ledger.ts'

let postgres: Postgres
before(async () => {
  postgres = await openTestDatabase()
})
after(() => postgres.close())

const link = 'https://forge.test/7'
const head = 'a'.repeat(40)
const pull = {
  forge: 'github',
  number: 7,
  state: 'open',
  draft: false,
  mergedAt: null,
  base: 'main',
  head,
  link,
} as const
const proposed: Ended = {
  finish: { kind: 'change', title: 'Say more', summary: 'It says more.' },
  change: { pull, baseCommit: head, headCommit: head },
}
const question: Ended = { finish: { kind: 'question', question: 'Which one?' }, change: null }

async function endWith({ db }: Following, ended: Ended): Promise<void> {
  const run = (await claimNext(db)) ?? assert.fail('a run waits')
  await db.transaction().execute(async (trx) => {
    await assignContributions(trx, run.id, await loadWaiting(trx, run.job_id))
  })
  await completeRun(toLeased(db, run), ended)
}

async function statesOf({ db, projectId }: Following) {
  const { entries } = await readLedger({ db, publicUrl: 'http://x' }, projectId, { source: 'api', limit: 10 })
  return entries.map(({ subject, state }) => `${subject}: ${state}`)
}

test('commits of an open question wait, again if its job goes on without an answer', async (t) => {
  const world = await following(t, postgres.db)
  const id = await world.create({ grouping: 'one' })
  await world.step()
  const feature = (limit: number) => {
    const text = `export function createClient(retryLimit = ${limit}) {}\nexport function closeClient() {}\n`
    world.product.commit('main', { 'src/client.ts': text }, `feat: ${limit}`)
  }
  for (const [limit, ended] of [
    [1, proposed],
    [2, question],
  ] as const) {
    feature(limit)
    await world.step()
    await endWith(world, ended)
    await world.step()
  }
  assert.deepEqual(await statesOf(world), ['feat: 2: waiting', 'feat: 1: documented'])
  feature(3)
  await world.step()
  await endWith(world, proposed)
  await world.step()
  assert.deepEqual(await statesOf(world), ['feat: 3: documented', 'feat: 2: waiting', 'feat: 1: documented'])
  const [, second] = await world.commits(id)
  const newest = (await world.runs(id)).at(-1)
  assert.deepEqual([second?.state, second?.run_id, newest?.settled_at], ['in_run', newest?.id, null])
  await endWith(world, proposed)
  await world.step()
  assert.deepEqual(await statesOf(world), ['feat: 3: documented', 'feat: 2: documented', 'feat: 1: documented'])
})
