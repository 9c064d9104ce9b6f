// Measures how the answer to unique visitors grows with the page views, the pages and the days of a question, from counters
// and from rows, in the process, without HTTP. Prints a table for `docs/performance.md` and draws the curves. Run it with
// `node bench/curves.ts --file docs/images/uniques-growth.svg`; `--scale 0.01` makes everything smaller, to try it out.

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openClickHouse } from '../src/clickhouse/open.ts'
import { openEngines } from '../src/service/engines.ts'
import { removeFolder, temporaryFolder } from '../test/support/temporary.ts'
import { fillStore } from './page-view-rows.ts'
import { drawPlots, type Plot, type Point } from './uniques/plot.ts'
import { configIn, createProjects, type Engines, inProcess, seal } from './uniques/service.ts'
import { compare, days, rangeOf, timesOf, until } from './uniques/times.ts'

const { values } = parseArgs({
  options: {
    file: { type: 'string' },
    rounds: { type: 'string', default: '25' },
    scale: { type: 'string', default: '1' },
  },
})

type Filled = { readonly millions: number; readonly pages: number }
type Case = Filled & { readonly length: number; readonly x: number; readonly label: string }

const [millions, pages] = [2, 1_000]
const curves: readonly { readonly title: string; readonly given: string; readonly cases: readonly Case[] }[] = [
  {
    title: 'Millions of page views',
    given: '1,000 pages, 365 days',
    cases: [0.1, 0.3, 1, 3, 10].map((x) => ({ x, label: String(x), millions: x, pages, length: days })),
  },
  {
    title: 'Pages',
    given: '2 million page views, 365 days',
    cases: [100, 1_000, 10_000].map((x) => ({ x, label: x.toLocaleString('en'), millions, pages: x, length: days })),
  },
  {
    title: 'Days of the question',
    given: '2 million page views, 1,000 pages',
    cases: [1, 7, 30, 90, days].map((x) => ({ x, label: String(x), millions, pages, length: x })),
  },
]

const folder = await temporaryFolder('bench-curves')
const config = configIn(folder)
const keyOf = (one: Filled) => `${one.millions} ${one.pages}`
const wanted = [...new Map(curves.flatMap(({ cases }) => cases).map((one) => [keyOf(one), one])).values()]
const ids = await createProjects(config, wanted.length)
const projects = new Map(wanted.map((one, at) => [keyOf(one), ids[at] ?? '']))
await fill()
const engines = await openEngines(config)
const plots: Plot[] = []
for (const { title, given, cases } of curves) {
  console.log(`\n| ${title} | counters, ms | rows, ms | rows / counters |\n| --- | --- | --- | --- |`)
  const points: Point[] = []
  for (const one of cases) points.push(await measure(engines, one))
  plots.push({ title, given, points })
}
await engines.close()
await removeFolder(folder)
const name = 'Milliseconds of an answer from counters and from rows, for more page views, more pages and more days'
if (values.file !== undefined) await writeFile(values.file, drawPlots(name, plots))

async function fill(): Promise<void> {
  const store = await openClickHouse({ kind: 'embedded', directory: join(config.dataDir, 'clickhouse') })
  const rows = wanted.map((one, seed) => ({
    projectId: projects.get(keyOf(one)) ?? '',
    count: Math.round(one.millions * 1e6 * Number(values.scale)),
    pages: one.pages,
    ...({ days, until, visitorWindow: 'month' } as const),
    seed,
  }))
  await fillStore(store, ...rows)
  await store.close()
  const filled = await openEngines(config)
  for (const projectId of projects.values()) await seal(filled, projectId)
  await filled.close()
}

async function measure(of: Engines, one: Case): Promise<Point> {
  const projectId = projects.get(keyOf(one)) ?? ''
  const [counters, rows] = [await inProcess(of, projectId, 'counters'), await inProcess(of, projectId, 'rows')]
  await compare(counters, rows, rangeOf(one.length, 7), 'rows')
  const rounds = Number(values.rounds)
  const { p50: ofCounters } = await timesOf(() => counters, one.length, rounds)
  const { p50: ofRows } = await timesOf(() => rows, one.length, rounds)
  const times = `${ofCounters.toFixed(1)} | ${ofRows.toFixed(0)} | ${Math.round(ofRows / ofCounters)}`
  console.log(`| ${one.label} | ${times} |`)
  return { x: one.x, label: one.label, counters: ofCounters, rows: ofRows }
}
