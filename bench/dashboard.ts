// Measures pages of the dashboard in Chromium, each opened without a cache: when the largest thing in it was painted, and how
// long tasks blocked it. Pages with thousands of rows get them from the browser test's `many.ts`. Medians of a few rounds;
// the last column compares the paint with that of the home page. Wall time: on a busy machine compare the ratios only.

import type { Page } from 'playwright-core'
import { insertPageViews } from '../src/analytics/store.ts'
import { openClickHouse } from '../src/clickhouse/open.ts'
import type { JobPage } from '../src/jobs/list.ts'
import { manyEvents, manyFiles, manyJobs, serveMany } from '../test/browser/dashboard/many.ts'
import { openDashboard } from '../test/browser/dashboard/open.ts'
import { createTraffic } from '../test/browser/dashboard/visitors-traffic.ts'
import { median } from './engines.ts'

const rounds = 5

type Measured = { readonly paintMs: number; readonly blockedMs: number }

type Case = {
  readonly name: string
  readonly path: string
  /** A text that is there once the content is. */
  readonly ready: string
  readonly prepare?: (page: Page) => Promise<void>
}

const dashboard = await openDashboard({ 'index.md': '# Home\n\nUse the Acme CLI.\n' })
const { client, chromium, address } = dashboard
const created = await client.create('Rename "Acme CLI" to "Acme Command"')
const job = await client.ended(created.id)
const store = await openClickHouse({ kind: 'server', url: dashboard.environment['CLICKHOUSE_URL'] ?? '' })
await insertPageViews(store, createTraffic(client.projectId, Date.now()))
await store.close()
const [sample] = (await client.call<JobPage>('GET', `/v2/agent/${client.projectId}/jobs`)).jobs
if (sample === undefined) throw new Error('There is no job.')

const project = `/projects/${client.projectId}`
const jobs = (count: number): Case => ({
  name: `${count.toLocaleString('en')} jobs`,
  path: `${project}/jobs`,
  ready: 'Job 0 of many',
  prepare: (page) => serveMany(page, { jobs: manyJobs(sample, count) }),
})
const cases: readonly Case[] = [
  { name: 'home', path: '/', ready: 'Latest jobs' },
  jobs(100),
  jobs(10_000),
  {
    name: 'job, 2,000 events',
    path: `${project}/jobs/${job.id}`,
    ready: 'Turn 2',
    prepare: (page) => serveMany(page, { events: manyEvents(2_000) }),
  },
  {
    name: 'change, 300 files',
    path: `${project}/pulls/1`,
    ready: '300 files',
    prepare: (page) => serveMany(page, { files: manyFiles(300) }),
  },
  { name: 'visitors', path: `${project}/visitors`, ready: '/quickstart' },
]

// The first page of a new browser is slower.
for (const first of cases.slice(0, 1)) await measureOnce(first)
const paints = new Map<string, number>()
for (const one of cases) {
  const all: Measured[] = []
  for (let round = 0; round < rounds; round += 1) all.push(await measureOnce(one))
  const paint = median(all.map(({ paintMs }) => paintMs))
  const blocked = median(all.map(({ blockedMs }) => blockedMs))
  paints.set(one.name, paint)
  const ratio = paint / (paints.get('home') ?? paint)
  console.log(
    `${one.name.padEnd(18)} largest paint ${paint.toFixed(0).padStart(5)} ms, blocked ${blocked.toFixed(0).padStart(4)} ms, paint / home ${ratio.toFixed(2)}`,
  )
}
const growth = (paints.get('10,000 jobs') ?? Number.NaN) / (paints.get('100 jobs') ?? Number.NaN)
console.log(`${'10,000 / 100 jobs'.padEnd(18)} largest paint ${growth.toFixed(2)}`)
await dashboard.close()

async function measureOnce({ path, ready, prepare }: Case): Promise<Measured> {
  const page = await chromium.context.newPage()
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.setCacheDisabled', { cacheDisabled: true })
  await prepare?.(page)
  await page.goto(address + path)
  await page.getByText(ready).first().waitFor()
  const measured = await page.evaluate<Measured>(readEntries())
  await page.close()
  return measured
}

/** Runs in the page. A task blocks by what it takes beyond 50 ms, as in the total blocking time of Lighthouse. */
function readEntries(): string {
  return `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(async () => {
    const entries = (type) => new Promise((found) => {
      const observer = new PerformanceObserver((list) => { found(list.getEntries()); observer.disconnect() })
      observer.observe({ type, buffered: true })
      setTimeout(() => found([]), 100)
    })
    const paints = await entries('largest-contentful-paint')
    const tasks = await entries('longtask')
    const blockedMs = tasks.reduce((sum, { duration }) => sum + duration - 50, 0)
    done({ paintMs: paints.at(-1)?.startTime ?? NaN, blockedMs })
  })))`
}
