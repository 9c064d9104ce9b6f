// Measures unique visitors of the site and of the first fifty pages, from the request over HTTP to the last byte of the
// response, while 500 page views a second arrive and one window is counted again. Compares them with the count of the rows in the
// store, which answered before there were counters, and with the same query on DuckDB and on a PostgreSQL server with its best
// index. All read the same rows, in turn, each request has another range, and all counts must be equal. Run it with
// `npm ci --prefix bench && node bench/uniques.ts --millions 0.2,2,10 --rounds 100`; with `--visitors never`, the number
// of a visitor never changes.

import { createRequire } from 'node:module'
import { chmod } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { generationOf, planQuery } from '../src/analytics/query/plan.ts'
import { readPage } from '../src/analytics/query/rows.ts'
import { readWindows } from '../src/analytics/query/version.ts'
import { visitors } from '../src/analytics/query/visitors.ts'
import { sealWindows } from '../src/analytics/uniques/seal.ts'
import { openClickHouse } from '../src/clickhouse/open.ts'
import { parseConfig } from '../src/config/config.ts'
import { listen } from '../src/http/server/server.ts'
import { operator } from '../src/projects/keys.ts'
import { getProject } from '../src/projects/projects.ts'
import { buildApp } from '../src/service/app.ts'
import { openEngines } from '../src/service/engines.ts'
import { startPostgresServer } from '../test/support/postgres-server.ts'
import { removeFolder, temporaryFolder } from '../test/support/temporary.ts'
import { copyRows, fillStore, type Rows } from './page-view-rows.ts'

const { values } = parseArgs({
  options: {
    millions: { type: 'string', default: '0.2,2,10' },
    rounds: { type: 'string', default: '100' },
    visitors: { type: 'string', default: 'month' },
  },
})
const visitorWindow = values.visitors === 'never' ? 'never' : 'month'
const days = 365
/** Seconds after which no further round begins; at least three rounds run. */
const patience = 60
/** Page views that arrive a second. */
const arriving = 500
const dayMs = 86_400_000
const until = Math.floor(Date.now() / dayMs) * dayMs

type Counts = { readonly human: number; readonly ai: number; readonly total: number }
/** Counts the days from `from` to the day before `to`. */
type Ask = (from: string, to: string) => Promise<Counts>

type Duck = { readonly run: (sql: string) => Promise<{ getRowObjectsJson(): Promise<readonly unknown[]> }> }

const inRange = `from views where project_id = $1 and time >= $2::timestamptz and time < $3::timestamptz
  and class <> 'neither' and status <> 404`

/** The query in its simplest form. */
const distinct = `select grouping(path) as is_total, path, count(distinct visitor) filter (where class = 'human') as human,
    count(distinct visitor) filter (where class = 'ai') as ai, count(distinct visitor) as total
  ${inRange} group by grouping sets ((path), ()) order by is_total desc, total desc, path collate "C" limit 52`

/** The query when the simple form is too slow: it hashes pairs instead of sorting them. */
const twoSteps = `with pairs as materialized (
    select path, visitor, bool_or(class = 'human') as human, bool_or(class = 'ai') as ai ${inRange} group by path, visitor),
  people as (select visitor, bool_or(human) as human, bool_or(ai) as ai from pairs group by visitor)
  select 1 as is_total, null as path, count(*) filter (where human) as human, count(*) filter (where ai) as ai,
    count(*) as total from people
  union all (select 0, path, count(*) filter (where human), count(*) filter (where ai), count(*) as total
    from pairs group by path order by total desc, path collate "C" limit 51)`

/** The query in its simplest form, for DuckDB. */
const inDuck = (projectId: string, from: string, to: string) =>
  distinct
    .replace('$1', `'${projectId}'`)
    .replace('$2', `'${from}T00:00:00Z'`)
    .replace('$3', `'${to}T00:00:00Z'`)
    .replace(' collate "C"', '')

const openDuck = await loadDuck()
const server = await startPostgresServer()
process.once('exit', server.abandon)
await server.admin(`alter system set shared_buffers = '2GB'`)
await server.restart('SIGINT', 0)
for (const millions of values.millions.split(',')) await measure(Math.round(Number(millions) * 1e6))
process.off('exit', server.abandon)
await server.close()

async function loadDuck(): Promise<() => Promise<Duck>> {
  try {
    const path = createRequire(new URL('package.json', import.meta.url)).resolve('@duckdb/node-api')
    const { DuckDBInstance } = (await import(pathToFileURL(path).href)) as {
      readonly DuckDBInstance: { create(path: string): Promise<{ connect(): Promise<Duck> }> }
    }
    return async () => (await DuckDBInstance.create(':memory:')).connect()
  } catch {
    throw new Error('DuckDB is missing. Install it with `npm ci --prefix bench`.')
  }
}

async function measure(count: number): Promise<void> {
  const folder = await temporaryFolder('bench-uniques')
  await chmod(folder, 0o755)
  const settings = { DOCENT_DATA_DIR: join(folder, 'data'), DOCENT_LOG_LEVEL: 'error' }
  const config = parseConfig({ ...settings, DOCENT_EXPORTS_PER_HOUR: '100000000' })
  const projectId = await createProject(config)
  const rows = { projectId, count, days, until, visitorWindow } as const
  const [client, duck] = [await connect(), await openDuck()]
  await fill(join(config.dataDir, 'clickhouse'), rows, { client, duck, folder })

  const engines = await openEngines(config)
  await seal(engines, projectId)
  const app = buildApp(engines, 'http://127.0.0.1')
  const web = await listen(app, { host: '127.0.0.1', port: 0 })
  const { key } = await post<{ readonly key: string }>(app, '/v1/keys', { name: 'b' })
  const other = await addProject(app)
  const ours: Ask = async (from, to) => {
    const url = `${web.address}/v1/analytics/${projectId}/visitors?dateFrom=${from}&dateTo=${to}`
    const answer = await fetch(url, { headers: { Authorization: `Bearer ${key}` } })
    if (answer.status !== 200) throw new Error(await answer.text())
    return ((await answer.json()) as { readonly totals: Counts }).totals
  }
  const begin = performance.now()
  const [from, to] = rangeOf(days, 0)
  await ours(from, to)
  console.log(
    `${count / 1e6} million views; first question after the start ${Math.round(performance.now() - begin)} ms`,
  )
  const counted = await fromRows(engines, projectId)
  const others = { counted, duck: duckAsk(duck, projectId), postgres: postgresAsk(client, projectId, distinct) }
  for (const length of [1, 30, days]) {
    for (const [name, ask] of Object.entries(others)) await compare(ours, ask, { length, name })
    console.log(`${length} days, ms`)
    const quiet = await timesOf(ours, length)
    const traffic = startTraffic(engines, projectId, { url: `${web.address}/v1/analytics/${other}/page-views`, key })
    const busy = await timesOf(ours, length)
    const arrived = await traffic.stop()
    report('docent, while page views arrive', busy, busy)
    console.log(`    ${arrived.views} page views a second arrived, ${arrived.rebuilt} windows were counted again`)
    report('docent', quiet, busy)
    report('docent, from rows', await timesOf(counted, length), busy)
    report('DuckDB, count distinct', await timesOf(others.duck, length), busy)
    report('PostgreSQL, count distinct', await timesOf(others.postgres, length), busy)
    report('PostgreSQL, in two steps', await timesOf(postgresAsk(client, projectId, twoSteps), length), busy)
  }
  await web.close(0)
  await engines.close()
  await client.end()
  await removeFolder(folder)
}

/** Page views of today, of another project so that the counts stay equal, and a window of this one that is counted again. */
function startTraffic(
  { pageViews, postgres, clock }: Engines,
  projectId: string,
  { url, key }: { readonly url: string; readonly key: string },
) {
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
  const state = { isOver: false, views: 0, rebuilt: 0, began: performance.now() }
  const sending = (async () => {
    for (let batch = 0; !state.isOver; batch += 1) {
      const views = Array.from({ length: arriving / 10 }, (_, at) => ({
        timestamp: Date.now(),
        path: `/guides/page-${(batch * 7 + at) % 1_000}`,
        userAgent: `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/${120 + (at % 20)}.0.0.0 Safari/537.36`,
        address: `10.${batch % 256}.${at}.1`,
      }))
      const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(views) })
      if (answer.status !== 202) throw new Error(await answer.text())
      await answer.arrayBuffer()
      state.views += views.length
      const due = state.began + (state.views / arriving) * 1_000 - performance.now()
      if (due > 0) await new Promise((resolve) => setTimeout(resolve, due))
    }
  })()
  const rebuilding = (async () => {
    const store = await pageViews.open()
    const settings = await getProject(postgres.db, projectId)
    while (!state.isOver) {
      const [window] = await readWindows(store, projectId)
      if (window) await sealWindows(store, { projectId, settings, windows: [window], now: clock.now() })
      state.rebuilt += 1
    }
  })()
  return {
    stop: async () => {
      const seconds = (performance.now() - state.began) / 1_000
      state.isOver = true
      await Promise.all([sending, rebuilding])
      return { views: Math.round(state.views / seconds), rebuilt: state.rebuilt }
    },
  }
}

type Engines = Awaited<ReturnType<typeof openEngines>>

/** As the service does in the background. */
async function seal({ postgres, pageViews, clock }: Engines, projectId: string): Promise<void> {
  const store = await pageViews.open()
  const settings = await getProject(postgres.db, projectId)
  const begin = performance.now()
  for (const window of await readWindows(store, projectId)) {
    await sealWindows(store, { projectId, settings, windows: [window], now: clock.now() })
  }
  console.log(`sealed in ${((performance.now() - begin) / 1_000).toFixed(1)} s`)
}

async function fromRows({ postgres, pageViews, clock }: Engines, projectId: string): Promise<Ask> {
  const store = await pageViews.open()
  const settings = await getProject(postgres.db, projectId)
  const known = { settings, generation: generationOf(settings), windows: [], failed: () => undefined }
  return async (dateFrom, dateTo) => {
    const query = { dateFrom, dateTo, limit: 50, offset: 0, interval: 'day' } as const
    const plan = planQuery({ projectId, settings, query, now: clock.now() })
    const { totals } = await readPage({ store, plan, known }, visitors)
    return totals as Counts
  }
}

async function createProject(config: ReturnType<typeof parseConfig>): Promise<string> {
  const engines = await openEngines(config)
  const id = await addProject(buildApp(engines, 'http://x'))
  await engines.close()
  return id
}

type App = ReturnType<typeof buildApp>

async function post<T>(app: App, path: string, body: object): Promise<T> {
  const headers = { 'Content-Type': 'application/json' }
  const request = new Request(`http://x${path}`, { method: 'POST', body: JSON.stringify(body), headers })
  return (await (await app.fetch(request, { principal: operator })).json()) as T
}

async function addProject(app: App): Promise<string> {
  const project = { name: 'B', repository: 'https://example.com/r.git' }
  return (await post<{ readonly id: string }>(app, '/v1/projects', project)).id
}

async function connect(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: await server.createDatabase() })
  await client.connect()
  await client.query(`set work_mem = '512MB'`)
  return client
}

type Others = { readonly client: pg.Client; readonly duck: Duck; readonly folder: string }

async function fill(directory: string, rows: Rows, { client, duck, folder }: Others): Promise<void> {
  const store = await openClickHouse({ kind: 'embedded', directory })
  const columns = 'visitor bigint not null, class text, status smallint not null'
  const table = `create table views (project_id text not null, time timestamptz not null, path text not null, ${columns})`
  try {
    await fillStore(store, rows)
    await client.query(table)
    await duck.run(table)
    await copyRows(store, rows, folder, async (file) => {
      await client.query(`copy views from '${file}'`)
      await duck.run(`copy views from '${file}' (delimiter '\t', header false, quote '')`)
    })
    await client.query('create index views_range on views (project_id, time) include (path, visitor, class, status)')
    await client.query('vacuum analyze views')
    const [parts] = await store.read<{ bytes: number; rows: number }>(
      `SELECT sum(bytes_on_disk) AS bytes, sum(rows) AS rows FROM system.parts WHERE active AND table = 'page_views'`,
      {},
    )
    const result = await client.query<{ heap: string; whole: string }>(
      `select pg_table_size('views') as heap, pg_total_relation_size('views') as whole`,
    )
    const [sizes] = result.rows
    const perMillion = (bytes: number) => `${(bytes / rows.count).toFixed(1)} MB`
    console.log(
      `on disk by million: docent ${perMillion(parts?.bytes ?? 0)}; PostgreSQL, with a third of the columns, ` +
        `${perMillion(Number(sizes?.heap))}, with its index ${perMillion(Number(sizes?.whole))}`,
    )
  } finally {
    await store.close()
  }
}

function postgresAsk(client: pg.Client, projectId: string, statement: string): Ask {
  return async (from, to) => {
    const given = [projectId, `${from}T00:00:00Z`, `${to}T00:00:00Z`]
    const { rows } = await client.query<{ human: string; ai: string; total: string }>(statement, given)
    const [totals] = rows
    return { human: Number(totals?.human), ai: Number(totals?.ai), total: Number(totals?.total) }
  }
}

function duckAsk(duck: Duck, projectId: string): Ask {
  return async (from, to) => {
    const rows = await (await duck.run(inDuck(projectId, from, to))).getRowObjectsJson()
    const totals = rows[0] as Readonly<Record<keyof Counts, string>> | undefined
    return { human: Number(totals?.human), ai: Number(totals?.ai), total: Number(totals?.total) }
  }
}

/** Throws unless both return the same counts. */
async function compare(ours: Ask, theirs: Ask, { length, name }: { readonly length: number; readonly name: string }) {
  for (const round of [0, 7, 29]) {
    const [from, to] = rangeOf(length, round)
    const answers = [await ours(from, to), await theirs(from, to)].map((counts) => JSON.stringify(counts))
    if (answers[0] !== answers[1]) throw new Error(`${from}: docent ${answers[0]}, ${name} ${answers[1]}`)
  }
}

/** The range ends earlier from round to round; for a whole year it begins earlier too, before the first row. */
function rangeOf(length: number, round: number): [string, string] {
  const shift = round % 300
  const to = length === days ? until : until - shift * dayMs
  const from = length === days ? until - (days + shift) * dayMs : to - length * dayMs
  return [toDay(from), toDay(to)]
}

function toDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}

type Times = { readonly p50: number; readonly p99: number; readonly rounds: number }

async function timesOf(ask: Ask, length: number): Promise<Times> {
  const times: number[] = []
  const begin = performance.now()
  for (let round = 0; round < Number(values.rounds); round += 1) {
    if (round >= 3 && performance.now() - begin > patience * 1_000) break
    const [from, to] = rangeOf(length, round)
    const start = performance.now()
    await ask(from, to)
    times.push(performance.now() - start)
  }
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.ceil(share * sorted.length) - 1] ?? Number.NaN
  return { p50: at(0.5), p99: at(0.99), rounds: times.length }
}

function report(name: string, { p50, p99, rounds }: Times, docent: Times): void {
  const times = `p50 ${p50.toFixed(1).padStart(8)}  p99 ${p99.toFixed(1).padStart(8)}`
  const ratios = `${(p50 / docent.p50).toFixed(1)} and ${(p99 / docent.p99).toFixed(1)} times the first line's`
  console.log(`  ${name.padEnd(32)} ${times}  ${ratios} (${rounds} rounds)`)
}
