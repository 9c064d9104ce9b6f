// Measures page views over HTTP, acknowledged after they are stored, and compares them with a bare Node.js server that
// parses the same bodies and discards them. Both run in turn in one process; the client runs in another. The result is
// their ratio, the time of a request and the processor time of a page view, and the memory of this process at rest and at
// its peak. Single page views are sent by `wrk` (Debian: `wrk`), too, if it is installed: the client in Node.js limits the bare
// server. At the end, the store must have what was acknowledged. `node bench/collect.ts 5`: five rounds.

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { upgradeVersions } from '../src/analytics/counts/query/version.ts'
import { parseConfig } from '../src/config/config.ts'
import { listen } from '../src/http/server/server.ts'
import { operator } from '../src/projects/keys.ts'
import { buildApp } from '../src/service/app.ts'
import { openEngines } from '../src/service/engines.ts'
import { removeFolder, temporaryFolder } from '../test/support/temporary.ts'
import type { Done, Order } from './collect-client.ts'
import { hasWrk, runWrk } from './collect-wrk.ts'
import { median } from './engines.ts'

const rounds = Number(process.argv[2] || 5)
const wrkSeconds = 3
const kinds = [
  { name: 'single', size: 1, count: 6_000, width: 16, aim: 0.2 },
  { name: 'single', size: 1, count: 6_000, width: 64, aim: 0.35 },
  { name: 'single', size: 1, count: 6_000, width: 256, aim: 0.35 },
  { name: 'batches of 100', size: 100, count: 400, width: 16, aim: 0.12 },
  { name: 'batches of 100', size: 100, count: 400, width: 64, aim: 0.12 },
] as const

const folder = await temporaryFolder('bench-collect')
const engines = await openEngines(
  parseConfig({
    DOCENT_DATA_DIR: `${folder}/data`,
    DOCENT_LOG_LEVEL: 'error',
    DOCENT_COLLECTS_PER_MINUTE: '100000000',
  }),
)
const app = buildApp(engines, 'http://127.0.0.1')
const web = await listen(app, { host: '127.0.0.1', port: 0 })
const bare = createServer((incoming, outgoing) => {
  const chunks: Buffer[] = []
  incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
  incoming.on('end', () => {
    JSON.parse(Buffer.concat(chunks).toString())
    outgoing.writeHead(202).end()
  })
})
await new Promise<void>((resolve) => bare.listen(0, '127.0.0.1', resolve))
const client = fork(fileURLToPath(new URL('collect-client.ts', import.meta.url)))
const memory = { atRest: 0, highest: 0 }
/** Page views that the service acknowledged. */
const acknowledged = { views: 0, left: 0 }

const place = await makePlace()
await measureMemoryAtRest()
const sampling = setInterval(() => (memory.highest = Math.max(memory.highest, process.memoryUsage.rss())), 50)
for (const kind of kinds) await measure(kind)
await compare()
if (hasWrk()) for (const open of [64, 256]) await measureByWrk(open)
else console.log('wrk is not installed, so no native client was measured')
clearInterval(sampling)
const mb = (bytes: number) => `${(bytes / 1024 ** 2).toFixed(0)} MB`
console.log(`memory        at rest ${mb(memory.atRest)}, at most ${mb(memory.highest)}`)

client.disconnect()
await new Promise((resolve) => bare.close(resolve))
await web.close(1_000)
await engines.close()
await removeFolder(folder)

async function call<T>(path: string, body: object): Promise<T> {
  const init = { method: 'POST', body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }
  return (await (await app.fetch(new Request(`http://x${path}`, init), { principal: operator })).json()) as T
}

async function makePlace() {
  const project = await call<{ id: string }>('/v1/projects', { name: 'B', repository: 'https://example.com/r.git' })
  const origin = 'https://docs.example.com'
  const site = await call<{ id: string }>(`/v1/projects/${project.id}/sites`, { name: 'docs', origins: [origin] })
  const { key } = await call<{ key: string }>('/v1/keys', { name: 'b' })
  return {
    single: { url: `${web.address}/v1/collect/${site.id}`, headers: { Origin: origin, 'Content-Type': 'text/plain' } },
    batch: {
      url: `${web.address}/v1/analytics/${project.id}/page-views`,
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    },
  }
}

/** Measures after the first page view, which opens the store. */
async function measureMemoryAtRest(): Promise<void> {
  await order({ ...place.single, size: 1, count: 1, width: 1 })
  acknowledged.views += 1
  // As the service does within its first minute.
  await upgradeVersions(await engines.pageViews.open())
  await new Promise((resolve) => setTimeout(resolve, 2_000))
  memory.atRest = process.memoryUsage.rss()
}

async function measure({ name, size, count, width, aim }: (typeof kinds)[number]): Promise<void> {
  const target = size === 1 ? place.single : place.batch
  const discarding = { ...target, url: bareUrl() }
  const rows: Row[] = []
  for (let round = 0; round <= rounds; round += 1) {
    const { rate: bare } = await run({ ...discarding, size, count, width })
    const cpu = process.cpuUsage()
    const { rate: ours, took } = await run({ ...target, size, count, width })
    const { user, system } = process.cpuUsage(cpu)
    acknowledged.views += count * size
    const at = (share: number) => took[Math.floor((took.length - 1) * share)] ?? Number.NaN
    rows.push({ bare, ours, p50: at(0.5), p99: at(0.99), cpu: (user + system) / count / size })
  }
  const warm = rows.slice(1)
  const ratios = warm.map((row) => row.ours / row.bare).toSorted((a, b) => a - b)
  const middle = (of: (row: Row) => number, factor = 1) => (median(warm.map(of)) * factor).toFixed(0)
  console.log(
    `${name}, ${width} at a time: stored ${middle((row) => row.ours, size)} page views/s, bare ${middle((row) => row.bare, size)}/s, ratio ${median(ratios).toFixed(2)} (${ratios[0]?.toFixed(2)}–${ratios.at(-1)?.toFixed(2)}, aim ${aim}); p50 ${middle((row) => row.p50)} ms, p99 ${middle((row) => row.p99)} ms; ${middle((row) => row.cpu)} µs of CPU for a page view`,
  )
}

async function measureByWrk(open: number): Promise<void> {
  const ratios: number[] = []
  const rates: number[] = []
  for (let round = 0; round <= rounds; round += 1) {
    const discarding = await runWrk(bareUrl(), open, wrkSeconds)
    const stored = await runWrk(place.single.url, open, wrkSeconds)
    acknowledged.views += stored.answered
    // At its end, wrk leaves requests that are answered a moment later.
    acknowledged.left += open
    await compare()
    if (round > 0) ratios.push(stored.rate / discarding.rate)
    if (round > 0) rates.push(stored.rate)
  }
  const [least, most] = [Math.min(...ratios), Math.max(...ratios)].map((one) => one.toFixed(2))
  console.log(
    `single by wrk, ${open} at a time: stored ${median(rates).toFixed(0)} page views/s, ratio ${median(ratios).toFixed(2)} (${least}–${most}, aim 0.20)`,
  )
}

function bareUrl(): string {
  return `http://127.0.0.1:${(bare.address() as AddressInfo).port}/`
}

async function countRows(): Promise<number> {
  const store = await engines.pageViews.open()
  const [row] = await store.read<{ rows: number }>('SELECT count() AS rows FROM page_views', {})
  return row?.rows ?? 0
}

/** Throws if the store lacks an acknowledged page view, or has more others than clients left. */
async function compare(): Promise<void> {
  const rows = await countRows()
  const { views, left } = acknowledged
  if (rows < views || rows > views + left) throw new Error(`${views} page views were acknowledged, ${rows} stored`)
}

type Row = {
  /** Requests per second. */
  readonly ours: number
  readonly bare: number
  /** Milliseconds of a request. */
  readonly p50: number
  readonly p99: number
  /** Microseconds of a page view, of all threads of this process. */
  readonly cpu: number
}

async function run(wanted: Order) {
  const { seconds, statuses, took } = await order(wanted)
  if (statuses['202'] !== wanted.count) throw new Error(`the statuses are ${JSON.stringify(statuses)}`)
  return { rate: wanted.count / seconds, took }
}

/** Sends one order to the client and waits for the result. Orders must not overlap. */
async function order(wanted: Order): Promise<Done> {
  client.send(wanted)
  const [done] = (await once(client, 'message')) as [Done]
  return done
}
