// Measures the visitors export, from the request to the last byte of the response, compared with the count of the rows in
// the store, which answered before there were counters, and with the same query in plain SQL on a PostgreSQL server with
// its best index. All read the same rows, in turn, and each request has another range. Run it with `node bench/visitors.ts --millions 0.2,2,10 --rounds 100`.

import { chmod } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { generationOf, planQuery } from '../src/analytics/query/plan.ts'
import { readPage } from '../src/analytics/query/rows.ts'
import { readWindows } from '../src/analytics/query/version.ts'
import { visitors } from '../src/analytics/query/visitors.ts'
import { sealWindows } from '../src/analytics/uniques/seal.ts'
import { openClickHouse } from '../src/clickhouse/open.ts'
import { parseConfig } from '../src/config/config.ts'
import { operator } from '../src/projects/keys.ts'
import { getProject } from '../src/projects/projects.ts'
import { buildApp } from '../src/service/app.ts'
import { openEngines } from '../src/service/engines.ts'
import { startPostgresServer } from '../test/support/postgres-server.ts'
import { removeFolder, temporaryFolder } from '../test/support/temporary.ts'
import { fillPostgres, fillStore, type Rows } from './page-view-rows.ts'

const { values } = parseArgs({
  options: { millions: { type: 'string', default: '0.2,2,10' }, rounds: { type: 'string', default: '100' } },
})
const days = 365
/** Seconds after which no further round begins; at least three rounds run. */
const patience = 60
const dayMs = 86_400_000
const until = Math.floor(Date.now() / dayMs) * dayMs

type Counts = { readonly human: number; readonly ai: number; readonly total: number }
/** Counts the days from `from` to the day before `to`. */
type Ask = (from: string, to: string) => Promise<Counts>

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

const server = await startPostgresServer()
process.once('exit', server.abandon)
await server.admin(`alter system set shared_buffers = '2GB'`)
await server.restart('SIGINT', 0)
for (const millions of values.millions.split(',')) await measure(Math.round(Number(millions) * 1e6))
process.off('exit', server.abandon)
await server.close()

async function measure(count: number): Promise<void> {
  const folder = await temporaryFolder('bench-visitors')
  await chmod(folder, 0o755)
  const settings = { DOCENT_DATA_DIR: join(folder, 'data'), DOCENT_LOG_LEVEL: 'error' }
  const config = parseConfig(settings)
  const projectId = await createProject(config)
  const rows = { projectId, count, days, until }
  const client = await connect()
  await fill(join(config.dataDir, 'clickhouse'), rows, client, folder)

  const engines = await openEngines(config)
  await seal(engines, projectId)
  const app = buildApp(engines, 'http://127.0.0.1')
  const ours: Ask = async (from, to) => {
    const url = `http://x/v1/analytics/${projectId}/visitors?dateFrom=${from}&dateTo=${to}`
    const answer = await app.fetch(new Request(url), { principal: operator })
    if (answer.status !== 200) throw new Error(await answer.text())
    return ((await answer.json()) as { readonly totals: Counts }).totals
  }
  const counted = await fromRows(engines, projectId)
  for (const length of [30, days]) {
    await compare(ours, counted, length)
    await compare(ours, postgresAsk(client, projectId, distinct), length)
    console.log(`${count / 1e6} million views, ${length} days, ms`)
    const docent = await timesOf(ours, length)
    report('docent', docent, docent)
    report('docent, from rows', await timesOf(counted, length), docent)
    report('PostgreSQL, count distinct', await timesOf(postgresAsk(client, projectId, distinct), length), docent)
    report('PostgreSQL, in two steps', await timesOf(postgresAsk(client, projectId, twoSteps), length), docent)
  }
  await engines.close()
  await client.end()
  await removeFolder(folder)
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
  const body = JSON.stringify({ name: 'B', repository: 'https://example.com/r.git' })
  const headers = { 'Content-Type': 'application/json' }
  const request = new Request('http://x/v1/projects', { method: 'POST', body, headers })
  const answer = await buildApp(engines, 'http://x').fetch(request, { principal: operator })
  const { id } = (await answer.json()) as { readonly id: string }
  await engines.close()
  return id
}

async function connect(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: await server.createDatabase() })
  await client.connect()
  await client.query(`set work_mem = '512MB'`)
  return client
}

async function fill(directory: string, rows: Rows, client: pg.Client, folder: string): Promise<void> {
  const store = await openClickHouse({ kind: 'embedded', directory })
  try {
    await fillStore(store, rows)
    await fillPostgres(store, client, rows, folder)
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

/** Throws unless both return the same counts. */
async function compare(ours: Ask, theirs: Ask, length: number): Promise<void> {
  const [from, to] = rangeOf(length, 0)
  const answers = [await ours(from, to), await theirs(from, to)].map((counts) => JSON.stringify(counts))
  if (answers[0] !== answers[1]) throw new Error(`docent ${answers[0]}, PostgreSQL ${answers[1]}`)
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
  const times = `p50 ${p50.toFixed(0).padStart(6)}  p99 ${p99.toFixed(0).padStart(6)}`
  const ratios = `${(p50 / docent.p50).toFixed(1)} and ${(p99 / docent.p99).toFixed(1)} times docent's`
  console.log(`  ${name.padEnd(28)} ${times}  ${ratios} (${rounds} rounds)`)
}
