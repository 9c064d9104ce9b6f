// Statements on the embedded PostgreSQL: they give and take what PGlite's own `query` does, with fewer calls of the engine.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { PGlite } from '@electric-sql/pglite'
import { sql } from 'kysely'
import { openCopy } from '../../test/support/template.ts'
import type { Db, Postgres } from './types.ts'

let postgres: Postgres
before(async () => {
  postgres = await openCopy()
  await sql`create table things (
    id text primary key, count int, size bigint, share float8, at timestamptz, facts jsonb, bytes bytea, ok boolean,
    names text[])`.execute(postgres.db)
})
after(() => postgres.close())

test('values of every type arrive and come back as they were', async () => {
  const row = {
    id: 'it’s \\ "one"',
    count: -5,
    size: Number.MAX_SAFE_INTEGER,
    share: 0.1,
    at: new Date(1_700_000_000_123),
    facts: { a: [1, null, 'é'] },
    bytes: new Uint8Array([0, 1, 92, 255]),
    ok: false,
    names: ['a', 'b "c"', '', 'null'],
  }
  const added = await sql`insert into things values (${sql.join(Object.values(row))})`.execute(postgres.db)
  assert.equal(added.numAffectedRows, 1n)
  const found = await sql`select * from things where id = ${row.id} and at = ${row.at} and ok = ${row.ok}`.execute(
    postgres.db,
  )
  assert.deepEqual(found.rows, [row])
  const empty = await sql`insert into things (id, at) values (${'empty'}, ${null}) returning at, count`.execute(
    postgres.db,
  )
  assert.deepEqual(empty.rows, [{ at: null, count: null }])
})

test('a refused statement throws its code, and the next one works', async () => {
  const failing = async (db: Db) => {
    const refused = [sql`select 1 / ${0}::int`, sql`select ${1} from nowhere`, sql`selec ${1}`]
    const codes: unknown[] = []
    for (const one of refused) codes.push(await one.execute(db).catch(({ code }: { code?: string }) => code))
    return codes
  }
  assert.deepEqual(await failing(postgres.db), ['22012', '42P01', '42601'])
  assert.deepEqual((await sql`select ${1}::int as n`.execute(postgres.db)).rows, [{ n: 1 }])
  // The first refusal ends the transaction, and PostgreSQL says so to the others.
  const ended = postgres.db.transaction().execute(async (trx) => {
    await sql`insert into things (id) values (${'lost'})`.execute(trx)
    assert.deepEqual(await failing(trx), ['22012', '25P02', '42601'])
  })
  await assert.rejects(ended)
  assert.deepEqual((await sql`select id from things where id = ${'lost'}`.execute(postgres.db)).rows, [])
})

test('a known statement takes one call of the engine', async (t) => {
  const look = () => sql`select ok from things where id = ${'one'}`.execute(postgres.db)
  await look()
  const calls = t.mock.method(PGlite.prototype, 'execProtocolRawSync')
  await look()
  assert.equal(calls.mock.callCount(), 1)
})
