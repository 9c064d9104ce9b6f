// Notifications of the pull requests of jobs on a forge: each change once, and once that one waits for a review.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestDatabase } from '../../../test/support/engine.ts'
import { lookedAt } from '../../../test/support/looked-at.ts'
import { forgeKinds } from '../../forge/host.ts'
import { createWebhook } from '../../notifications/webhooks/webhooks.ts'
import type { Db, Postgres } from '../../postgres/types.ts'
import { operator } from '../../projects/keys.ts'
import { systemClock } from '../../lib/clock.ts'
import { notifyOfWaiting } from './pull.ts'

let postgres: Postgres
before(async () => {
  postgres = await openTestDatabase()
})
after(() => postgres.close())

const day = 86_400_000
const soon = () => new Date(Date.now() + 3 * day - 60_000)
const later = () => new Date(Date.now() + 3 * day + 60_000)

/** Every event of the project is stored from now on. */
async function listen(db: Db, projectId: string) {
  const context = { db, clock: systemClock, secrets: { encrypt: () => 'x' }, privateHosts: [] }
  await createWebhook(context, operator, projectId, { url: 'https://example.com/' })
  return async (): Promise<readonly string[]> => {
    const rows = await db.deleteFrom('notifications').where('project_id', '=', projectId).returning('type').execute()
    return rows.map(({ type }) => type).toSorted()
  }
}

for (const kind of forgeKinds) {
  test(`${kind}: opened, merged and closed are told once, however often it looks`, async (t) => {
    const { db, projectId, forge, open, look } = await lookedAt(t, postgres.db, kind)
    const told = await listen(db, projectId)
    const [first, second] = [await open('docent/1'), await open('docent/2')]
    assert.deepEqual(await told(), ['job.completed', 'job.completed', 'pull_request.opened', 'pull_request.opened'])
    await look()
    await look()
    assert.deepEqual(await told(), [])
    forge.merge(first.number)
    forge.close(second.number)
    await look()
    await look()
    assert.deepEqual(await told(), ['pull_request.closed', 'pull_request.merged'])
    await notifyOfWaiting(db, later())
    assert.deepEqual(await told(), [])
  })

  test(`${kind}: three days without a review are told once, and not after one`, async (t) => {
    const { db, projectId, remarks, open, look } = await lookedAt(t, postgres.db, kind)
    const told = await listen(db, projectId)
    const [first, second] = [await open('docent/1'), await open('docent/2')]
    remarks.comment(first.number, { text: 'A comment is no review' })
    remarks.review(second.number, { login: 'ada', text: 'Fine', state: 'APPROVED' }, [])
    await look()
    await told()
    await notifyOfWaiting(db, soon())
    assert.deepEqual(await told(), [])
    await notifyOfWaiting(db, later())
    await notifyOfWaiting(db, later())
    assert.deepEqual(await told(), ['pull_request.waiting'])
  })
}
