import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { after, before, suite, test } from 'node:test'
import { addProject } from '../../../test/support/database.ts'
import { engine, openTestDatabase, sharedServer } from '../../../test/support/engine.ts'
import { createManualClock } from '../../../test/support/manual-clock.ts'
import { removeFolder, temporaryFolder } from '../../../test/support/temporary.ts'
import { createId } from '../../lib/id.ts'
import { createLog } from '../../lib/observability/log.ts'
import { openPostgres } from '../../postgres/open.ts'
import type { Postgres } from '../../postgres/types.ts'
import { deleteProject } from '../../projects/projects.ts'
import { finishImport } from '../import/import-records.ts'
import { cleanSalts, createSalts, destroyDueSalts, type Salt } from './salts.ts'
import { windowOf } from './window.ts'

const hour = 3_600_000
const start = new Date('2026-11-21T10:00:00Z')
const today = windowOf('day', 'UTC', start.getTime())
const isSame = (a: Salt, b: Salt) => a.key.equals(b.key)

suite('salts', () => {
  let postgres: Postgres
  before(async () => {
    postgres = await openTestDatabase()
  })
  after(() => postgres.close())

  const open = async (db = postgres.db) => {
    const clock = createManualClock(start)
    const forgotten: Salt[] = []
    const salts = createSalts({ db, clock }, (salt) => void forgotten.push(salt))
    const projectId = await addProject(db)
    const find = (window = today, importId?: string) => salts.find({ projectId, window, importId })
    return { db, clock, forgotten, projectId, find }
  }
  const addImport = async (projectId: string, finishedAt: Date | null = null) => {
    const now = start
    const id = createId('imp')
    const row = { id, group_id: id, project_id: projectId, name: 'a.log', fingerprint: id, format: 'combined' }
    const values = { ...row, created_at: now, updated_at: now, finished_at: finishedAt }
    await postgres.db.insertInto('imports').values(values).execute()
    return id
  }

  test('is created once and is the same for all concurrent requests', async () => {
    const { projectId, find, db } = await open()
    const many = Array.from({ length: 4 }, () => createSalts({ db, clock: createManualClock(start) }, () => undefined))
    const asked = many.flatMap((salts) =>
      [1, 2].map(() => salts.find({ projectId, window: today, importId: undefined })),
    )
    const found = await Promise.all([...asked, find()])
    for (const salt of found) assert.ok(isSame(salt, found[0]))
    const rows = await db
      .selectFrom('salts')
      .select(['salt', 'destroy_at'])
      .where('project_id', '=', projectId)
      .execute()
    assert.equal(rows.length, 1)
    assert.equal(rows[0]?.salt.length, 32)
    assert.equal(rows[0]?.destroy_at?.toISOString(), '2026-11-24T00:00:00.000Z')
    assert.doesNotMatch(inspect(found[0], { depth: 9 }), new RegExp(Buffer.from(rows[0]?.salt ?? []).toString('hex')))
  })

  const none = () => Promise.resolve()
  const onlyOnServer = engine === 'embedded' ? none : test
  const onlyEmbedded = engine === 'embedded' ? test : none

  void onlyOnServer('two servers on one database agree', async () => {
    const url = await (await sharedServer()).createDatabase()
    const place = { kind: 'server', url, connections: 5, log: createLog('silent') } as const
    const [a, b] = [await openPostgres(place), await openPostgres(place)]
    try {
      const projectId = await addProject(a.db)
      for (let day = 0; day < 20; day += 1) {
        const window = windowOf('day', 'UTC', start.getTime() - 24 * hour + day * 60_000 * 60 * 24)
        const [one, other] = await Promise.all(
          [a, b].map(({ db }) =>
            createSalts({ db, clock: createManualClock(start) }, () => undefined).find({
              projectId,
              window,
              importId: undefined,
            }),
          ),
        )
        assert.ok(one && other && isSame(one, other))
      }
    } finally {
      await a.close()
      await b.close()
    }
  })

  test('a copy in memory is not used after its time, even if the row still exists', async () => {
    const { clock, find, forgotten } = await open()
    const salt = await find()
    assert.equal(await find(), salt)
    await clock.pass(62 * hour - 1)
    assert.ok(isSame(await find(), salt))
    await clock.pass(1)
    const after = [await find(), await find()]
    assert.ok(after.every((one) => !isSame(one, salt) && !one.isKept))
    assert.ok(!isSame(after[0] as Salt, after[1] as Salt))
    await find(windowOf('day', 'UTC', clock.now().getTime()))
    assert.ok(forgotten.includes(salt))
  })

  test('a row that was destroyed elsewhere is noticed within a minute', async () => {
    const { clock, find, forgotten, db, projectId } = await open()
    const salt = await find()
    await db.deleteFrom('salts').where('project_id', '=', projectId).execute()
    assert.equal(await find(), salt)
    await clock.pass(60_000)
    assert.ok(!isSame(await find(), salt))
    assert.deepEqual(forgotten, [salt])
  })

  test('keeps the end that it was made with when the zone changes', async () => {
    const { clock, find } = await open()
    const salt = await find(windowOf('day', 'Pacific/Kiritimati', start.getTime() - 10 * hour))
    const longer = windowOf('day', 'Pacific/Honolulu', start.getTime())
    assert.equal(longer.name, 'day:2026-11-21')
    assert.ok(isSame(await find(longer), salt))
    await clock.pass(48 * hour - 1)
    assert.ok(isSame(await find(longer), salt))
    await clock.pass(1)
    assert.ok(!isSame(await find(longer), salt))
  })

  test('is destroyed 48 hours after its window, unless the window has no end', async () => {
    const { clock, find, db, projectId } = await open()
    const never = await find(windowOf('never', 'UTC', 0))
    await find()
    const importId = await addImport(projectId)
    await find(windowOf('day', 'UTC', start.getTime() - 99 * 24 * hour), importId)
    const windows = async () => {
      const rows = await db.selectFrom('salts').select('window').where('project_id', '=', projectId).execute()
      return rows.map(({ window }) => window).toSorted()
    }
    await clock.pass(62 * hour - 1)
    await destroyDueSalts(db, clock.now())
    assert.deepEqual(await windows(), ['day:2026-08-14', 'day:2026-11-21', 'never'])
    await clock.pass(1)
    assert.ok((await destroyDueSalts(db, clock.now())) >= 1)
    assert.equal(await destroyDueSalts(db, clock.now()), 0)
    assert.deepEqual(await windows(), ['day:2026-08-14', 'never'])
    await finishImport(db, { projectId, importId })
    assert.deepEqual(await windows(), ['never'])
    await clock.pass(1_000 * 24 * hour)
    assert.ok(isSame(await find(windowOf('never', 'UTC', 0)), never))
    await deleteProject(db, projectId)
    assert.deepEqual(await windows(), [])
  })

  test('is not made for an unknown project, or a finished, unknown or foreign import', async () => {
    const { find, projectId, db, clock } = await open()
    const closed = windowOf('day', 'UTC', start.getTime() - 9 * 24 * hour)
    const gone = { code: 'not_found' }
    await assert.rejects(
      createSalts({ db, clock }, () => undefined).find({ projectId: 'prj_x', window: today, importId: undefined }),
      gone,
    )
    const foreign = await addImport(await addProject(db))
    for (const importId of ['imp_x', await addImport(projectId, start), foreign]) {
      await assert.rejects(find(closed, importId), gone)
    }
    assert.ok((await find(closed, await addImport(projectId))).isKept)
  })

  void onlyEmbedded('the bytes of a destroyed salt are in no file of its table', async () => {
    const directory = await temporaryFolder('salts')
    const own = await openPostgres({ kind: 'embedded', directory })
    try {
      const { find, db } = await open(own.db)
      await find(windowOf('never', 'UTC', 0))
      await find()
      const rows = await db.selectFrom('salts').select(['salt', 'window']).orderBy('window').execute()
      const [due, kept] = rows.map(({ salt }) => Buffer.from(salt))
      assert.ok(due && kept)
      await destroyDueSalts(db, new Date(start.getTime() + 999 * hour))
      await cleanSalts(db)
      await own.close()
      const files = await readdir(join(directory, 'base'), { recursive: true, withFileTypes: true })
      const holds = async (bytes: Buffer) => {
        const found = files.filter((file) => file.isFile()).map((file) => readFile(join(file.parentPath, file.name)))
        return (await Promise.all(found)).some((content) => content.includes(bytes))
      }
      assert.equal(await holds(due), false)
      assert.equal(await holds(kept), true)
    } finally {
      await own.close()
      await removeFolder(directory)
    }
  })
})
