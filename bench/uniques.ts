// Measures unique visitors of the site and of the first fifty pages, from the request over HTTP to the last byte of the
// response: alone, and while 500 page views of today arrive each second and one window is counted again. Each request has
// another range, and goes to one of the projects at random. Compares them with the count of the rows in the store, which
// answered before there were counters, and with the same query on DuckDB and on a PostgreSQL server with its best index. All
// read the same rows, and all counts must be equal. Run it with
// `npm ci --prefix bench && node bench/uniques.ts --millions 0.2,2,10 --rounds 100`. Each of `--projects` has that many page
// views; with `--alone`, there are no other databases; with `--visitors never`, the number of a visitor never changes.

import { chmod } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openClickHouse } from '../src/clickhouse/open.ts'
import { openEngines } from '../src/service/engines.ts'
import { removeFolder, temporaryFolder } from '../test/support/temporary.ts'
import { median } from './engines.ts'
import { fillStore, type Rows } from './page-view-rows.ts'
import { type Others, startOthers } from './uniques/others.ts'
import { configIn, createProjects, type Engines, inProcess, openWeb, seal, type Web } from './uniques/service.ts'
import { type Ask, compare, days, rangeOf, residentMegabytes, type Times, timesOf } from './uniques/times.ts'
import { today, until } from './uniques/times.ts'
import { startTraffic } from './uniques/traffic.ts'

const { values } = parseArgs({
  options: {
    millions: { type: 'string', default: '0.2,2,10' },
    projects: { type: 'string', default: '1' },
    rounds: { type: 'string', default: '100' },
    visitors: { type: 'string', default: 'month' },
    alone: { type: 'boolean', default: false },
  },
})
const visitorWindow = values.visitors === 'never' ? 'never' : 'month'
const rounds = Number(values.rounds)
const lengths = [1, 30, days]

const databases = values.alone ? undefined : await startOthers()
for (const millions of values.millions.split(',')) await measure(Math.round(Number(millions) * 1e6))
await databases?.close()

async function measure(count: number): Promise<void> {
  const folder = await temporaryFolder('bench-uniques')
  await chmod(folder, 0o755)
  const config = configIn(folder)
  const projects = await createProjects(config, Number(values.projects))
  const others = await databases?.open()
  const rows = projects.map((projectId, seed) => ({ projectId, count, days, until, visitorWindow, seed }) as const)
  console.log(`${projects.length} projects with ${count / 1e6} million page views each`)
  await fill(join(config.dataDir, 'clickhouse'), rows, others, folder)

  const engines = await openEngines(config)
  let seconds = 0
  for (const projectId of projects) seconds += await seal(engines, projectId)
  console.log(`sealed in ${seconds.toFixed(1)} s`)
  const web = await openWeb(engines)
  await askFirst(web, projects)
  const ours = projects.map((projectId) => web.ask(projectId))
  const counted = await Promise.all(projects.map((projectId) => inProcess(engines, projectId, 'rows')))
  const theirs = others?.asks(projects[0] ?? '') ?? []
  await compareAll(ours, counted, theirs)
  const quiet = await timesOfEach(ours)
  print('Docent', quiet)
  const busy = await measureBusy(engines, web, projects)
  print('Docent, while page views arrive', busy)
  for (const [at, ask] of ours.entries()) await compare(ask, counted[at] ?? ask, today(30), 'rows with those of today')
  print('Docent, from rows', await timesOfEach(counted), busy)
  for (const [name, ask] of theirs) print(name, await timesOfEach([ask]), busy)
  await web.close()
  await engines.close()
  await others?.close()
  await removeFolder(folder)
}

async function fill(directory: string, projects: readonly Rows[], others: Others | undefined, folder: string) {
  const store = await openClickHouse({ kind: 'embedded', directory })
  try {
    await fillStore(store, ...projects)
    const [parts] = await store.read<{ bytes: number; rows: number }>(
      `SELECT sum(bytes_on_disk) AS bytes, sum(rows) AS rows FROM system.parts WHERE active AND table = 'page_views'`,
      {},
    )
    console.log(`on disk by million: ${((parts?.bytes ?? 0) / (parts?.rows ?? 1)).toFixed(1)} MB`)
    await others?.fill(store, projects, folder)
  } finally {
    await store.close()
  }
}

/** The counters of a project are not in memory yet. */
async function askFirst(web: Web, projects: readonly string[]): Promise<void> {
  const times: number[] = []
  for (const projectId of projects) {
    const begin = performance.now()
    await web.ask(projectId)(...rangeOf(days, 0))
    times.push(performance.now() - begin)
  }
  const [first = 0, ...later] = times.map(Math.round)
  const ofLater =
    later.length > 0 ? `, of the others: median ${median(later)} ms, longest ${Math.max(...later)} ms` : ''
  console.log(`first question of the first project: ${first} ms${ofLater}; ${residentMegabytes()} MB resident`)
}

/** Throws unless all return the same counts. The other databases are asked for the first project only. */
async function compareAll(ours: readonly Ask[], counted: readonly Ask[], theirs: readonly (readonly [string, Ask])[]) {
  for (const range of lengths.flatMap((length) => [0, 7, 29].map((round) => rangeOf(length, round)))) {
    for (const [at, ask] of ours.entries()) await compare(ask, counted[at] ?? ask, range, 'rows')
    const [first] = ours
    if (first) for (const [name, ask] of theirs) await compare(first, ask, range, name)
  }
}

async function measureBusy(engines: Engines, web: Web, projects: readonly string[]): Promise<readonly Times[]> {
  const traffic = startTraffic(engines, web, projects)
  const begin = performance.now()
  await traffic.followed()
  const seconds = ((performance.now() - begin) / 1_000).toFixed(1)
  const times = await timesOfEach(projects.map((projectId) => web.ask(projectId)))
  const { views, rebuilt } = await traffic.stop()
  console.log(
    `counters followed the live windows of all projects after ${seconds} s; ${residentMegabytes()} MB resident`,
  )
  console.log(`${views} page views a second arrived, ${rebuilt} windows were counted again`)
  return times
}

/** One after the other for each length of range, in a random order. */
async function timesOfEach(asks: readonly Ask[]): Promise<readonly Times[]> {
  const next = () => asks[Math.floor(Math.random() * asks.length)] as Ask
  const found: Times[] = []
  for (const length of lengths) found.push(await timesOf(next, length, rounds))
  return found
}

function print(name: string, times: readonly Times[], docent: readonly Times[] = times): void {
  for (const [at, { p50, p99, rounds }] of times.entries()) {
    const beside = docent[at] ?? { p50, p99 }
    const ratios = `${(p50 / beside.p50).toFixed(1)} and ${(p99 / beside.p99).toFixed(1)} times Docent's`
    const milliseconds = `p50 ${p50.toFixed(1).padStart(8)} ms  p99 ${p99.toFixed(1).padStart(8)} ms`
    const range = `${lengths[at]} days`.padStart(8)
    console.log(`  ${name.padEnd(32)} ${range}  ${milliseconds}  ${ratios} (${rounds} rounds)`)
  }
}
