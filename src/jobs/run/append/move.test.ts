import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { addProject, claimNext, toLeased } from '../../../../test/support/database.ts'
import { openTestDatabase } from '../../../../test/support/engine.ts'
import { systemClock } from '../../../lib/clock.ts'
import { createWebhook } from '../../../notifications/webhooks/webhooks.ts'
import type { Postgres } from '../../../postgres/types.ts'
import { operator } from '../../../projects/keys.ts'
import { loadWaiting } from '../../appends/contribution.ts'
import { createJob } from '../../create.ts'
import { settingColumns } from '../../options/settings.ts'
import { moveToNewJob } from './move.ts'

let postgres: Postgres
before(async () => {
  postgres = await openTestDatabase()
})
after(() => postgres.close())

/** Moves the only message of a job, a run of an automation. Returns both jobs. */
async function move(projectId: string) {
  const { db } = postgres
  const contribution = { runId: 'aru_1', by: 'test', ranges: [], because: null }
  const context = { db, clock: systemClock, modelId: 'test/model', publicUrl: '' }
  const { value } = await createJob(context, { projectId, prompt: 'Do it.', contribution, ...settings }, undefined)
  let run = await claimNext(db)
  // Moved runs of other tests wait, too.
  while (run && run.job_id !== value.job.id) run = await claimNext(db)
  assert.ok(run)
  const [job, project] = [
    await db.selectFrom('jobs').selectAll().where('id', '=', value.job.id).executeTakeFirstOrThrow(),
    await db.selectFrom('projects').selectAll().where('id', '=', projectId).executeTakeFirstOrThrow(),
  ]
  const waiting = await loadWaiting(db, job.id)
  const moved = await moveToNewJob(
    { ...toLeased(db, run), deps: {}, job, project },
    { waiting, because: 'It is full.' },
  )
  assert.equal(moved, 'ended')
  const others = db.selectFrom('jobs').selectAll().where('project_id', '=', projectId).where('id', '<>', job.id)
  return { job, other: await others.executeTakeFirstOrThrow() }
}

const settings = {
  model: undefined,
  context: [],
  limits: { budget: { turns: 3 }, scope: ['docs/**'], redirects: 2 },
} as const

test('a moved run has all settings of its job', async () => {
  const { other } = await move(await addProject(postgres.db))
  const expected = settingColumns(settings)
  const names = Object.keys(expected) as (keyof typeof expected)[]
  assert.deepEqual(Object.fromEntries(names.map((name) => [name, other[name]])), expected)
})

test('the end of a run that moved is notified of, once', async () => {
  const { db } = postgres
  const projectId = await addProject(db)
  const context = { db, clock: systemClock, secrets: { encrypt: () => 'x' }, privateHosts: [] }
  await createWebhook(context, operator, projectId, { url: 'https://example.com/' })
  const { job } = await move(projectId)
  const rows = await db.selectFrom('notifications').selectAll().where('project_id', '=', projectId).execute()
  assert.deepEqual(
    rows.map(({ type, data }) => [type, (JSON.parse(data) as { readonly job: { readonly id: string } }).job.id]),
    [['job.completed', job.id]],
  )
})
