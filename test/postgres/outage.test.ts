// PostgreSQL goes away and comes back: the responses that callers get, and what becomes of a run that is at work.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { parseConfig } from '../../src/config/config.ts'
import type { Problem } from '../../src/http/contract/problem.ts'
import { serve, type Service } from '../../src/service/service.ts'
import { answerTo, type Arranged, arrange, assertDoneOnce } from '../faults/arrange.ts'
import { serverSettings } from '../support/engine.ts'
import { type PostgresServer, startPostgresServer } from '../support/postgres-server.ts'

let postgres: PostgresServer
let arranged: Arranged
let service: Service

before(async () => {
  postgres = await startPostgresServer()
  arranged = await arrange(serverSettings(await postgres.createDatabase()))
  service = await serve(parseConfig(arranged.environment))
})
after(async () => {
  await service.stop()
  await arranged.close()
  await postgres.close()
})

test('while the database is down requests get 503, and later all is as before', async () => {
  const client = arranged.connectTo([service.address])
  const job = await client.ended((await client.create('page before')).id)
  const start = await postgres.stop('SIGQUIT')
  for (const [method, path] of [
    ['GET', `/v2/agent/${client.projectId}/job/${job.id}`],
    ['POST', `/v2/agent/${client.projectId}/job`],
  ] as const) {
    const body =
      method === 'POST' ? { body: '{"prompt":"page x"}', headers: { 'Content-Type': 'application/json' } } : {}
    const response = await client.fetch(path, { method, ...body })
    assert.equal(response.status, 503)
    assert.ok(Number(response.headers.get('Retry-After')) > 0)
    const problem = (await response.json()) as Problem
    assert.deepEqual([problem.code, problem.detail], ['unavailable', 'The database is not available now.'])
  }
  assert.equal((await fetch(`${service.address}/readyz`)).status, 503)
  assert.equal((await fetch(`${service.address}/healthz`)).status, 200)
  await start()
  assert.deepEqual(await client.job(job.id), job)
  assert.equal((await fetch(`${service.address}/readyz`)).status, 200)
})

test('an active run continues after any number of outages without lost responses', async () => {
  const client = arranged.connectTo([service.address])
  const gates = Array.from({ length: 8 }, () => Promise.withResolvers<void>())
  const asked = Array.from({ length: 8 }, () => Promise.withResolvers<void>())
  let turn = 0
  arranged.model.script = (messages) => {
    const n = turn
    turn += 1
    asked[n]?.resolve()
    return { ...answerTo(messages), wait: gates[n]?.promise ?? Promise.resolve() }
  }
  const job = await client.create('page outages')
  // Each answer comes while the database is away.
  for (let n = 0; n < 3; n += 1) {
    await asked[n]?.promise
    const start = await postgres.stop('SIGINT')
    gates[n]?.resolve()
    await delay(700)
    await start()
  }
  for (const gate of gates) gate.resolve()
  await client.ended(job.id)
  await assertDoneOnce(arranged, client, job.id, { page: 'outages', extras: [], unstoredAnswers: 0 })
})

test('a worker serves health and metrics on its port, and nothing else', async () => {
  const dataDir = `${arranged.environment['DOCENT_DATA_DIR']}-worker`
  const settings = { DOCENT_DATA_DIR: dataDir, DOCENT_WORKER_PORT: '0' }
  const worker = await serve(parseConfig({ ...arranged.environment, ...settings }), { role: 'worker' })
  try {
    assert.equal((await fetch(`${worker.address}/healthz`)).status, 200)
    assert.equal((await fetch(`${worker.address}/readyz`)).status, 200)
    assert.match(await (await fetch(`${worker.address}/metrics`)).text(), /^docent_queue_runs /m)
    for (const path of ['/v1/projects', '/openapi.json', '/healthz/..', '/']) {
      assert.equal((await fetch(worker.address + path)).status, 404)
    }
  } finally {
    await worker.stop()
  }
})
