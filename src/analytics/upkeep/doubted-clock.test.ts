// Everything that is deleted or closed by age, with a clock that the real guard doubts: nothing happens until the operator
// accepts the clock, and then everything does.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { addJob, addProject, completeJob } from '../../../test/support/database.ts'
import { openTestDatabase } from '../../../test/support/engine.ts'
import { createManualClock } from '../../../test/support/manual-clock.ts'
import { pageView } from '../../../test/support/page-views.ts'
import { sharedStore } from '../../../test/support/test-store.ts'
import { sweep as sweepJobs } from '../../jobs/upkeep/sweep.ts'
import { createLog } from '../../lib/observability/log.ts'
import type { Db } from '../../postgres/types.ts'
import { once } from '../../requests/idempotency.ts'
import { consume } from '../../requests/rate-limits.ts'
import { createTimeGuard } from '../../time-guard/time-guard.ts'
import { openImport } from '../import/import-records.ts'
import { insertPageViews } from '../store.ts'
import { createSaltSweep, sweepImports, sweepRetention } from './sweep.ts'

const day = 24 * 3_600_000
const log = createLog('silent')

/** Adds one of each thing that goes by age, as of now. */
async function addAll(db: Db, now: Date): Promise<string> {
  const projectId = await addProject(db)
  await db.updateTable('projects').set({ retention_months: 1 }).where('id', '=', projectId).execute()
  await insertPageViews(await sharedStore(), [pageView({ projectId, time: now.getTime(), userAgent: 'Cursor/1' })])
  await completeJob(db, await addJob(db, projectId))
  const { id } = await openImport(db, projectId, { name: 'a', format: 'combined', fingerprint: projectId })
  const salt = { project_id: projectId, salt: Buffer.alloc(32, 1), window: 'day:2026-01-01' }
  await db
    .insertInto('salts')
    .values([
      { ...salt, import_id: id, destroy_at: null },
      { ...salt, import_id: '', destroy_at: new Date(now.getTime() + 2 * day) },
    ])
    .execute()
  await once(db, { principal: projectId, key: 'k', hash: 'h' }, async () => 1)
  await consume(db, { name: 'creates', quota: 9 }, projectId)
  return projectId
}

/** Counts the things of a project that are left. */
async function left(db: Db, projectId: string) {
  const store = await sharedStore()
  const sql = `SELECT count() AS views, countIf(user_agent != '') AS signals FROM page_views
    WHERE project_id = {projectId:String}`
  const [stored] = await store.read(sql, { projectId })
  const records = await db.selectFrom('idempotency').select('key').where('principal', '=', projectId).execute()
  const counts = await db.selectFrom('rate_limits').select('key').where('key', 'like', `%${projectId}`).execute()
  const job = await db.selectFrom('jobs').select('status').where('project_id', '=', projectId).executeTakeFirst()
  const imports = await db.selectFrom('imports').select('finished_at').where('project_id', '=', projectId).execute()
  const salts = await db.selectFrom('salts').select('import_id').where('project_id', '=', projectId).execute()
  const importSalts = salts.filter(({ import_id }) => import_id !== '').length
  return {
    stored,
    records: records.length,
    counts: counts.length,
    job: job?.status,
    openImports: imports.filter(({ finished_at }) => finished_at === null).length,
    importSalts,
    liveSalts: salts.length - importSalts,
  }
}

test('with a doubted clock nothing goes by age; with the accepted one all of it does', async (t) => {
  const postgres = await openTestDatabase()
  t.after(() => postgres.close())
  const { db } = postgres
  // Rate limits and idempotency records go by the time of the database.
  const { rows } = await sql<{ now: Date }>`select now()`.execute(db)
  const clock = createManualClock(rows[0]?.now)
  const guard = createTimeGuard({ postgres: { db }, clock, log })
  const { upkeepTime } = guard
  assert.ok(await upkeepTime())
  const openStoreIfThere = () => sharedStore()
  const options = { db, openStoreIfThere, clock, upkeepTime, log, signal: new AbortController().signal }
  const sweepAll = async () => {
    await createSaltSweep()(options)
    await sweepImports(options)
    await sweepRetention(options)
    await sweepJobs({ db, log, archiveAfterDays: 90, upkeepTime })
  }
  const projectId = await addAll(db, clock.now())
  const whole = {
    stored: { views: 1, signals: 1 },
    records: 1,
    counts: 1,
    job: 'completed',
    openImports: 1,
    importSalts: 1,
    liveSalts: 1,
  }
  assert.deepEqual(await left(db, projectId), whole)
  await clock.pass(400 * day)
  await sweepAll()
  assert.equal(guard.state().kind, 'doubted')
  assert.deepEqual(await left(db, projectId), whole)
  await guard.accept()
  await sweepAll()
  const gone = { views: 0, signals: 0 }
  assert.deepEqual(await left(db, projectId), {
    stored: gone,
    records: 0,
    counts: 0,
    job: 'archived',
    openImports: 0,
    importSalts: 0,
    liveSalts: 0,
  })
})
