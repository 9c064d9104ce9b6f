import assert from 'node:assert/strict'
import { once } from 'node:events'
import { stat } from 'node:fs/promises'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { test } from 'node:test'
import fc from 'fast-check'
import { frontDatabase } from '../../test/support/clickhouse-front.ts'
import { sharedStore } from '../../test/support/test-store.ts'
import { openLazily } from './lazy.ts'
import { numberList, textList } from './literal.ts'
import type { Column } from './native.ts'
import { migrateStore, migrations, type StoreMigrations } from './migrate.ts'
import { openClickHouse } from './open.ts'
import { throwStoreFailure } from './store-error.ts'
import { toFailure } from '../lib/failure.ts'

const store = await sharedStore()

const endless = 'SELECT uniqExact(number) AS n FROM numbers(1000000000000)'

test('a list with any texts and numbers comes back unchanged', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.string({ unit: 'grapheme' })),
      fc.array(fc.bigInt(0n, 2n ** 64n - 1n)),
      async (texts, numbers) => {
        const sql = `SELECT ${textList(texts)} AS texts, arrayMap(n -> toString(n), CAST(${numberList(numbers)} AS Array(UInt64))) AS numbers`
        assert.deepEqual(await store.read(sql, {}), [{ texts, numbers: numbers.map(String) }])
      },
    ),
    { numRuns: 50, examples: [[["'", '\\', "\\'", '\0', '\n', ''], [2n ** 64n - 1n]]] },
  )
})

test('an abandoned query is cancelled, and its connection serves the next one', async () => {
  const callers = Array.from({ length: 3 }, () => new AbortController())
  const queries = callers.map(({ signal }) => store.read(endless, {}, signal))
  const next = store.read<{ one: number }>('SELECT 1 AS one', {})
  for (const one of callers) setImmediate(() => one.abort(new Error('gone')))
  for (const query of queries) await assert.rejects(query, /gone/)
  assert.deepEqual(await next, [{ one: 1 }])
})

test('a query that is aborted before it begins is not sent', async () => {
  await assert.rejects(store.read(endless, {}, AbortSignal.abort(new Error('gone'))), /gone/)
  assert.deepEqual(await store.read('SELECT 1 AS one', {}), [{ one: 1 }])
})

test('the store responds to a ping while all reading connections are busy', async () => {
  const callers = Array.from({ length: 3 }, () => new AbortController())
  const queries = callers.map(({ signal }) => store.read(endless, {}, signal))
  await Promise.all([store.ping(), store.ping()])
  for (const one of callers) one.abort(new Error('gone'))
  for (const query of queries) await assert.rejects(query, /gone/)
})

test('closing does not wait for a server that never responds', async () => {
  const silent = createServer().listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo
  const lazy = openLazily({ kind: 'server', url: `http://127.0.0.1:${port}/default` })
  const opening = lazy.open()
  const [connection] = (await once(silent, 'connection')) as [Socket]
  connection.resume()
  await Promise.all([lazy.close(), assert.rejects(opening, { code: 'unavailable' })])
  await new Promise((resolve) => silent.close(resolve))
})

test('a query that needs too much memory is refused, and the next one is not', async () => {
  const sql = 'SELECT length(groupArray(repeat(toString(number), 100))) AS n FROM numbers(100000000)'
  await assert.rejects(store.read(sql, {}), { code: 'question_too_large' })
  assert.deepEqual(await store.read('SELECT uniqExact(number) AS n FROM numbers(1000000)', {}), [{ n: 1_000_000 }])
})

test('grouping by more values than the memory of queries holds goes on in files', async () => {
  const embedded = await sharedStore('embedded')
  const values = 'SELECT repeat(toString(number), 20) AS value FROM numbers(4000000)'
  const sql = `SELECT count() AS n, sum(some) AS all FROM (SELECT value, count() AS some FROM (${values}) GROUP BY value)`
  assert.deepEqual(await embedded.read(sql, {}), [{ n: 4_000_000, all: 4_000_000 }])
})

test('a query that lacks memory because of others may be repeated', () => {
  const failureOf = (message: string) => {
    try {
      return throwStoreFailure(Object.assign(new Error(message), { code: '241' }))
    } catch (error) {
      const { code, retryAfter } = toFailure(error)
      return { code, retryAfter }
    }
  }
  const ends = 'would use 517.58 MiB (attempt to allocate chunk of 4.50 MiB), maximum: 512.00 MiB.'
  const again = { code: 'unavailable', retryAfter: 5 }
  assert.deepEqual(failureOf(`User memory limit exceeded: ${ends}`), again)
  assert.deepEqual(failureOf(`(total) memory limit exceeded: ${ends}`), again)
  assert.equal(failureOf(`Query memory limit exceeded: ${ends}`).code, 'question_too_large')
})

test('a statement may contain a list of 50,000 numbers', async () => {
  const numbers = Array.from({ length: 50_000 }, (_, n) => BigInt(n) * 10n ** 14n)
  assert.deepEqual(await store.read(`SELECT length(${numberList(numbers)}) AS n`, {}), [{ n: 50_000 }])
})

test('a wrong statement keeps its error and is not reported as unavailable', async () => {
  await assert.rejects(store.read('SELECT nothing FROM page_views', {}), { code: '47' })
})

test('an embedded store closes a folder that others could enter', async () => {
  const embedded = await sharedStore('embedded')
  const [disk] = await embedded.read<{ path: string }>(`SELECT path FROM system.disks WHERE name = 'default'`, {})
  assert.ok(disk)
  assert.equal((await stat(disk.path)).mode & 0o777, 0o700)
})

test('migrations run once, and a store of a newer release is refused', async () => {
  assert.deepEqual(await migrateStore(store), [])
  const ofLaterRelease = {
    ...store,
    readWritten: <T>() => Promise.resolve([{ name: '0999-future' }] as unknown as readonly T[]),
  }
  await assert.rejects(migrateStore(ofLaterRelease), { code: 'schema_newer' })
})

test('a process migrates a store that another one has migrated meanwhile', async () => {
  const state = { asked: 0 }
  const behind = {
    ...store,
    readWritten: async <T>(sql: string): Promise<readonly T[]> => {
      const rows = await store.readWritten<T & { readonly name: string }>(sql, {})
      state.asked += 1
      return state.asked === 1 ? rows.filter(({ name }) => name < '0004') : rows
    },
  }
  await migrateStore(behind)
  assert.ok(state.asked > 1, 'an enum was to be made narrower')
  assert.deepEqual(await migrateStore(store), [])
})

test('a store whose column `pairs` was dropped gets it again, and reads it as 0', async () => {
  const url = await frontDatabase()
  const open = (known?: StoreMigrations) => openClickHouse({ kind: 'server', url }, known && { known })
  const dropped = await open(Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '0006')))
  await dropped.command(`INSERT INTO seals (project_id, views) VALUES ('prj_pairs', 1)`)
  await assert.rejects(dropped.readWritten('SELECT pairs FROM seals', {}), { code: '47' })
  await dropped.close()
  const repaired = await open()
  assert.deepEqual(await repaired.readWritten('SELECT views, pairs FROM seals', {}), [{ views: 1, pairs: 0 }])
  await repaired.close()
})

test('a row of the previous release is a download if no page has such a name', async () => {
  const paths = ['/app.jar', '/App.EXE', '/guide', '/_modules/setup.py', '/jar']
  const rows = paths.map((path) => ({ path, source: 'server' }))
  const columns: readonly Column<(typeof rows)[number]>[] = [
    { name: 'project_id', type: 'LowCardinality(String)', of: () => 'prj_before' },
    { name: 'view_id', type: 'UInt64', of: ({ path }) => BigInt(path.length) },
    { name: 'time', type: "DateTime64(3, 'UTC')", of: () => Date.parse('2026-11-20T10:00:00Z') },
    { name: 'path', type: 'LowCardinality(String)', of: ({ path }) => path },
    { name: 'source', type: 'LowCardinality(String)', of: ({ source }) => source },
  ]
  await store.insert('page_views', columns, [...rows, { path: '/seen.jar', source: 'browser' }])
  const found = await store.readWritten<{ path: string }>(
    `SELECT path FROM page_views WHERE project_id = 'prj_before' AND is_download = 1 ORDER BY path`,
    {},
  )
  assert.deepEqual(
    found.map(({ path }) => path),
    ['/App.EXE', '/app.jar'],
  )
})
