// Old runs without a job are deleted, and nothing else is.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestDatabase } from '../../../test/support/engine.ts'
import { following } from '../../../test/support/following.ts'
import type { Postgres } from '../../postgres/types.ts'
import { forgetRuns } from './forget.ts'

let postgres: Postgres
before(async () => {
  postgres = await openTestDatabase()
})
after(() => postgres.close())

const dayMs = 24 * 3_600_000

test('a run without a job is kept for 400 days, one with a job and the last one longer', async (t) => {
  const world = await following(t, postgres.db)
  const id = await world.create()
  await world.step()
  const push = async (path: string, text: string) => {
    world.product.commit('main', { [path]: text }, path)
    await world.step()
  }
  await push('ci.yml', 'on: push\n')
  await push(
    'src/client.ts',
    'export function createClient(retryLimit = 5, retryDelay = 10) {}\nexport function closeClient() {}\n',
  )
  await world.end()
  await world.step()
  await push('a.yml', 'b: c\n')
  const jobs = async () => (await world.runs(id)).map((run) => run.job_id !== null)
  const whole = await jobs()
  assert.ok(whole.includes(true) && whole.indexOf(false) < whole.lastIndexOf(false), JSON.stringify(whole))
  const after = (days: number) => async () => new Date(world.clock.now().getTime() + days * dayMs)
  await forgetRuns(world.db, after(400))
  await forgetRuns(world.db, async () => undefined)
  assert.deepEqual(await jobs(), whole)
  await forgetRuns(world.db, after(401))
  const last = whole.length - 1
  assert.deepEqual(
    await jobs(),
    whole.filter((hasJob, at) => hasJob || at === last),
  )
  assert.equal((await world.commits(id)).length, 3)
})
