// Measures unique visitors under filters over HTTP: of a section, a site and a country, which sealed windows count, and of filters
// that page views answer first and counters afterwards. Compares the first answer with the same question without filters from
// rows, and all counts with `uniqExact` over the rows, and those of the section with DuckDB and PostgreSQL. Run it with
// `npm ci --prefix bench && node bench/filters.ts --millions 10 --rounds 200`; `--alone`: without other databases.

import { chmod } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { madeFiltered } from '../src/analytics/counts/uniques/filtered/filtered.ts'
import { type ClickHouse, openClickHouse } from '../src/clickhouse/open.ts'
import { createSite } from '../src/projects/sites.ts'
import { openEngines } from '../src/service/engines.ts'
import { removeFolder, temporaryFolder } from '../test/support/temporary.ts'
import { median } from './engines.ts'
import { fillStore } from './page-view-rows.ts'
import { startOthers } from './uniques/others.ts'
import { configIn, createProjects, inProcess, openWeb, seal } from './uniques/service.ts'
import { type Ask, compare, type Counts, days, rangeOf, residentMegabytes, timesOf, until } from './uniques/times.ts'

const { values } = parseArgs({
  options: {
    millions: { type: 'string', default: '10' },
    rounds: { type: 'string', default: '200' },
    alone: { type: 'boolean' },
  },
})
const count = Math.round(Number(values.millions) * 1e6)
const rounds = Number(values.rounds)
const section = `and path like '/part-3/%'`

/** Parameters, and the condition that they mean. */
const always: readonly (readonly [string, string])[] = [
  ['&section=/part-3', `startsWith(path, '/part-3/')`],
  ['&site=site_a', `site_id = 'site_a'`],
  ['&country=DE', `country = 'DE'`],
  ['&class=human&section=/part-3', `startsWith(path, '/part-3/') AND category = 'browser'`],
]
const anyFilter: readonly (readonly [string, string])[] = [
  ['&referrer=google.com', `referrer = 'www.google.com'`],
  ['&representation=markdown&site=site_b', `representation = 'markdown' AND site_id = 'site_b'`],
  ['&country=US&country=FR&device=!tablet', `country IN ('US', 'FR') AND device != 'tablet'`],
]

const folder = await temporaryFolder('bench-filters')
await chmod(folder, 0o755)
const databases = values.alone ? undefined : await startOthers()
const config = configIn(folder)
const [projectId = ''] = await createProjects(config, 1)
const others = await databases?.open()
const rows = { projectId, count, days, until, visitorWindow: 'month', isRich: true } as const
const filled = await openClickHouse({ kind: 'embedded', directory: join(config.dataDir, 'clickhouse') })
await fillStore(filled, rows)
await others?.fill(filled, [rows], folder)
await filled.close()

const engines = await openEngines(config)
for (const name of ['site_a', 'site_b']) {
  const site = await createSite(engines.postgres.db, projectId, { name, origins: [], honoursOptOut: false })
  await engines.postgres.db.updateTable('sites').set({ id: name }).where('id', '=', site.id).execute()
}
console.log(`${count / 1e6} million page views, sealed in ${(await seal(engines, projectId)).toFixed(1)} s`)
const store = await engines.pageViews.open()
const web = await openWeb(engines)
const year = rangeOf(days, 0)
await web.ask(projectId)(...year)
const before = residentMegabytes()
console.log(`${before} MB resident with the counters of pages`)
const unfiltered = await firstTimes(await inProcess(engines, projectId, 'rows'))
console.log(`a year without filters, from rows: ${unfiltered.toFixed(0)} ms`)
for (const [filters, condition] of always) await measure(filters, condition)
for (const [filters, condition] of anyFilter) {
  const begin = performance.now()
  await web.ask(projectId, filters)(...year)
  const first = performance.now() - begin
  console.log(
    `${filters}: first ${first.toFixed(0)} ms, ${(first / unfiltered).toFixed(2)} times the year without filters`,
  )
  await madeFiltered(store)
  await measure(filters, condition)
}
console.log(
  `${residentMegabytes()} MB resident, ${(residentMegabytes() / before).toFixed(2)} times as before the filters`,
)
for (const [name, ask] of others?.asks(projectId, section) ?? []) {
  for (const length of [30, days]) await compare(web.ask(projectId, '&section=/part-3'), ask, rangeOf(length, 7), name)
  const { p50, p99 } = await timesOf(() => ask, days, 5)
  console.log(`${name}, the section over a year: p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms`)
}
await web.close()
await engines.close()
await others?.close()
await databases?.close()
await removeFolder(folder)

async function measure(filters: string, condition: string): Promise<void> {
  const ask = web.ask(projectId, filters)
  for (const length of [1, 30, days]) await compare(ask, uniqExact(store, condition), rangeOf(length, 11), 'uniqExact')
  const times = []
  for (const length of [1, 30, 90, days]) times.push(await timesOf(() => ask, length, rounds))
  const text = times.map((one) => `${one.p50.toFixed(1)}/${one.p99.toFixed(1)}`).join('  ')
  console.log(`${filters}: p50/p99 over 1, 30, 90 and ${days} days, in ms: ${text}`)
}

function uniqExact(from: ClickHouse, condition: string): Ask {
  return async (dateFrom, dateTo) => {
    const [counts] = await from.read<Counts>(
      `SELECT uniqExactIf(visitor, category = 'browser') AS human,
        uniqExactIf(visitor, category IN ('ai_assistant', 'ai_coding_agent', 'markdown')) AS ai,
        uniqExactIf(visitor, category IN ('browser', 'ai_assistant', 'ai_coding_agent', 'markdown')) AS total
      FROM page_views WHERE project_id = {projectId:String} AND status != 404 AND visitor != 0 AND ${condition}
        AND time >= {dateFrom:String} AND time < {dateTo:String}`,
      { projectId, dateFrom: `${dateFrom} 00:00:00`, dateTo: `${dateTo} 00:00:00` },
    )
    if (!counts) throw new Error('no counts')
    return counts
  }
}

async function firstTimes(ask: Ask): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < 3; round += 1) {
    const begin = performance.now()
    await ask(...year)
    times.push(performance.now() - begin)
  }
  return median(times)
}
