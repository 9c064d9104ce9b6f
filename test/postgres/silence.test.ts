// A database that is cut off without a word: connections stay open, and no answer comes.

import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { sql } from 'kysely'
import { parseConfig } from '../../src/config/config.ts'
import { createLog } from '../../src/lib/observability/log.ts'
import { openServer } from '../../src/postgres/server.ts'
import { serve } from '../../src/service/service.ts'
import { arrange } from '../faults/arrange.ts'
import { serverSettings, sharedServer } from '../support/engine.ts'
import type { PostgresServer } from '../support/postgres-server.ts'
import { startSilentProxy } from '../support/silent-proxy.ts'

let postgres: PostgresServer
before(async () => {
  postgres = await sharedServer()
})

test('a silent database becomes unavailable; the next statement reconnects', async () => {
  const proxy = await startSilentProxy(await postgres.createDatabase())
  const server = openServer({ url: proxy.url, connections: 1, log: createLog('silent'), responseMs: 500 })
  const { db } = server
  const ask = () => sql<{ one: number }>`select 1 as one`.execute(db)
  try {
    assert.equal((await ask()).rows[0]?.one, 1)
    proxy.silence()
    await assert.rejects(ask(), { code: 'unavailable' })
    proxy.speak()
    assert.equal((await ask()).rows[0]?.one, 1)
    const moved = db.transaction().execute(async (trx) => {
      await sql`select 1`.execute(trx)
      proxy.silence()
      await sql`select 2`.execute(trx)
    })
    await assert.rejects(moved, { code: 'unavailable' })
    proxy.speak()
    assert.equal((await ask()).rows[0]?.one, 1)
    proxy.silence()
  } finally {
    const began = Date.now()
    await server.close()
    assert.ok(Date.now() - began < 30_000)
    await proxy.close()
  }
})

test('a stop ends within 30 seconds, even while the database does not respond', async () => {
  const database = await postgres.createDatabase()
  const proxy = await startSilentProxy(database)
  const arranged = await arrange(serverSettings(database))
  const service = await serve(parseConfig({ ...arranged.environment, DATABASE_URL: proxy.url }))
  const asked = Promise.withResolvers<void>()
  arranged.model.script = () => {
    asked.resolve()
    return { text: 'never', wait: new Promise(() => undefined) }
  }
  try {
    const client = arranged.connectTo([service.address])
    const job = await client.create('page silence')
    await asked.promise
    const headers = { Accept: 'text/event-stream' }
    const stream = await client.fetch(`/v2/agent/${client.projectId}/job/${job.id}/events`, { headers })
    assert.equal(stream.status, 200)
    proxy.silence()
    const began = Date.now()
    await service.stop()
    const seconds = (Date.now() - began) / 1_000
    assert.ok(seconds < 30, `${seconds} seconds`)
  } finally {
    await proxy.close()
    await arranged.close()
  }
})
