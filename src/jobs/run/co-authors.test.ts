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
import { writeAsRun } from '../queue/lease.ts'
import { findCoAuthors, loadCoAuthors } from './co-authors.ts'
import { createTurnStore, takeMessages } from './turns.ts'

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

test('people are named in private repositories only, if the project says so', async (t) => {
  const postgres = await openTestDatabase()
  t.after(() => postgres.close())
  const { db } = postgres
  const ada = await addPerson(db, 'Ada')
  const named = async (
    coAuthors: 'private' | 'people' | 'nobody',
    repository: string,
    access: string | null | undefined,
  ) => {
    const projectId = await addProject(db, repository)
    await db.updateTable('projects').set({ co_authors: coAuthors }).where('id', '=', projectId).execute()
    const at = new Date()
    const row = {
      project_id: projectId,
      kind: 'token',
      forge: 'github',
      secret: 'x',
      created_at: at,
      updated_at: at,
    } as const
    if (access !== undefined)
      await db
        .insertInto('credentials')
        .values({ ...row, access })
        .execute()
    const context = { db, clock: systemClock, modelId: 'm/m', publicUrl: 'http://x' }
    await createJob(context, { projectId, prompt: 'One', personId: ada }, undefined)
    const run = await claimNext(db)
    assert.ok(run)
    await writeAsRun(toLeased(db, run), (trx, row) => takeMessages(trx, row))
    return (JSON.parse(await db.transaction().execute((trx) => findCoAuthors(trx, run))) as string[]).length > 0
  }
  const https = 'https://example.com/docs.git'
  const said = (facts: object) => JSON.stringify({ rights: {}, facts })
  assert.equal(await named('private', https, said({ isPublic: false })), true)
  assert.equal(await named('private', https, said({ isPublic: true })), false)
  assert.equal(await named('private', https, said({})), false, 'not known')
  assert.equal(await named('private', https, null), false, 'not checked')
  assert.equal(await named('private', https, undefined), false, 'everybody may read it')
  assert.equal(await named('private', 'file:///srv/docs.git', undefined), true)
  assert.equal(await named('people', https, said({ isPublic: true })), true)
  assert.equal(await named('nobody', https, said({ isPublic: false })), false)
})
