// Fills a folder with a hundred million page views of a year and seals their windows, then measures, in a new process, the
// first question, questions about a year in the process and over HTTP, memory and disk. Run it with
// `node bench/large.ts --folder FOLDER --millions 100`: it needs 10 GB of disk. Filling takes half an hour on two busy cores; a
// folder that is full is only measured.

import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openClickHouse } from '../src/clickhouse/open.ts'
import { openEngines } from '../src/service/engines.ts'
import { fillStore } from './page-view-rows.ts'
import { configIn, createProjects, type Engines, inProcess, openWeb, seal } from './uniques/service.ts'
import { type Ask, compare, days, rangeOf, residentMegabytes, timesOf, until } from './uniques/times.ts'

const { values } = parseArgs({
  options: {
    folder: { type: 'string' },
    millions: { type: 'string', default: '100' },
    rounds: { type: 'string', default: '25' },
    fill: { type: 'boolean', default: false },
  },
})
if (values.folder === undefined) throw new Error('Name a folder with --folder.')
const config = configIn(values.folder)
/** Contains the id of the project, once its windows are sealed. */
const filled = join(values.folder, 'filled.txt')
if (values.fill) await fill()
else {
  // The memory of the process that fills does not count.
  if (!existsSync(filled)) spawnSync(process.execPath, [...process.argv.slice(1), '--fill'], { stdio: 'inherit' })
  await measure((await readFile(filled, 'utf8')).trim())
}

async function fill(): Promise<void> {
  const [projectId = ''] = await createProjects(config, 1)
  const begin = performance.now()
  const store = await openClickHouse({ kind: 'embedded', directory: join(config.dataDir, 'clickhouse') })
  const count = Math.round(Number(values.millions) * 1e6)
  await fillStore(store, { projectId, count, days, until, visitorWindow: 'month' })
  await store.close()
  console.log(`filled in ${((performance.now() - begin) / 1_000).toFixed(0)} s, ${residentMegabytes()} MB resident`)
  const engines = await openEngines(config)
  console.log(`sealed in ${(await seal(engines, projectId)).toFixed(0)} s, ${residentMegabytes()} MB resident`)
  await engines.close()
  await writeFile(filled, projectId)
}

async function measure(projectId: string): Promise<void> {
  const engines = await openEngines(config)
  const web = await openWeb(engines)
  const overHttp = web.ask(projectId)
  console.log(`before the first question: ${residentMegabytes()} MB resident`)
  const begin = performance.now()
  const { total } = await overHttp(...rangeOf(days, 0))
  const first = Math.round(performance.now() - begin)
  console.log(`first question: ${total} visitors, ${first} ms, ${residentMegabytes()} MB resident afterwards`)
  const counters = await inProcess(engines, projectId, 'counters')
  for (const length of [1, 30, days]) {
    await report(`${length} days in the process`, counters, length)
    await report(`${length} days over HTTP`, overHttp, length)
  }
  const peak = Math.round(process.resourceUsage().maxRSS / 1e3)
  console.log(`after the questions: ${residentMegabytes()} MB resident, at most ${peak} MB`)
  await printDisk(engines)
  const rows = await inProcess(engines, projectId, 'rows')
  await compare(counters, rows, rangeOf(30, 7), 'rows')
  console.log('30 days: rows have the same counts')
  await web.close()
  await engines.close()
}

async function report(name: string, ask: Ask, length: number): Promise<void> {
  const { p50, p99, rounds } = await timesOf(() => ask, length, Number(values.rounds))
  console.log(`${name.padEnd(24)} p50 ${p50.toFixed(1)} ms  p99 ${p99.toFixed(1)} ms (${rounds} rounds)`)
}

async function printDisk({ pageViews }: Engines): Promise<void> {
  const tables = await (
    await pageViews.open()
  ).read<{ name: string; bytes: number; rows: number }>(
    `SELECT table AS name, sum(bytes_on_disk) AS bytes, sum(rows) AS rows FROM system.parts
      WHERE active AND table IN ('page_views', 'counters', 'seals') GROUP BY table ORDER BY table`,
    {},
  )
  for (const { name, bytes, rows } of tables)
    console.log(`${name}: ${rows} rows, ${Math.round(bytes / 1e6)} MB on disk`)
}
