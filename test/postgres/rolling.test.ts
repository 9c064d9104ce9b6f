// A rolling upgrade as the guide describes it: processes of the revision before run beside those of this one, on the
// same PostgreSQL database and the same ClickHouse server. Both work on jobs, record page views and give the same numbers.

import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { openSocketApi } from '../../src/cli/api/api.ts'
import { parseConfig } from '../../src/config/config.ts'
import type { Environment } from '../../src/config/environment.ts'
import { frontDatabase } from '../support/clickhouse-front.ts'
import { assertHolds, type Row } from '../support/data-directory.ts'
import { hasRevision, unpackRevision } from '../support/earlier-revision.ts'
import { serverSettings, sharedServer } from '../support/engine.ts'
import { createRepository } from '../support/repository.ts'
import { type Client, connect } from '../support/service.ts'
import { removeFolder, temporaryFolder } from '../support/temporary.ts'

/** The revision before the migrations that are not released yet. Move it forward with each release. */
const before = process.env['TEST_REVISION_BEFORE'] ?? '4f3951b467ae782c63989d1dfebf81d7c727ff45'
const present = fileURLToPath(new URL('../../src/main.ts', import.meta.url))

const exports = ['visitors', 'timeseries', 'views', 'ai-agents', 'referrers', 'crawlers', 'broken-pages', 'downloads']

type Started = {
  readonly client: (as: { projectId: string; key: string }) => Client
  readonly stop: () => Promise<void>
}

function startDocent(main: string, environment: Environment): ChildProcess {
  const env = { PATH: process.env['PATH'], ...environment }
  return spawn(process.execPath, ['--liftoff-only', main, 'serve', '--json'], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

async function start(t: TestContext, main: string, environment: Environment): Promise<Started> {
  const child = startDocent(main, environment)
  const exit = once(child, 'exit')
  const errors = text(child.stderr ?? assert.fail())
  const stop = async () => {
    child.kill('SIGTERM')
    await exit
  }
  t.after(stop)
  const lines = createInterface(child.stdout ?? assert.fail())
  const line = await Promise.race([once(lines, 'line'), exit.then(() => undefined)])
  if (line === undefined) assert.fail(`the service ended: ${await errors}`)
  const { address } = JSON.parse(String(line[0])) as { address: string }
  return { client: (as) => connect({ ...as, addresses: [address], send: fetch }), stop }
}

async function createProject(environment: Environment, repository: string) {
  const operator = openSocketApi(parseConfig(environment))
  const send = async (path: string, body: Row) => JSON.parse((await operator.send('POST', path, body)).body) as Row
  const { id } = await send('/v1/projects', { name: 'Docs', repository })
  const { key } = await send('/v1/keys', { name: 'test', scope: 'write', projectIds: [id] })
  return { projectId: String(id), key: String(key) }
}

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)

/** As many visitors as page views, of some days ago. `from` is the number of the first one. */
async function record(client: Client, from: number, count: number): Promise<void> {
  const views = Array.from({ length: count }, (_, n) => ({
    timestamp: Date.now() - (1 + (n % 3)) * 86_400_000,
    path: `/page-${n % 5}`,
    userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
    address: `192.0.2.${from + n}`,
  }))
  await client.call('POST', `/v1/analytics/${client.projectId}/page-views`, views)
}

/** The numbers of `old` are those of `now`, which may have more fields. */
async function assertSameNumbers(old: Client, now: Client, visitors: number): Promise<void> {
  const range = `dateFrom=${daysAgo(7)}&dateTo=${daysAgo(0)}`
  for (const name of exports) {
    const path = `/v1/analytics/${old.projectId}/${name}?${range}`
    assertHolds([await now.call<Row>('GET', path)], [await old.call<Row>('GET', path)])
  }
  const { totals } = await now.call<{ totals: Row }>('GET', `/v1/analytics/${now.projectId}/visitors?${range}`)
  assert.equal(totals['total'], visitors)
}

test('the revision before and this one work beside each other on shared stores', async (t) => {
  if (!(await hasRevision(before))) return t.skip(`the history lacks ${before}: git fetch --unshallow`)
  const folder = await temporaryFolder('rolling')
  t.after(() => removeFolder(folder))
  const code = join(folder, 'before')
  await mkdir(code)
  const earlier = await unpackRevision(before, code)
  const server = await sharedServer()
  await server.admin('create database rolling')
  const url = new URL(await server.createDatabase())
  url.pathname = '/rolling'
  const environment = {
    ...serverSettings(url.href),
    CLICKHOUSE_URL: await frontDatabase(),
    DOCENT_PORT: '0',
    DOCENT_LOG_LEVEL: 'error',
    DOCENT_ALLOW_LOCAL_REPOSITORIES: 'true',
    DOCENT_PUBLIC_URL: 'https://docent.example.com',
  }
  const own = (name: string) => ({ ...environment, DOCENT_DATA_DIR: join(folder, name) })
  const old = await start(t, earlier, own('old'))
  const as = await createProject(own('old'), createRepository(folder, { 'index.md': '# Acme CLI\n' }))
  await record(old.client(as), 0, 50)
  const now = await start(t, present, own('new'))
  const both = [old.client(as), now.client(as)] as const
  await assertSameNumbers(...both, 50)
  await Promise.all(both.map((client, at) => record(client, 100 + at * 20, 20)))
  await assertSameNumbers(...both, 90)
  const jobs = await Promise.all(
    [...both, ...both].map((client, at) => client.create(`Rename "Acme CLI" to "Acme ${at}"`)),
  )
  const ended = await Promise.all(jobs.map(({ id }, at) => both[at % 2 === 0 ? 1 : 0].ended(id)))
  assert.deepEqual(
    ended.map(({ status, outcome }) => [status, outcome]),
    jobs.map(() => ['completed', 'pull_request']),
  )
  assert.equal((await both[0].pulls()).length, jobs.length)
  const late = startDocent(earlier, own('late'))
  const [[exitCode], words] = await Promise.all([once(late, 'exit'), text(late.stderr ?? assert.fail())])
  assert.equal(exitCode, 1)
  assert.match(words, /migrated by a newer release/)
  await now.stop()
  await old.stop()
})
