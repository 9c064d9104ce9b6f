// Memory of a service that keeps its data: its own (anonymous) memory at rest, after the first page view, and after a day of
// 10,000 page views, 20 jobs on the example site and questions; also how long a start takes until the ready line, the first time and
// later. Prints a line for each round, then the medians. Run it with `node bench/memory.ts [rounds]`. Linux only: it reads /proc.

import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Environment } from '../src/config/environment.ts'
import { createRepository } from '../test/support/repository.ts'
import { type Client, createClient } from '../test/support/service.ts'
import { megabytesOf } from '../test/support/process-memory.ts'
import { removeFolder, temporaryFolder } from '../test/support/temporary.ts'
import { median } from './engines.ts'
import { startService, stopService } from './service-start.ts'

const rounds = Number(process.argv[2] ?? 5)
const [jobs, views, batch] = [20, 10_000, 100]
const site = fileURLToPath(new URL('../examples/docs', import.meta.url))
const dayMs = 86_400_000

type Figures = Readonly<Record<string, number>>

const all: Figures[] = []
for (let round = 1; round <= rounds; round += 1) {
  const figures = await measure()
  all.push(figures)
  console.log(`${round}: ${Object.entries(figures).map(toText).join(', ')}`)
}
const names = Object.keys(all[0] ?? {})
console.log(`median: ${names.map((name) => toText([name, median(all.map((one) => one[name] ?? 0))])).join(', ')}`)

async function measure(): Promise<Figures> {
  const folder = await temporaryFolder('memory')
  const repository = createRepository(folder, site)
  const environment: Environment = {
    PATH: process.env['PATH'],
    DOCENT_DATA_DIR: join(folder, 'data'),
    DOCENT_PORT: '0',
    DOCENT_LOG_LEVEL: 'error',
    DOCENT_ALLOW_LOCAL_REPOSITORIES: 'true',
    DOCENT_CREATES_PER_HOUR: '10000',
  }
  const first = await startService(environment)
  const mostAtFirst = await megabytesOf(first.child, 'VmHWM')
  await stopService(first)
  const service = await startService(environment)
  try {
    await delay(5_000)
    const [atRest, resident] = [await megabytesOf(service.child, 'RssAnon'), await megabytesOf(service.child, 'VmRSS')]
    const client = await createClient(environment, [service.address], repository)
    await collect(client, 0, 1)
    await delay(10_000)
    const afterFirst = await megabytesOf(service.child, 'RssAnon')
    for (let n = 0; n < jobs; n += 1) {
      await collect(client, 1 + n * (views / jobs), views / jobs)
      const job = await client.create(`Rename "Acme CLI" to "Acme ${n}"`)
      await ask(client)
      const ended = await client.ended(job.id)
      if (ended.status !== 'completed') throw new Error(JSON.stringify(ended.error))
    }
    await delay(10_000)
    return {
      'first start, s': first.seconds,
      'first start at most, MB resident': mostAtFirst,
      'start, s': service.seconds,
      'at rest, MB': atRest,
      'at rest, MB resident': resident,
      'after the first page view, MB': afterFirst,
      'after a day, MB': await megabytesOf(service.child, 'RssAnon'),
    }
  } finally {
    await stopService(service)
    await removeFolder(folder)
  }
}

async function collect(client: Client, from: number, count: number): Promise<void> {
  for (let at = from; at < from + count; at += batch) {
    const items = Array.from({ length: Math.min(batch, from + count - at) }, (_, n) => view(at + n))
    await client.call('POST', `/v1/analytics/${client.projectId}/page-views`, items)
  }
}

function view(n: number) {
  return {
    id: `view-${n}`,
    timestamp: Date.now() - (n % 3_600) * 1_000,
    url: `https://docs.example.com/guides/page-${n % 300}`,
    userAgent: `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${120 + (n % 23)}.0.0.0 Safari/537.36`,
    visitorId: `visitor-${n % 3_000}`,
  }
}

async function ask(client: Client): Promise<void> {
  const from = new Date(Date.now() - 29 * dayMs).toISOString().slice(0, 10)
  for (const name of ['visitors', 'views', 'referrers', 'timeseries'])
    await client.call('GET', `/v1/analytics/${client.projectId}/${name}?dateFrom=${from}`)
}

function toText([name, value]: readonly [string, number]): string {
  const [what = '', unit = ''] = name.split(/, (?=s$|MB)/)
  return `${what} ${value.toFixed(unit === 's' ? 2 : 0)} ${unit}`
}
