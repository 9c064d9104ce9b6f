import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addProject, claimNext, toLeased } from '../../../test/support/database.ts'
import { openTestDatabase } from '../../../test/support/engine.ts'
import { systemClock } from '../../lib/clock.ts'
import { createId } from '../../lib/id.ts'
import { createProcessRedactor } from '../../lib/outbound/redactor.ts'
import { createMetrics } from '../../lib/observability/metrics.ts'
import type { Db } from '../../postgres/types.ts'
import { createJob } from '../create.ts'
import { sendMessage } from '../message.ts'
import { loadCoAuthors } from './co-authors.ts'
import { createTurnStore } from './turns.ts'

async function addPerson(db: Db, name: string): Promise<string> {
  const id = createId('per')
  const at = new Date()
  const row = { id, name, email: `${name.toLowerCase()}@example.com`, role: 'editor', password: 'x' } as const
  await db
    .insertInto('people')
    .values({ ...row, created_at: at, updated_at: at, last_seen_at: null })
    .execute()
  return id
}

test('a commit that is made again names the same people, whatever happened to them', async (t) => {
  const postgres = await openTestDatabase()
  t.after(() => postgres.close())
  const { db } = postgres
  const [grace, ada] = [await addPerson(db, 'Grace'), await addPerson(db, 'Ada')]
  const projectId = await addProject(db)
  const context = { db, clock: systemClock, modelId: 'm/m', publicUrl: 'http://x' }
  const { value } = await createJob(context, { projectId, prompt: 'One', personId: ada }, undefined)
  const send = async (personId?: string) => {
    await sendMessage(context, { projectId, jobId: value.job.id, prompt: 'More', personId }, undefined)
  }
  for (const sender of [grace, undefined, ada]) await send(sender)
  const run = await claimNext(db)
  assert.ok(run)
  const deps = { metrics: createMetrics(), redactor: createProcessRedactor(), reached: () => Promise.resolve() }
  const store = createTurnStore(
    { ...toLeased(db, run), deps },
    { takeEdits: () => [], measure: () => ({ files: 0, bytes: 0 }) },
  )
  await store.open(1, [])
  assert.deepEqual(await loadCoAuthors(db, run.id), [])
  await store.saveResults(1, { results: [], finish: { kind: 'change', title: 'A title', summary: 'A summary.' } })
  await send(await addPerson(db, 'Late'))
  await db.deleteFrom('people').execute()
  const lines = ['Co-authored-by: Ada <ada@example.com>', 'Co-authored-by: Grace <grace@example.com>']
  assert.deepEqual(await loadCoAuthors(db, run.id), lines)
})
