import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import type { ClickHouse } from '../../../clickhouse/open.ts'
import { pageView } from '../../../../test/support/page-views.ts'
import { sharedStore } from '../../../../test/support/test-store.ts'
import { insertPageViews } from '../../store.ts'
import { addId, createIdFilter, mayHaveId } from './id-filter.ts'
import { createStoredIds } from './stored-ids.ts'

const randomIds = (count: number) => [...new BigUint64Array(Uint8Array.from(randomBytes(8 * count)).buffer)]
const halves = (id: bigint): [number, number] => [Number(id & 0xff_ff_ff_ffn), Number(id >> 32n)]
const keyOf = ({ projectId, viewId }: { readonly projectId: string; readonly viewId: bigint }) =>
  `${projectId} ${viewId}`

test('a full filter knows every id, and takes few others for known', () => {
  const filter = createIdFilter(0, 2 ** 28)
  const ids = randomIds(filter.capacity)
  for (const id of ids) addId(filter, ...halves(id))
  assert.ok(ids.every((id) => mayHaveId(filter, ...halves(id))))
  const wrong = randomIds(100_000).filter((id) => mayHaveId(filter, ...halves(id)))
  assert.ok(wrong.length < 200, `${wrong.length} of 100,000 unknown ids seem known`)
})

test('a filter of many ids takes no more memory than it may', () => {
  assert.equal(createIdFilter(20_000_000, 2 ** 28).bits.byteLength, 2 ** 26)
  assert.equal(createIdFilter(20_000_000, 33_000_000).bits.byteLength, 2 ** 24)
  assert.equal(createIdFilter(2 ** 30, 2 ** 40).bits.byteLength, 2 ** 28)
})

test('ids stored before, while they are read, and afterwards are found', async () => {
  const store = await sharedStore('embedded')
  const projectId = 'prj_stored_ids'
  const views = randomIds(300).map((viewId) => pageView({ projectId, viewId }))
  const [before, meanwhile, afterwards, never] = [0, 100, 200, 250].map((from, at, all) =>
    views.slice(from, all[at + 1]),
  )
  assert.ok(before && meanwhile && afterwards && never)
  await insertPageViews(store, before)
  const gate = Promise.withResolvers<void>()
  const asked: string[] = []
  const slow: ClickHouse = {
    ...store,
    read: async (sql, params, signal) => {
      const rows = await store.read<never>(sql, params, signal)
      if (sql.includes('page_views.ids')) await gate.promise
      return rows
    },
    readWritten: (sql, params) => {
      asked.push(sql)
      return store.readWritten(sql, params)
    },
  }
  const ids = createStoredIds(assert.ifError)
  const findAll = async () => {
    const found = await ids.find(slow, views)
    return views.filter((view) => found.has(keyOf(view)))
  }
  const keep = async (some: typeof views) => {
    ids.add(slow, some)
    await insertPageViews(store, some)
  }
  assert.deepEqual(await findAll(), before)
  await keep(meanwhile)
  assert.deepEqual(await findAll(), [...before, ...meanwhile])
  gate.resolve()
  while (asked.at(-1)?.includes(String(never[0]?.viewId)) ?? true) {
    assert.deepEqual(await findAll(), [...before, ...meanwhile])
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  await keep(afterwards)
  assert.deepEqual(await findAll(), [...before, ...meanwhile, ...afterwards])
})

test('ids are not read before a page view has one', async () => {
  const read: string[] = []
  const shared = await sharedStore('embedded')
  const store: ClickHouse = {
    ...shared,
    read: (sql, ...rest) => {
      read.push(sql)
      return shared.read(sql, ...rest)
    },
  }
  const ids = createStoredIds(assert.ifError)
  assert.equal((await ids.find(store, [])).size, 0)
  assert.deepEqual(read, [])
  await ids.find(store, [{ projectId: 'prj_first_id', viewId: 79n }])
  assert.match(read[0] ?? '', /page_views.days/)
})

test('a store that other processes write to is asked for every id', async () => {
  const store = { ...(await sharedStore()), isOwned: false }
  const ids = createStoredIds(assert.ifError)
  const view = pageView({ projectId: 'prj_shared_ids', viewId: 77n })
  assert.equal((await ids.find(store, [view])).size, 0)
  await insertPageViews(store, [view])
  assert.deepEqual([...(await ids.find(store, [view]))], [keyOf(view)])
})

test('ids that cannot be read are looked up, and read again later', async () => {
  const store = await sharedStore('embedded')
  const failures: unknown[] = []
  const ids = createStoredIds((error) => failures.push(error))
  const broken: ClickHouse = { ...store, read: () => Promise.reject(new Error('away')) }
  const view = pageView({ projectId: 'prj_unread_ids', viewId: 78n })
  await insertPageViews(store, [view])
  for (const times of [1, 2]) {
    assert.deepEqual([...(await ids.find(broken, [view]))], [keyOf(view)])
    assert.equal(failures.length, times)
  }
})
