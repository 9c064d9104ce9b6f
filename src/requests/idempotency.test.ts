import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { idempotencyHours, once, sweepIdempotency } from './idempotency.ts'
import { openTestDatabase } from '../../test/support/engine.ts'
import type { Db, Postgres } from '../postgres/types.ts'

let postgres: Postgres
let db: Db

before(async () => {
  postgres = await openTestDatabase()
  db = postgres.db
})
after(() => postgres.close())

const request = (key: string, hash = 'h', principal = 'p') => ({ principal, key, hash })

test('the same request is done once and answered twice', async () => {
  let times = 0
  const work = () => Promise.resolve({ n: (times += 1) })
  assert.deepEqual(await once(db, request('a'), work), { value: { n: 1 }, replayed: false })
  assert.deepEqual(await once(db, request('a'), work), { value: { n: 1 }, replayed: true })
})

test('two at the same time do the work once', async () => {
  let times = 0
  const work = () => Promise.resolve({ n: (times += 1) })
  const both = await Promise.allSettled([once(db, request('b'), work), once(db, request('b'), work)])
  assert.equal(times, 1)
  assert.ok(both.some((one) => one.status === 'fulfilled'))
})

test('twenty replays of a finished request at once all get its answer', async () => {
  const work = () => Promise.resolve({ n: 1 })
  await once(db, request('many'), work)
  const all = await Promise.all(Array.from({ length: 20 }, () => once(db, request('many'), work)))
  assert.deepEqual(new Set(all.map(({ replayed }) => replayed)), new Set([true]))
})

test('another request under the same key is refused', async () => {
  await once(db, request('c', 'one'), () => Promise.resolve({}))
  await assert.rejects(
    once(db, request('c', 'two'), () => Promise.resolve({})),
    { code: 'idempotency_key_reused' },
  )
})

test('callers do not share idempotency keys', async () => {
  await once(db, request('d', 'h', 'p'), () => Promise.resolve({ who: 'p' }))
  const other = await once(db, request('d', 'h', 'q'), () => Promise.resolve({ who: 'q' }))
  assert.deepEqual(other, { value: { who: 'q' }, replayed: false })
})

test('work that fails leaves no record', async () => {
  await assert.rejects(
    once(db, request('e'), () => Promise.reject(new Error('no'))),
    /no/,
  )
  assert.equal((await once(db, request('e'), () => Promise.resolve({}))).replayed, false)
})

test('a record counts until the sweep, which deletes it after 24 hours', async () => {
  const lifeMs = idempotencyHours * 3_600_000
  const before = Date.now()
  await once(db, request('f'), () => Promise.resolve({}))
  const after = Date.now()
  await sweepIdempotency(db, new Date(before + lifeMs))
  assert.equal((await once(db, request('f'), () => Promise.resolve({}))).replayed, true)
  await sweepIdempotency(db, new Date(after + lifeMs + 1))
  assert.equal((await once(db, request('f', 'another'), () => Promise.resolve({}))).replayed, false)
})
