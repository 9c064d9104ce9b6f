import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { addProject } from '../../../test/support/database.ts'
import { openTestDatabase } from '../../../test/support/engine.ts'
import { createManualClock } from '../../../test/support/manual-clock.ts'
import { pageView } from '../../../test/support/page-views.ts'
import { sharedStore } from '../../../test/support/test-store.ts'
import type { ClickHouse } from '../../clickhouse/open.ts'
import type { Postgres } from '../../postgres/types.ts'
import { eraseVisitor, type ErasureTarget } from './erase.ts'
import { createIdentify, type Identified, type IdentifiedIn } from '../collect/identify.ts'
import { openImport } from '../import/import-records.ts'
import { insertPageViews } from '../store.ts'

const hour = 3_600_000
const start = new Date('2026-11-21T10:00:00Z')

suite('erasing a visitor', () => {
  let postgres: Postgres
  let store: ClickHouse
  before(async () => {
    postgres = await openTestDatabase()
    store = await sharedStore()
  })
  after(() => postgres.close())

  const open = async (settings: Partial<IdentifiedIn> = {}) => {
    const { db } = postgres
    const clock = createManualClock(start)
    const identify = createIdentify({ db, clock })
    const projectId = await addProject(db)
    const where: IdentifiedIn = { projectId, timeZone: 'UTC', privacy: 'standard', visitorWindow: 'month', ...settings }
    const view = async (client: Partial<Identified>, importId?: string) => {
      const time = clock.now().getTime()
      const whole = { time, address: '192.0.2.7', userAgent: 'Firefox', visitorId: undefined, ...client }
      const [identity] = await identify(where, [whole], importId)
      await insertPageViews(store, [pageView({ projectId, time: whole.time, userAgent: whole.userAgent, ...identity })])
    }
    const left = async () => {
      const rows = await store.read<{ count: number; version: string }>(
        `SELECT count() AS count, toString(sum(cityHash64(view_id, category, agent, verified))) AS version
          FROM page_views WHERE project_id = {projectId:String}`,
        { projectId },
      )
      return rows[0]
    }
    const erase = (who: ErasureTarget) => eraseVisitor({ db, openStore: async () => store }, projectId, who)
    return { db, clock, projectId, view, left, erase }
  }

  test('by address: all user agents and windows that can still be found, and no others', async () => {
    const { view, left, erase, clock, projectId, db } = await open({ visitorWindow: 'day' })
    const yesterday = start.getTime() - 24 * hour
    for (const userAgent of ['Firefox', 'Chrome/1', '', 'odd \0\ud800 "\'\\\u{1f600}']) {
      await view({ userAgent })
      await view({ userAgent, time: yesterday })
    }
    await view({ userAgent: 'Firefox', address: '::ffff:192.0.2.7' })
    const { id: importId } = await openImport(db, projectId, { name: 'a', format: 'combined', fingerprint: 'x' })
    await view({ time: start.getTime() - 30 * 24 * hour }, importId)
    await view({ address: '192.0.2.8' })
    await view({ address: undefined })
    await view({ visitorId: 'ada' })
    const before = await left()
    assert.deepEqual(await erase({ address: '192.0.2.7' }), { visitors: 9, pageViews: 10 })
    const after = await left()
    assert.equal(after?.count, 3)
    assert.notEqual(after.version, before?.version)
    assert.deepEqual(await erase({ address: '192.0.2.7' }), { visitors: 0, pageViews: 0 })
    await view({})
    await clock.pass(1)
    assert.deepEqual(await erase({ address: '::ffff:192.0.2.7' }), { visitors: 1, pageViews: 1 })
  })

  test('by address, of more user agents than are held at once', async () => {
    const { left, erase, clock, db, projectId } = await open()
    const time = clock.now().getTime()
    const clients = Array.from({ length: 12_000 }, (_, n) => ({
      time,
      address: '192.0.2.1',
      userAgent: `agent/${n}`,
      visitorId: undefined,
    }))
    const where: IdentifiedIn = { projectId, timeZone: 'UTC', privacy: 'standard', visitorWindow: 'month' }
    const identities = await createIdentify({ db, clock })(where, clients, undefined)
    const views = clients.map(({ userAgent }, at) => pageView({ projectId, userAgent, ...identities[at] }))
    await insertPageViews(store, views)
    assert.deepEqual(await erase({ address: '192.0.2.1' }), { visitors: 12_000, pageViews: 12_000 })
    assert.equal((await left())?.count, 0)
  })

  test('by the word of the caller, in all windows, and not in another project', async () => {
    const [a, b] = [await open(), await open()]
    for (const { view } of [a, b]) {
      await view({ visitorId: 'ada', userAgent: 'x' })
      await view({ visitorId: 'ada', time: start.getTime() - 200 * 24 * hour })
      await view({ visitorId: 'grace' })
    }
    assert.deepEqual(await a.erase({ visitorId: 'ada' }), { visitors: 1, pageViews: 2 })
    assert.deepEqual([(await a.left())?.count, (await b.left())?.count], [1, 3])
    assert.deepEqual(await a.erase({ visitorId: '192.0.2.7' }), { visitors: 0, pageViews: 0 })
    assert.deepEqual(await (await open()).erase({ visitorId: 'ada' }), { visitors: 0, pageViews: 0 })
  })

  test('by an id under strict privacy: on the days whose salts are there', async () => {
    const { view, erase, left, db, projectId } = await open({ privacy: 'strict', visitorWindow: 'day' })
    for (const days of [0, 1, 0]) await view({ visitorId: 'ada', time: start.getTime() - days * 24 * hour })
    await view({ visitorId: 'grace' })
    await db.deleteFrom('salts').where('project_id', '=', projectId).where('window', '=', 'day:2026-11-20').execute()
    assert.deepEqual(await erase({ visitorId: 'ada' }), { visitors: 1, pageViews: 2 })
    assert.equal((await left())?.count, 2)
  })

  test('an IPv6 address counts as its network of 64 bits', async () => {
    const { view, erase, left } = await open()
    await view({ address: '2001:db8::1' })
    await view({ address: '2001:db8::2' })
    await view({ address: '2001:db8:0:1::1' })
    assert.deepEqual(await erase({ address: '2001:db8::ffff' }), { visitors: 1, pageViews: 2 })
    assert.equal((await left())?.count, 1)
  })

  test('finds neither windows without a salt nor invalid addresses', async () => {
    const { view, erase, left, db, projectId } = await open()
    await view({})
    await db.deleteFrom('salts').where('project_id', '=', projectId).execute()
    for (const address of ['192.0.2.7', 'nowhere', '']) {
      assert.deepEqual(await erase({ address }), { visitors: 0, pageViews: 0 })
    }
    assert.equal((await left())?.count, 1)
  })

  test('the rows are in no part that the store still reads, and its other parts go soon', async () => {
    const { view, erase, projectId } = await open()
    const secret = `ErasureResult-${projectId}`
    await view({ userAgent: secret })
    await view({ userAgent: 'Other', address: '192.0.2.8' })
    const holding = async () => {
      const parts = await store.read<{ path: string }>(
        `SELECT path FROM system.parts WHERE table = 'page_views' AND active AND rows > 0`,
        {},
      )
      const found = await Promise.all(parts.map(({ path }) => holds(path, secret)))
      return found.filter(Boolean).length
    }
    assert.ok((await holding()) > 0)
    await erase({ address: '192.0.2.7' })
    assert.equal(await holding(), 0)
    const [table] = await store.read<{ sql: string }>(
      `SELECT create_table_query AS sql FROM system.tables WHERE name = 'page_views'`,
      {},
    )
    assert.match(table?.sql ?? '', /old_parts_lifetime = 10\b/)
  })
})

async function holds(folder: string, text: string): Promise<boolean> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true })
  const found = files.filter((file) => file.isFile()).map((file) => readFile(join(file.parentPath, file.name)))
  return (await Promise.all(found)).some((content) => content.includes(text))
}
