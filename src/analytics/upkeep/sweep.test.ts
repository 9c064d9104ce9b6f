import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { sql } from 'kysely'
import { addProject } from '../../../test/support/database.ts'
import { openTestDatabase } from '../../../test/support/engine.ts'
import { createManualClock } from '../../../test/support/manual-clock.ts'
import { pageView } from '../../../test/support/page-views.ts'
import { sharedStore } from '../../../test/support/test-store.ts'
import { removeFolder, temporaryFolder } from '../../../test/support/temporary.ts'
import { openLazily } from '../../clickhouse/lazy.ts'
import type { ClickHouse } from '../../clickhouse/open.ts'
import { createLog } from '../../lib/observability/log.ts'
import type { Db, Postgres } from '../../postgres/types.ts'
import { text } from '../../clickhouse/literal.ts'
import { deleteProject } from '../../projects/projects.ts'
import { keepAutomatedDays, readAutomated } from '../automated-days.ts'
import { finishImport, openImport } from '../import/import-records.ts'
import { insertPageViews } from '../store.ts'
import {
  type AnalyticsSweepOptions,
  createSaltSweep,
  keepSweepingAnalytics,
  sweepDeletedProjects,
  sweepImports,
  sweepRetention,
  sweepStrict,
} from './sweep.ts'

async function insertPaths(projectId: string, days: readonly string[]): Promise<void> {
  const values = days.map((day) => `(${text(projectId)}, ${text(`/${day}`)}, ${text(day)})`)
  await (await sharedStore()).command(`INSERT INTO paths (project_id, path, first_day) VALUES ${values.join(', ')}`)
}

const hour = 3_600_000
const day = 24 * hour
const log = createLog('silent')

suite('the sweep of page views', () => {
  let postgres: Postgres
  let store: ClickHouse
  before(async () => {
    postgres = await openTestDatabase()
    store = await sharedStore()
  })
  after(() => postgres.close())

  /** The clock starts at a fixed time, or at the database's own where the database stamps the rows of a test. */
  const open = async (start: Date | 'database time' = new Date('2026-11-21T10:00:00Z')) => {
    const { db } = postgres
    // A sweep visits every project: those of earlier tests would only take time.
    await db.deleteFrom('projects').execute()
    const clock = createManualClock(start === 'database time' ? await readTime(db) : start)
    const stopping = new AbortController()
    const options: AnalyticsSweepOptions = {
      db,
      openStoreIfThere: async () => store,
      clock,
      upkeepTime: async () => clock.now(),
      log,
      signal: stopping.signal,
    }
    const projectId = await addProject(db)
    const rows = () =>
      store.read<{ path: string; user_agent: string; signals: string; agent: string; visitor: string }>(
        `SELECT path, user_agent, signals, agent, toString(visitor) AS visitor FROM page_views
          WHERE project_id = {projectId:String} ORDER BY time`,
        { projectId },
      )
    return { db, clock, stopping, options, projectId, rows }
  }

  test("page views are deleted after the retention, in days of the project's zone", async () => {
    const { db, options, projectId, rows } = await open()
    const other = await addProject(db)
    await db
      .updateTable('projects')
      .set({ retention_months: 2, time_zone: 'Asia/Kolkata', signal_retention_days: 60 })
      .where('id', '=', projectId)
      .execute()
    const times = ['2026-09-20T18:29:59.999Z', '2026-09-20T18:30:00Z', '2026-11-20T00:00:00Z']
    for (const id of [projectId, other]) {
      await insertPageViews(
        store,
        times.map((time) => pageView({ projectId: id, path: `/${time.slice(0, 13)}`, time: Date.parse(time) })),
      )
    }
    await sweepRetention(options)
    assert.deepEqual(
      (await rows()).map(({ path }) => path),
      ['/2026-09-20T18', '/2026-11-20T00'],
    )
    const left = await store.read('SELECT count() AS n FROM page_views WHERE project_id = {other:String}', { other })
    assert.deepEqual(left, [{ n: 3 }])
  })

  test('the counts of automated page views leave with the page views', async () => {
    const { db, options, projectId } = await open()
    await db.updateTable('projects').set({ retention_months: 2 }).where('id', '=', projectId).execute()
    const days = ['2026-09-20', '2026-09-21', '2026-11-21'].map((one) => ({ day: one, pageViews: 1, of: 10 }))
    await keepAutomatedDays(db, projectId, days)
    await sweepRetention(options)
    const range = { dateFrom: '2026-01-01', dateTo: '2027-01-01', human: ['browser'], source: 'both' } as const
    assert.equal((await readAutomated(db, { projectId, ...range }))?.of, 20)
  })

  test('paths that were new before the retention leave with it', async () => {
    const { db, options, projectId } = await open()
    await db.updateTable('projects').set({ retention_months: 2 }).where('id', '=', projectId).execute()
    const days = ['2026-09-20', '2026-09-21', '2026-11-21']
    await insertPaths(projectId, days)
    await sweepRetention(options)
    const sql = 'SELECT path FROM paths WHERE project_id = {projectId:String} ORDER BY path'
    assert.deepEqual(await store.read(sql, { projectId }), [{ path: '/2026-09-21' }, { path: '/2026-11-21' }])
  })

  test('user agent and signals go before that, and nothing else', async () => {
    const { db, options, projectId, rows } = await open()
    await db.updateTable('projects').set({ signal_retention_days: 10 }).where('id', '=', projectId).execute()
    const view = { projectId, agent: 'Cursor', visitor: 7n, userAgent: 'Cursor/1', signals: { accept: '*/*' } }
    await insertPageViews(store, [
      pageView({ ...view, path: '/old', time: Date.parse('2026-11-10T23:59:59.999Z') }),
      pageView({ ...view, path: '/kept', time: Date.parse('2026-11-11T00:00:00Z') }),
    ])
    const version = () =>
      store.read(
        `SELECT count() AS n, toString(sum(cityHash64(view_id, category, agent, verified))) AS v FROM page_views
          WHERE project_id = {projectId:String}`,
        { projectId },
      )
    const before = await version()
    await sweepRetention(options)
    await sweepRetention(options)
    const same = { agent: 'Cursor', visitor: '7' }
    assert.deepEqual(await rows(), [
      { ...same, path: '/old', user_agent: '', signals: '' },
      { ...same, path: '/kept', user_agent: 'Cursor/1', signals: '{"accept":"*/*"}' },
    ])
    assert.deepEqual(await version(), before, 'no answer changes')
  })

  test('strict privacy clears what it does not keep of earlier page views, once', async () => {
    const { db, clock, options, projectId } = await open()
    const other = await addProject(db)
    await db.updateTable('projects').set({ privacy: 'strict' }).where('id', '=', projectId).execute()
    const ids = { agent: 'Cursor', visitor: 7n, saltWindow: 'month:2026-11' }
    const of404 = { referrer: 'docs.example.com', referrerPath: '/start' }
    const dimensions = { country: 'DE', language: 'de', device: 'tv', browser: 'Edge', os: 'Windows', title: 'Home' }
    const rest = { ...of404, ...dimensions, campaign: 'ref=x', userAgent: 'x', signals: { accept: '*/*' } }
    await insertPaths(projectId, ['2026-11-20'])
    const title = `(${text(projectId)}, 'title Home', '2026-11-20')`
    await store.command(`INSERT INTO paths (project_id, path, first_day) VALUES ${title}`)
    for (const id of [projectId, other]) {
      const views = [ids, { ...ids, ...rest, path: '/all' }]
      await insertPageViews(
        store,
        views.map((view) => pageView({ ...view, projectId: id, time: clock.now().getTime() })),
      )
    }
    const read = async (id: string) =>
      store.read<Record<string, unknown>>(
        'SELECT * EXCEPT (project_id, view_id, time) FROM page_views WHERE project_id = {id:String} ORDER BY path',
        { id },
      )
    const [before, ofOther] = [await read(projectId), await read(other)]
    await sweepStrict(options)
    const emptied = Object.fromEntries(
      ['referrer', 'referrer_path', 'user_agent', 'signals', 'campaign', ...Object.keys(dimensions)].map((name) => [
        name,
        '',
      ]),
    )
    assert.deepEqual(
      await read(projectId),
      before.map((row) => ({ ...row, ...emptied })),
    )
    assert.deepEqual(await read(other), ofOther)
    const paths = 'SELECT path FROM paths WHERE project_id = {projectId:String}'
    assert.deepEqual(await store.read(paths, { projectId }), [{ path: '/2026-11-20' }])
    const quiet: ClickHouse = { ...store, rewrite: () => Promise.reject(new Error('written')) }
    await sweepStrict({ ...options, openStoreIfThere: async () => quiet })
  })

  test('nothing due: nothing is written', async () => {
    const { clock, options, projectId } = await open()
    await insertPageViews(store, [pageView({ projectId, time: clock.now().getTime() })])
    const quiet: ClickHouse = { ...store, rewrite: () => Promise.reject(new Error('written')) }
    await sweepRetention({ ...options, openStoreIfThere: async () => quiet })
    await sweepDeletedProjects({ ...options, openStoreIfThere: async () => quiet })
  })

  test('deleting a project deletes its page views, even those that arrive late', async () => {
    const { db, clock, options, projectId, rows } = await open('database time')
    const view = () => insertPageViews(store, [pageView({ projectId })])
    await view()
    await insertPaths(projectId, ['2026-11-20'])
    await deleteProject(db, projectId)
    await assert.rejects(deleteProject(db, projectId), { code: 'not_found' })
    await clock.pass(hour / 2)
    await sweepDeletedProjects(options)
    assert.deepEqual(await rows(), [])
    const paths = await store.read('SELECT count() AS n FROM paths WHERE project_id = {projectId:String}', {
      projectId,
    })
    assert.deepEqual(paths, [{ n: 0 }])
    await view()
    await clock.pass(hour)
    await sweepDeletedProjects(options)
    assert.deepEqual(await rows(), [])
    assert.deepEqual(await db.selectFrom('deleted_projects').select('project_id').execute(), [])
  })

  test('a project that is deleted in a transaction that fails is not put down', async () => {
    const { db, projectId } = await open()
    const failing = db.transaction().execute(async (trx) => {
      await deleteProject(trx, projectId)
      throw new Error('no')
    })
    await assert.rejects(failing, /no/)
    assert.deepEqual(await db.selectFrom('deleted_projects').select('project_id').execute(), [])
  })

  test('imports without activity for a week are finished, and their salts destroyed', async () => {
    const { db, clock, options, projectId } = await open('database time')
    const { id } = await openImport(db, projectId, { name: 'a', format: 'combined', fingerprint: 'a' })
    const salt = { project_id: projectId, window: 'day:2026-01-01', import_id: id, salt: Buffer.alloc(32, 1) }
    await db
      .insertInto('salts')
      .values({ ...salt, destroy_at: null })
      .execute()
    const salts = () => db.selectFrom('salts').select('window').where('project_id', '=', projectId).execute()
    await clock.pass(7 * day - hour)
    await sweepImports(options)
    assert.equal((await salts()).length, 1)
    await clock.pass(2 * hour)
    await sweepImports(options)
    assert.deepEqual(await salts(), [])
    assert.notEqual((await openImport(db, projectId, { name: 'a', format: 'combined', fingerprint: 'a' })).id, id)
  })

  test('salts left by two imports of a group that finished together are destroyed', async () => {
    const { db, options, projectId } = await open('database time')
    const { id } = await openImport(db, projectId, { name: 'a', format: 'combined', fingerprint: 'b' })
    await finishImport(db, { projectId, importId: id })
    const salt = { project_id: projectId, window: 'day:2026-01-01', import_id: id, salt: Buffer.alloc(32, 1) }
    await db
      .insertInto('salts')
      .values({ ...salt, destroy_at: null })
      .execute()
    await sweepImports(options)
    assert.deepEqual(await db.selectFrom('salts').select('window').where('project_id', '=', projectId).execute(), [])
  })

  test('salts are destroyed when their time is over', async () => {
    const { db, clock, options, projectId } = await open()
    const row = { project_id: projectId, salt: Buffer.alloc(32, 1) }
    const due = new Date(clock.now().getTime() + hour)
    await db
      .insertInto('salts')
      .values([
        { ...row, window: 'day:2026-01-01', destroy_at: due },
        { ...row, window: 'never', destroy_at: null },
      ])
      .execute()
    const sweepSalts = createSaltSweep()
    const left = async () =>
      (await db.selectFrom('salts').select('window').where('project_id', '=', projectId).execute()).length
    await sweepSalts(options)
    assert.equal(await left(), 2)
    await clock.pass(hour)
    await sweepSalts(options)
    assert.equal(await left(), 1)
  })

  test('a store that was never used is not made', async () => {
    const { options, db, projectId } = await open()
    const folder = await temporaryFolder('never-used')
    try {
      for (const directory of [folder, join(folder, 'clickhouse')]) {
        assert.equal(await openLazily({ kind: 'embedded', directory }).openIfThere(), undefined)
      }
      assert.deepEqual(await readdir(folder), [])
    } finally {
      await removeFolder(folder)
    }
    const none = { ...options, openStoreIfThere: async () => undefined }
    await sweepRetention(none)
    await deleteProject(db, projectId)
    await sweepDeletedProjects(none)
    await options.db.deleteFrom('deleted_projects').execute()
  })

  test('two sweeps at once continue after a failure and end when they are aborted', async () => {
    const { options, clock, stopping, projectId, rows, db } = await open('database time')
    await insertPageViews(store, [pageView({ projectId })])
    await deleteProject(db, projectId)
    const failures = { left: 2 }
    const openStoreIfThere = async () => {
      failures.left -= 1
      if (failures.left >= 0) throw new Error('away')
      return store
    }
    const swept = [1, 2].map(() => keepSweepingAnalytics({ ...options, openStoreIfThere }))
    await clock.untilAsleep(8)
    await clock.pass(hour + 60_000)
    await clock.untilAsleep(8)
    stopping.abort()
    await Promise.all(swept)
    assert.deepEqual(await rows(), [])
  })
})

async function readTime(db: Db): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select now()`.execute(db)
  return rows[0]?.now ?? assert.fail('the database gave no time')
}
