// The same rows and the same query in DuckDB and in a PostgreSQL server with its best index.

import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import pg from 'pg'
import type { ClickHouse } from '../../src/clickhouse/open.ts'
import { startPostgresServer } from '../../test/support/postgres-server.ts'
import { copyRows, type Rows } from '../page-view-rows.ts'
import type { Ask, Counts } from './times.ts'

type Duck = { readonly run: (sql: string) => Promise<{ getRowObjectsJson(): Promise<readonly unknown[]> }> }

export type Others = {
  readonly fill: (store: ClickHouse, projects: readonly Rows[], folder: string) => Promise<void>
  /** `more`: a condition in SQL, which begins with `and`. */
  readonly asks: (projectId: string, more?: string) => readonly (readonly [string, Ask])[]
  readonly close: () => Promise<void>
}

const inRange = (
  more: string,
) => `from views where project_id = $1 and time >= $2::timestamptz and time < $3::timestamptz
  and class <> 'neither' and status <> 404 ${more}`

/** The query in its simplest form. */
const distinct = (
  more: string,
) => `select grouping(path) as is_total, path, count(distinct visitor) filter (where class = 'human') as human,
    count(distinct visitor) filter (where class = 'ai') as ai, count(distinct visitor) as total
  ${inRange(more)} group by grouping sets ((path), ()) order by is_total desc, total desc, path collate "C" limit 52`

/** The query when the simple form is too slow: it hashes pairs instead of sorting them. */
const twoSteps = (more: string) => `with pairs as materialized (
    select path, visitor, bool_or(class = 'human') as human, bool_or(class = 'ai') as ai ${inRange(more)} group by path, visitor),
  people as (select visitor, bool_or(human) as human, bool_or(ai) as ai from pairs group by visitor)
  select 1 as is_total, null as path, count(*) filter (where human) as human, count(*) filter (where ai) as ai,
    count(*) as total from people
  union all (select 0, path, count(*) filter (where human), count(*) filter (where ai), count(*) as total
    from pairs group by path order by total desc, path collate "C" limit 51)`

/** The query in its simplest form, for DuckDB. */
const inDuck = (projectId: string, more: string, from: string, to: string) =>
  distinct(more)
    .replace('$1', `'${projectId}'`)
    .replace('$2', `'${from}T00:00:00Z'`)
    .replace('$3', `'${to}T00:00:00Z'`)
    .replace(' collate "C"', '')

/** Starts a server. `open` empties both. */
export async function startOthers(): Promise<{ readonly open: () => Promise<Others>; close(): Promise<void> }> {
  const openDuck = await loadDuck()
  const server = await startPostgresServer()
  process.once('exit', server.abandon)
  await server.admin(`alter system set shared_buffers = '2GB'`)
  await server.restart('SIGINT', 0)
  const open = async (): Promise<Others> => {
    const duck = await openDuck()
    const client = new pg.Client({ connectionString: await server.createDatabase() })
    await client.connect()
    await client.query(`set work_mem = '512MB'`)
    return {
      fill: (store, projects, folder) => fill(store, projects, { client, duck, folder }),
      asks: (projectId, more = '') => [
        ['DuckDB, count distinct', duckAsk(duck, projectId, more)],
        ['PostgreSQL, count distinct', postgresAsk(client, projectId, distinct(more))],
        ['PostgreSQL, in two steps', postgresAsk(client, projectId, twoSteps(more))],
      ],
      close: () => client.end(),
    }
  }
  const close = async () => {
    process.off('exit', server.abandon)
    await server.close()
  }
  return { open, close }
}

async function loadDuck(): Promise<() => Promise<Duck>> {
  try {
    const path = createRequire(new URL('../package.json', import.meta.url)).resolve('@duckdb/node-api')
    const { DuckDBInstance } = (await import(pathToFileURL(path).href)) as {
      readonly DuckDBInstance: { create(path: string): Promise<{ connect(): Promise<Duck> }> }
    }
    return async () => (await DuckDBInstance.create(':memory:')).connect()
  } catch {
    throw new Error('DuckDB is missing. Install it with `npm ci --prefix bench`, or add `--alone`.')
  }
}

type Target = { readonly client: pg.Client; readonly duck: Duck; readonly folder: string }

async function fill(store: ClickHouse, projects: readonly Rows[], { client, duck, folder }: Target): Promise<void> {
  const columns = 'visitor bigint not null, class text, status smallint not null'
  const table = `create table views (project_id text not null, time timestamptz not null, path text not null, ${columns})`
  await client.query(table)
  await duck.run(table)
  for (const rows of projects) {
    await copyRows(store, rows, folder, async (file) => {
      await client.query(`copy views from '${file}'`)
      await duck.run(`copy views from '${file}' (delimiter '\t', header false, quote '')`)
    })
  }
  await client.query('create index views_range on views (project_id, time) include (path, visitor, class, status)')
  await client.query('vacuum analyze views')
  const result = await client.query<{ heap: string; whole: string }>(
    `select pg_table_size('views') as heap, pg_total_relation_size('views') as whole`,
  )
  const [sizes] = result.rows
  const count = projects.reduce((sum, rows) => sum + rows.count, 0)
  const perMillion = (bytes: string | undefined) => `${(Number(bytes) / count).toFixed(1)} MB`
  console.log(
    `PostgreSQL on disk by million, with a third of the columns: ${perMillion(sizes?.heap)}, ` +
      `with its index ${perMillion(sizes?.whole)}`,
  )
}

function postgresAsk(client: pg.Client, projectId: string, statement: string): Ask {
  return async (from, to) => {
    const given = [projectId, `${from}T00:00:00Z`, `${to}T00:00:00Z`]
    const { rows } = await client.query<{ human: string; ai: string; total: string }>(statement, given)
    const [totals] = rows
    return { human: Number(totals?.human), ai: Number(totals?.ai), total: Number(totals?.total) }
  }
}

function duckAsk(duck: Duck, projectId: string, more: string): Ask {
  return async (from, to) => {
    const rows = await (await duck.run(inDuck(projectId, more, from, to))).getRowObjectsJson()
    const totals = rows[0] as Readonly<Record<keyof Counts, string>> | undefined
    return { human: Number(totals?.human), ai: Number(totals?.ai), total: Number(totals?.total) }
  }
}
