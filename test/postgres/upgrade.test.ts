// A rolling upgrade: a newer release migrates the database while this one is at work on it.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { openClickHouse } from '../../src/clickhouse/open.ts'
import { parseConfig } from '../../src/config/config.ts'
import { createLog } from '../../src/lib/observability/log.ts'
import { migrate, migrations } from '../../src/postgres/migrate.ts'
import { openPostgres } from '../../src/postgres/open.ts'
import { serve } from '../../src/service/service.ts'
import { startService } from '../support/service.ts'

/** A migration may only add. The columns are used by the newer release and unknown to this one. */
const next = {
  up: async (db: Parameters<NonNullable<(typeof migrations)[string]>['up']>[0]) => {
    await sql`alter table jobs add column shiny text not null default 'new'`.execute(db)
    await sql`alter table runs add column shiny integer`.execute(db)
    await sql`create table shiny (id text primary key)`.execute(db)
  },
}

test('running processes of this release continue beside a newer one', async () => {
  const running = await startService({ 'index.md': '# Acme CLI\n' })
  const url = running.environment['DATABASE_URL'] ?? ''
  const newer = await openPostgres({ kind: 'server', url, connections: 2, log: createLog('silent') })
  try {
    const { client } = running
    const before = await client.ended((await client.create('Rename "Acme CLI" to "Acme Command"')).id)
    assert.deepEqual(await migrate(newer.db, { ...migrations, '9999-next': next }), ['9999-next'])
    await client.message(before.id, 'Rename "Acme Command" to "Acme Tool"')
    const [again, other] = [
      await client.ended(before.id),
      await client.ended((await client.create('Rename "Acme CLI" to "X"')).id),
    ]
    assert.deepEqual([again.status, again.outcome, other.status], ['completed', 'pull_request', 'completed'])
    const late = { ...running.environment, DOCENT_DATA_DIR: `${running.folder}/late` }
    await assert.rejects(serve(parseConfig(late), { role: 'worker' }), /migrated by a newer release \(9999-next\)/)
  } finally {
    await newer.close()
    await running.close()
  }
})

test('a server and a worker that start on a newer store of page views end', async () => {
  const running = await startService({ 'index.md': '# A\n' })
  try {
    const { CLICKHOUSE_URL: url = '', DOCENT_DATA_DIR: dataDir } = running.environment
    const store = await openClickHouse({ kind: 'server', url })
    await store.command(`INSERT INTO migrations VALUES ('9999-next', now())`)
    await store.close()
    for (const role of ['server', 'worker'] as const) {
      const late = { ...running.environment, DOCENT_DATA_DIR: `${dataDir}-late-${role}` }
      const message = /store of page views was migrated by a newer release \(9999-next\)/
      await assert.rejects(serve(parseConfig(late), { role }), { code: 'schema_newer', message })
    }
  } finally {
    await running.close()
  }
})

test('several processes that start on a new database at once migrate it once', async () => {
  const running = await startService({ 'index.md': '# A\n' })
  try {
    const url = running.environment['DATABASE_URL'] ?? ''
    const newer = await openPostgres({ kind: 'server', url, connections: 2, log: createLog('silent') })
    await sql`drop schema public cascade`.execute(newer.db)
    await sql`create schema public`.execute(newer.db)
    await newer.close()
    const place = { kind: 'server', url, connections: 2, log: createLog('silent') } as const
    const opened = await Promise.all([1, 2, 3, 4].map(() => openPostgres(place)))
    for (const one of opened) {
      assert.deepEqual(await one.db.selectFrom('jobs').selectAll().execute(), [])
      await one.close()
    }
  } finally {
    await running.close()
  }
})
