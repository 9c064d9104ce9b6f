// Measures GET of a job over HTTP, and its 304, compared with the rate at which the same engine looks up a job by id.
// All run in turn in one process; the client has a thread of its own. The result is the ratio.

import { sql } from 'kysely'
import { parseConfig } from '../src/config/config.ts'
import { buildApp } from '../src/service/app.ts'
import { openEngines } from '../src/service/engines.ts'
import { operator } from '../src/projects/keys.ts'
import { listen } from '../src/http/server/server.ts'
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { serverSettings } from '../test/support/engine.ts'
import { startPostgresServer } from '../test/support/postgres-server.ts'
import { removeFolder, temporaryFolder } from '../test/support/temporary.ts'
import { median, timed } from './engines.ts'
import type { Order, Served } from './get-client.ts'

const count = 2_000
const width = 16
const rounds = 5

const server = await startPostgresServer()
await measure('embedded', {})
await measure('PostgreSQL', serverSettings(await server.createDatabase()))
await server.close()

async function measure(name: string, settings: Readonly<Record<string, string>>): Promise<void> {
  const folder = await temporaryFolder('bench-get')
  const engines = await openEngines(
    parseConfig({ DOCENT_DATA_DIR: `${folder}/data`, DOCENT_LOG_LEVEL: 'error', ...settings }),
  )
  const app = buildApp(engines, 'http://127.0.0.1')
  const web = await listen(app, { host: '127.0.0.1', port: 0 })
  const call = async <T>(method: string, path: string, body: object): Promise<T> => {
    const init = { method, body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }
    return (await (await app.fetch(new Request(`http://x${path}`, init), { principal: operator })).json()) as T
  }
  const project = await call<{ id: string }>('POST', '/v1/projects', {
    name: 'B',
    repository: 'https://example.com/r.git',
  })
  const { key } = await call<{ key: string }>('POST', '/v1/keys', { name: 'b' })
  const job = await call<{ id: string }>('POST', `/v2/agent/${project.id}/job`, { prompt: 'x' })
  const client = new Worker(new URL('get-client.ts', import.meta.url))
  const url = `${web.address}/v2/agent/${project.id}/job/${job.id}`
  const get = async (headers: Readonly<Record<string, string>>, expected: number) => {
    const wanted = { url, headers: { Authorization: `Bearer ${key}`, ...headers }, count, width }
    const served = await order(client, wanted)
    if (served.status !== expected) throw new Error(`the status is ${served.status}`)
    return served
  }
  const { etag } = await get({}, 200)
  const rows: { readonly lookup: number; readonly ok: number; readonly same: number }[] = []
  for (let round = 0; round <= rounds; round += 1) {
    rows.push({
      lookup:
        count /
        (await timed(count, width, () => sql`select * from jobs where id = ${job.id}`.execute(engines.postgres.db))),
      ok: count / (await get({}, 200)).seconds,
      same: count / (await get({ 'If-None-Match': etag }, 304)).seconds,
    })
  }
  const warm = rows.slice(1)
  const rate = (of: (row: (typeof rows)[number]) => number) => median(warm.map(of)).toFixed(0)
  const ratio = (of: (row: (typeof rows)[number]) => number) =>
    median(warm.map((row) => of(row) / row.lookup)).toFixed(2)
  console.log(
    `${name.padEnd(12)} lookup ${rate((row) => row.lookup)}/s, GET ${rate((row) => row.ok)}/s (ratio ${ratio((row) => row.ok)}), 304 ${rate((row) => row.same)}/s (ratio ${ratio((row) => row.same)})`,
  )
  await client.terminate()
  await web.close(1_000)
  await engines.close()
  await removeFolder(folder)
}

/** Sends one order to the client and waits for the result. Orders must not overlap. */
async function order(client: Worker, wanted: Order): Promise<Served> {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  client.postMessage(wanted)
  const [served] = (await once(client, 'message')) as [Served]
  return served
}
