// Runs that wait for the one before them, whatever starts them.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { following } from '../../../test/support/following.ts'
import { openTestDatabase } from '../../../test/support/engine.ts'
import { createId } from '../../lib/id.ts'
import type { Postgres } from '../../postgres/types.ts'

let postgres: Postgres
before(async () => {
  postgres = await openTestDatabase()
})
after(() => postgres.close())

const hour = 3_600_000
const hourly = { type: 'schedule', cron: '0 * * * *', timeZone: null } as const

test('a slot while a job of the automation is active waits, and a further one joins it', async (t) => {
  const world = await following(t, postgres.db)
  const id = await world.create({ trigger: hourly })
  for (let at = 0; at < 3; at += 1) {
    await world.clock.pass(hour)
    await world.step()
  }
  const [first, second, third] = await world.runs(id)
  assert.deepEqual([second?.ended_as, second?.job_id, second?.settled_at], [null, null, null])
  assert.deepEqual([third?.ended_as, third?.job_id], ['skipped', null])
  assert.equal(third?.reason, `The run ${second?.id} was waiting already, and does its work, too.`)
  await world.end()
  await world.step()
  const after = await world.runs(id)
  assert.ok(after[1]?.job_id)
  assert.notEqual(after[1].job_id, first?.job_id)
  assert.equal(after.length, 3)
})

test('a run that waited for another one does not begin after a pause', async (t) => {
  const world = await following(t, postgres.db)
  const id = await world.create({ trigger: hourly })
  for (let at = 0; at < 2; at += 1) {
    await world.clock.pass(hour)
    await world.step()
  }
  await world.db.updateTable('automations').set({ enabled: false }).where('id', '=', id).execute()
  await world.end()
  await world.step()
  const [, second] = await world.runs(id)
  assert.deepEqual([second?.ended_as, second?.reason], ['skipped', 'The automation was paused before the run began.'])
})

test('a run that another release beside this one has ended does not wait', async (t) => {
  const world = await following(t, postgres.db)
  const ids = [await world.create({ trigger: hourly }), await world.create()]
  for (const id of ids) {
    const row = { id: createId('aru'), automation_id: id, trigger: 'person', ended_as: 'capped' } as const
    await world.db
      .insertInto('automation_runs')
      .values({ ...row, reason: 'Enough.', created_at: world.clock.now() })
      .execute()
  }
  await world.step()
  await world.clock.pass(hour)
  await world.step()
  const [scheduled, followed] = [await world.runs(ids[0] ?? ''), await world.runs(ids[1] ?? '')]
  assert.deepEqual(
    scheduled.map(({ ended_as: ended, job_id: job, settled_at: at }) => [ended, job !== null, at !== null]),
    [
      ['capped', false, true],
      [null, true, false],
    ],
  )
  assert.deepEqual(
    followed.map(({ ended_as: ended, reason }) => [ended, reason]),
    [['capped', 'Enough.']],
  )
})
