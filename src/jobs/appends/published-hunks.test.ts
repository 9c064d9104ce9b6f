import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { addProject } from '../../../test/support/database.ts'
import { openTestDatabase } from '../../../test/support/engine.ts'
import { systemClock } from '../../lib/clock.ts'
import type { Db, Postgres } from '../../postgres/types.ts'
import { createJob } from '../create.ts'
import { getJob, updateJob } from '../store.ts'
import { loadRejected, mostHunks, storeHunks, sweepHunks } from './published-hunks.ts'

const dayMs = 86_400_000
let postgres: Postgres
let db: Db
let projectId: string
before(async () => {
  postgres = await openTestDatabase()
  db = postgres.db
})
after(() => postgres.close())
beforeEach(async () => {
  await db.deleteFrom('projects').execute()
  projectId = await addProject(db)
})

type Published = {
  readonly automation?: string
  readonly state?: 'open' | 'merged' | 'closed'
  readonly digests?: readonly string[]
  readonly endedAt?: Date
}

/** A job with a pull request of this state and hunks with these digests. */
async function publish({ automation = 'a', state = 'closed', digests = ['x'], endedAt = new Date() }: Published = {}) {
  const automationId = `aut_${automation.repeat(20)}`
  const origin = { kind: 'automation', name: 'A', link: null, automationId, runId: 'aru_1' } as const
  const context = { db, clock: systemClock, modelId: 'test/model', publicUrl: 'http://x' }
  const { value } = await createJob(context, { projectId, prompt: 'do it', origin }, undefined)
  const { id } = value.job
  await db.transaction().execute(async (trx) => {
    const hunks = digests.map((digest) => ({ digest, path: 'a.md', removed: 'old\n', added: '\u{FEFF}\0new\n' }))
    await storeHunks(trx, id, hunks, new Date())
    await updateJob(trx, id, { pull_state: state, pull_number: 7, updated_at: endedAt })
  })
  return await getJob(db, projectId, id)
}

const digestsFor = async (job: Awaited<ReturnType<typeof publish>>, now = new Date()) =>
  (await loadRejected(db, job, now)).map(({ digest }) => digest)

test('closed changes are rejected for the other jobs of the same automation only', async () => {
  const closed = await publish({ digests: ['x', 'y'] })
  await publish({ state: 'open', digests: ['open'] })
  await publish({ state: 'merged', digests: ['merged'] })
  await publish({ automation: 'b', digests: ['other'] })
  const next = await publish({ state: 'open', digests: [] })
  assert.deepEqual(await digestsFor(next), ['x', 'y'])
  assert.deepEqual(await digestsFor(closed), [])
  const [first] = await loadRejected(db, next, new Date())
  assert.deepEqual(first, { digest: 'x', path: 'a.md', removed: 'old\n', added: '\u{FEFF}\0new\n', number: 7 })
})

test('a later publication of the job replaces its hunks, and counts each once', async () => {
  const job = await publish({ digests: ['x', 'x', 'y'] })
  const next = await publish({ state: 'open' })
  assert.deepEqual(await digestsFor(next), ['x', 'y'])
  await db.transaction().execute((trx) => storeHunks(trx, job.id, [], new Date()))
  assert.deepEqual(await digestsFor(next), [])
})

test('rejections end after 90 days, and at 200 the newest count', async () => {
  const now = new Date()
  const edge = new Date(now.getTime() - 90 * dayMs)
  await publish({ digests: ['old'], endedAt: edge })
  await publish({ digests: ['young'], endedAt: new Date(edge.getTime() + 1) })
  const next = await publish({ state: 'open', digests: ['open'] })
  assert.deepEqual(await digestsFor(next, now), ['young'])
  await publish({ state: 'merged', digests: ['merged'] })
  await sweepHunks(db, now)
  const kept = await db.selectFrom('published_hunks').select('digest').orderBy('digest').execute()
  assert.deepEqual(
    kept.map(({ digest }) => digest),
    ['open', 'young'],
  )
  await publish({ digests: Array.from({ length: mostHunks + 5 }, (_, at) => `n${at}`) })
  const digests = await digestsFor(next, now)
  assert.equal(digests.length, mostHunks)
  assert.ok(!digests.includes('young'))
})
