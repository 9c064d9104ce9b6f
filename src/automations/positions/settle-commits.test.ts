// Failed runs count against the commits that they had, and against no others.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestDatabase } from '../../../test/support/engine.ts'
import { following } from '../../../test/support/following.ts'
import type { Postgres } from '../../postgres/types.ts'

let postgres: Postgres
before(async () => {
  postgres = await openTestDatabase()
})
after(() => postgres.close())

const minute = 60_000

test('the failure of a commit that has left the branch is not that of the next one', async (t) => {
  const world = await following(t, postgres.db)
  const id = await world.create({ trigger: { type: 'docs', paths: [] } })
  await world.step()
  const start = world.docs.head('main') ?? ''
  const fail = async (code: 'model_refused' | 'model_not_configured' = 'model_refused') => {
    await world.step()
    assert.ok(await world.end(code), 'a run was at work')
    await world.step()
    await world.clock.pass(30 * minute)
  }
  world.docs.commit('main', { 'a.md': 'a' }, 'a')
  await fail()
  await fail('model_not_configured')
  world.docs.git(['update-ref', 'refs/heads/main', start])
  world.docs.commit('main', { 'b.md': 'b' }, 'b')
  await fail()
  await world.step()
  const last = async () => (await world.commits(id)).at(-1)
  assert.deepEqual([(await last())?.subject, (await last())?.state], ['b', 'in_run'])
  await fail()
  assert.deepEqual([(await last())?.subject, (await last())?.state], ['b', 'set_aside'])
})
