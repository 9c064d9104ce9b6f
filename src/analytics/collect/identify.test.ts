import assert from 'node:assert/strict'
import { createSecretKey } from 'node:crypto'
import { after, before, suite, test } from 'node:test'
import fc from 'fast-check'
import { addProject } from '../../../test/support/database.ts'
import { openTestDatabase } from '../../../test/support/engine.ts'
import { createManualClock } from '../../../test/support/manual-clock.ts'
import { createId } from '../../lib/id.ts'
import type { Postgres } from '../../postgres/types.ts'
import { createIdentify, type Identified, type IdentifiedIn, visitorOfClient, visitorOfId } from './identify.ts'

const hour = 3_600_000
const start = new Date('2026-11-21T10:00:00Z')
const at = (text: string) => new Date(text).getTime()
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'

suite('who a visitor is', () => {
  let postgres: Postgres
  before(async () => {
    postgres = await openTestDatabase()
  })
  after(() => postgres.close())

  const open = async (settings: Partial<IdentifiedIn> = {}) => {
    const { db } = postgres
    const clock = createManualClock(start)
    const identify = createIdentify({ db, clock })
    const projectId = await addProject(db)
    const where: IdentifiedIn = { projectId, timeZone: 'UTC', privacy: 'standard', visitorWindow: 'month', ...settings }
    const one = async (client: Partial<Identified>, importId?: string) => {
      const time = clock.now().getTime()
      const whole = { time, address: '192.0.2.7', userAgent: firefox, visitorId: undefined, ...client }
      const [identity] = await identify(where, [whole], importId)
      assert.ok(identity !== undefined)
      return identity.visitor
    }
    return { db, clock, identify, projectId, where, one }
  }
  const addImport = async (projectId: string) => {
    const now = start
    const id = createId('imp')
    const row = { id, group_id: id, project_id: projectId, name: 'a.log', fingerprint: id, format: 'combined' }
    await postgres.db
      .insertInto('imports')
      .values({ ...row, created_at: now, updated_at: now })
      .execute()
    return id
  }

  test('one address and user agent are one visitor, however the address is written', async () => {
    const { one } = await open()
    const table: [string, string, boolean][] = [
      ['192.0.2.7', '::ffff:192.0.2.7', true],
      ['192.0.2.7', '::ffff:c000:207', true],
      ['192.0.2.7', '192.0.2.8', false],
      ['2001:db8:1:2::1', '2001:0DB8:1:2:ffff:ffff:ffff:ffff', true],
      ['2001:db8:1:2::1', '2001:db8:1:3::1', false],
      ['fe80::1%eth0', 'fe80::2', true],
      ['::1', '::ffff:0.0.0.0', false],
      ['0.0.0.0', '::', false],
    ]
    for (const [a, b, isSame] of table) {
      assert.equal((await one({ address: a })) === (await one({ address: b })), isSame, `${a} ${b}`)
    }
    assert.notEqual(await one({ userAgent: '' }), await one({}))
    assert.notEqual(await one({ userAgent: '' }), 0n)
  })

  test('an unreadable address gives no visitor and does not throw', async () => {
    const { one } = await open()
    for (const address of [
      undefined,
      '',
      'unknown',
      '192.0.2.0/24',
      '192.0.2.7:80',
      '192.0.2.7%eth0',
      '::/0',
      'a:b',
      '%',
    ]) {
      assert.equal(await one({ address }), 0n, address)
    }
    assert.equal(await one({ address: undefined, visitorId: '' }), 0n)
    const address = fc.oneof(fc.string({ unit: 'binary' }), fc.ipV4(), fc.ipV6(), fc.ipV4Extended())
    const client = fc.record({ address, userAgent: fc.string({ unit: 'binary' }) })
    await fc.assert(
      fc.asyncProperty(client, async (some) => {
        assert.ok((await one(some)) >= 0n)
      }),
      { numRuns: 200 },
    )
  })

  test('a visitorId identifies a visitor at any address, and never equals a client', async () => {
    const { one, clock } = await open({ visitorWindow: 'day' })
    const ada = await one({ visitorId: 'ada' })
    assert.equal(await one({ visitorId: 'ada', address: '203.0.113.9', userAgent: 'x' }), ada)
    assert.equal(await one({ visitorId: 'ada', address: undefined }), ada)
    assert.notEqual(await one({ visitorId: 'Ada' }), ada)
    assert.notEqual(await one({}), ada)
    await clock.pass(400 * 24 * hour)
    assert.equal(await one({ visitorId: 'ada' }), ada)
  })

  test('parts cannot be shifted into one another', async () => {
    const { one } = await open()
    const word = fc.string({ maxLength: 3, unit: fc.constantFrom('1', ':', ' ', '4') })
    await fc.assert(
      fc.asyncProperty(word, word, async (a, b) => {
        const isSame = (await one({ userAgent: a })) === (await one({ userAgent: b }))
        assert.equal(isSame, a === b)
      }),
    )
  })

  test('projects share no visitor', async () => {
    const [a, b] = [await open({ visitorWindow: 'never' }), await open({ visitorWindow: 'never' })]
    assert.notEqual(await a.one({}), await b.one({}))
    assert.notEqual(await a.one({ visitorId: 'ada' }), await b.one({ visitorId: 'ada' }))
    const salt = { key: createSecretKey(Buffer.alloc(32, 1)) }
    const client = { address: '192.0.2.7', userAgent: 'x' }
    assert.notEqual(visitorOfClient(salt, 'prj_a', client), visitorOfClient(salt, 'prj_b', client))
    assert.notEqual(visitorOfId(salt, 'prj_a', 'ada'), visitorOfId(salt, 'prj_b', 'ada'))
  })

  test("a visitor is a new one in the next window, by the page view's time and zone", async () => {
    const table: [IdentifiedIn['visitorWindow'], string, string, string, boolean][] = [
      ['day', 'UTC', '2026-11-20T00:00:00Z', '2026-11-20T23:59:59.999Z', true],
      ['day', 'UTC', '2026-11-20T23:59:59.999Z', '2026-11-21T00:00:00Z', false],
      ['day', 'Asia/Kathmandu', '2026-11-20T18:14:59Z', '2026-11-20T18:15:00Z', false],
      ['day', 'Asia/Kathmandu', '2026-11-20T23:59:59Z', '2026-11-21T00:00:00Z', true],
      ['week', 'UTC', '2026-11-16T00:00:00Z', '2026-11-21T09:00:00Z', true],
      ['week', 'Pacific/Kiritimati', '2026-11-15T10:00:00Z', '2026-11-21T09:00:00Z', true],
      ['month', 'UTC', '2026-11-01T00:00:00Z', '2026-11-21T10:04:59Z', true],
      ['month', 'Europe/Berlin', '2026-10-31T22:59:59Z', '2026-10-31T23:00:00Z', false],
      ['never', 'UTC', '2024-01-01T00:00:00Z', '2026-11-21T10:00:00Z', true],
    ]
    for (const [visitorWindow, timeZone, a, b, isSame] of table) {
      const { one } = await open({ visitorWindow, timeZone })
      assert.equal((await one({ time: at(a) })) === (await one({ time: at(b) })), isSame, `${visitorWindow} ${a} ${b}`)
    }
  })

  test('late page views join their window for 48 hours, and no longer', async () => {
    const { one, clock, identify, where } = await open({ visitorWindow: 'day' })
    const client = { time: start.getTime() - 10 * hour, address: '192.0.2.7', userAgent: firefox, visitorId: undefined }
    const first = await one(client)
    await clock.pass(62 * hour - 1)
    assert.equal(await one(client), first)
    await clock.pass(1)
    const late = await identify(where, [client, { ...client, address: '::ffff:192.0.2.7' }], undefined)
    assert.deepEqual(late[0], late[1], 'one request knows its own clients')
    assert.notEqual(late[0]?.visitor, first)
    assert.notEqual(await one(client), late[0]?.visitor)
    const { db } = postgres
    const kept = await db.selectFrom('salts').select('window').where('project_id', '=', where.projectId).execute()
    assert.deepEqual(kept, [{ window: 'day:2026-11-21' }])
  })

  test('an import has its own visitors in past windows, and shares current ones', async () => {
    const { one, projectId } = await open()
    const [a, b] = [await addImport(projectId), await addImport(projectId)]
    const old = { time: at('2026-03-05T10:00:00Z') }
    const inA = await one(old, a)
    assert.equal(await one({ time: at('2026-03-30T10:00:00Z') }, a), inA)
    assert.notEqual(await one({ time: at('2026-04-01T10:00:00Z') }, a), inA)
    assert.notEqual(await one(old, b), inA)
    assert.notEqual(await one(old), inA)
    assert.equal(await one({}, a), await one({}))
    assert.equal(await one({ ...old, visitorId: 'ada' }, a), await one({ visitorId: 'ada' }))
  })

  test('visitors carry the window of their salt, unless they may return at any time', async () => {
    const { identify, where, projectId } = await open({ visitorWindow: 'week' })
    const imported = await addImport(projectId)
    const time = start.getTime()
    const client = { time, address: '192.0.2.7', userAgent: 'a', visitorId: undefined }
    const windows = async (settings: Partial<IdentifiedIn>, change: Partial<Identified>, importId?: string) => {
      const identities = await identify({ ...where, ...settings }, [{ ...client, ...change }], importId)
      return identities.map(({ saltWindow }) => saltWindow)
    }
    assert.deepEqual(await windows({}, {}), ['week:2026-W47'])
    assert.deepEqual(await windows({}, { time: at('2026-03-05T10:00:00Z') }), ['week:2026-W10'])
    assert.deepEqual(await windows({}, { time: at('2026-03-05T10:00:00Z') }, imported), ['week:2026-W10'])
    assert.deepEqual(await windows({}, { address: undefined }), ['week:2026-W47'])
    assert.deepEqual(await windows({}, { visitorId: 'ada' }), [''])
    assert.deepEqual(await windows({ visitorWindow: 'never' }, {}), [''])
  })

  test('with strict privacy an id of the caller is another visitor on another day', async () => {
    const { one, identify, where } = await open({ privacy: 'strict', visitorWindow: 'day' })
    const [today, tomorrow] = [start.getTime(), start.getTime() + 24 * hour]
    const ada = { visitorId: 'ada' }
    assert.equal(await one({ ...ada, time: today }), await one({ ...ada, time: today, address: '192.0.2.8' }))
    assert.notEqual(await one({ ...ada, time: today }), await one({ ...ada, time: tomorrow }))
    assert.notEqual(await one({ ...ada, time: today }), await one({ time: today }))
    const session = { ...ada, time: today, history: { id: 'his_1', tool: 'umami' } }
    assert.notEqual(await one(session), await one({ ...session, time: tomorrow }))
    const client = { time: today, address: undefined, userAgent: 'a', ...ada }
    assert.equal((await identify(where, [client], undefined))[0]?.saltWindow, 'day:2026-11-21')
  })

  test('a salt that servers of the previous release may use has no window in page views', async () => {
    const { db } = postgres
    const { identify, where } = await open({ visitorWindow: 'day' })
    const client = { time: start.getTime(), address: '192.0.2.7', userAgent: 'a', visitorId: undefined }
    const windowOf = async () => (await identify(where, [client], undefined)).map(({ saltWindow }) => saltWindow)
    const [before] = await db.selectFrom('salt_naming').selectAll().execute()
    assert.ok(before)
    await db
      .updateTable('salt_naming')
      .set({ since: new Date('2999-01-01') })
      .execute()
    assert.deepEqual(await windowOf(), [''])
    await db.updateTable('salt_naming').set(before).execute()
    assert.deepEqual(await windowOf(), [''], 'the salt of this day stays as it is')
    assert.deepEqual(
      (await identify({ ...where, visitorWindow: 'week' }, [client], undefined))[0]?.saltWindow,
      'week:2026-W47',
    )
  })

  test('clients of a batch are answered in their order', async () => {
    const { identify, where, one } = await open()
    const client = { time: start.getTime(), address: '192.0.2.7', userAgent: 'a', visitorId: undefined }
    const batch = [
      client,
      { ...client, address: undefined },
      { ...client, visitorId: 'ada' },
      { ...client, userAgent: 'b' },
    ]
    const identities = await identify(where, batch, undefined)
    const visitors = identities.map(({ visitor }) => visitor)
    assert.deepEqual(visitors, [await one(client), 0n, await one({ visitorId: 'ada' }), await one({ userAgent: 'b' })])
    assert.deepEqual(await identify(where, [], undefined), [])
  })
})
