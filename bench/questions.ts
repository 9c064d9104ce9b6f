// Measures a question about one day, alone and beside two questions about a year of another project that never stop
// coming, from rows and then from counters. Run it with `node bench/questions.ts --millions 2 --rounds 100`.

import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { openClickHouse } from '../src/clickhouse/open.ts'
import { parseConfig } from '../src/config/config.ts'
import { operator } from '../src/projects/keys.ts'
import { buildApp } from '../src/service/app.ts'
import { openEngines } from '../src/service/engines.ts'
import { removeFolder, temporaryFolder } from '../test/support/temporary.ts'
import { fillStore } from './page-view-rows.ts'
import { seal } from './uniques/service.ts'

const { values } = parseArgs({
  options: { millions: { type: 'string', default: '2' }, rounds: { type: 'string', default: '100' } },
})
const days = 365
const dayMs = 86_400_000
const until = Math.floor(Date.now() / dayMs) * dayMs
const count = Math.round(Number(values.millions) * 1e6)

const folder = await temporaryFolder('bench-questions')
const config = parseConfig({
  DOCENT_DATA_DIR: join(folder, 'data'),
  DOCENT_LOG_LEVEL: 'error',
  DOCENT_EXPORTS_PER_HOUR: '10000000',
})
const projects = await createProjects()
const store = await openClickHouse({ kind: 'embedded', directory: join(config.dataDir, 'clickhouse') })
for (const projectId of projects) await fillStore(store, { projectId, count, days, until, visitorWindow: 'month' })
await store.close()

const engines = await openEngines(config)
const app = buildApp(engines, 'http://127.0.0.1')
const [small = '', large = ''] = projects
const rounds = Number(values.rounds)
await measure('from rows')
for (const projectId of projects) await seal(engines, projectId)
await measure('from counters')
await engines.close()
await removeFolder(folder)

async function measure(source: string): Promise<void> {
  await times(5)
  report(`${source}, alone`, await times(rounds))
  const stopping = new AbortController()
  const heavy = [askYears(stopping.signal), askYears(stopping.signal)]
  await ask(small, 1, 1)
  report(`${source}, beside two years`, await times(rounds))
  stopping.abort()
  const years = await Promise.all(heavy)
  console.log(`questions about a year meanwhile: ${years.reduce((sum, one) => sum + one, 0)}`)
}

async function createProjects(): Promise<readonly string[]> {
  const first = await openEngines(config)
  const create = (name: string) =>
    buildApp(first, 'http://127.0.0.1').fetch(
      new Request('http://x/v1/projects', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ name, repository: 'https://git.test/docs' }),
      }),
      { principal: operator },
    )
  const ids: string[] = []
  for (const name of ['Small', 'Large']) ids.push(((await (await create(name)).json()) as { readonly id: string }).id)
  await first.close()
  return ids
}

/** Each question has another range, so that no response is remembered, and waits for its turn as a connection does. */
async function ask(projectId: string, length: number, round: number): Promise<void> {
  const from = until - (length === 1 ? (round % 300) + 1 : length - (round % 20)) * dayMs
  const day = (time: number) => new Date(time).toISOString().slice(0, 10)
  const range = `dateFrom=${day(from)}&dateTo=${day(length === 1 ? from + dayMs : until)}`
  const url = `http://x/v1/analytics/${projectId}/visitors?${range}`
  await setImmediate()
  const response = await app.fetch(new Request(url), { principal: operator })
  if (response.status !== 200) throw new Error(await response.text())
  const { totals } = (await response.json()) as { readonly totals: { readonly total: number } }
  if (totals.total === 0) throw new Error(`there are no visitors in ${range}`)
}

async function askYears(stop: AbortSignal): Promise<number> {
  let asked = 0
  for (; !stop.aborted; asked += 1) await ask(large, days, asked)
  return asked
}

async function times(rounds: number): Promise<readonly number[]> {
  const took: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const start = performance.now()
    await ask(small, 1, round)
    took.push(performance.now() - start)
  }
  return took.toSorted((a, b) => a - b)
}

function report(name: string, took: readonly number[]): void {
  const at = (share: number) => (took[Math.floor((took.length - 1) * share)] ?? Number.NaN).toFixed(1)
  console.log(`${name.padEnd(34)} p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`)
}
