import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { openTestDatabase } from '../../test/support/engine.ts'
import { migrate, migrations } from './migrate.ts'

test('a database that lacks the lease of sealing gets it, and others keep theirs', async (t) => {
  const postgres = await openTestDatabase()
  t.after(() => postgres.close())
  const { db } = postgres
  const upTo = (last: string) =>
    migrate(db, Object.fromEntries(Object.entries(migrations).filter(([name]) => name < last)))
  const begin = async () => {
    await sql`drop schema public cascade`.execute(db)
    await sql`create schema public`.execute(db)
    await upTo('0023')
  }
  await begin()
  await sql`insert into seal_lease values (1, 'a', now())`.execute(db)
  assert.deepEqual(await upTo('0024'), ['0023-seal-lease'])
  assert.equal((await db.selectFrom('seal_lease').selectAll().execute()).length, 1)
  await begin()
  // As a revision made it in which 0021-salt-windows had no lease.
  await sql`drop table seal_lease`.execute(db)
  await upTo('0024')
  assert.deepEqual(await db.selectFrom('seal_lease').selectAll().execute(), [])
})
