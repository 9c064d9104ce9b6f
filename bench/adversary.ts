// Measures what a hostile project costs: pages with 50 segments each, a new campaign and title with every page view, then another
// filter in every question, 100 of them a second. Memory and disk must stay within limits, and answers must come within seconds.
// Run it with `node bench/adversary.ts --pages 50000 --seconds 30`.

import { execFileSync } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { openEngines } from '../src/service/engines.ts'
import { removeFolder, temporaryFolder } from '../test/support/temporary.ts'
import { configIn, createProjects, openWeb, seal } from './uniques/service.ts'
import { residentMegabytes } from './uniques/times.ts'

const { values } = parseArgs({
  options: { pages: { type: 'string', default: '50000' }, seconds: { type: 'string', default: '30' } },
})
const [pages, seconds] = [Number(values.pages), Number(values.seconds)]
const batch = 1_000
const perSecond = 100

const folder = await temporaryFolder('bench-adversary')
const config = configIn(folder)
const [projectId = ''] = await createProjects(config, 1)
const engines = await openEngines(config)
const web = await openWeb(engines)
const path = `${web.address}/v1/analytics/${projectId}`

const pathOf = (n: number) =>
  `/${Array.from({ length: 50 }, (_, at) => (at < 4 ? `s${n % 10 ** (at + 1)}` : `n${n}-${at}`)).join('/')}`
const begin = performance.now()
for (let from = 0; from < pages; from += batch) {
  const views = Array.from({ length: Math.min(batch, pages - from) }, (_, at) => {
    const n = from + at
    return {
      timestamp: Date.now() - (n % 60) * 86_400_000,
      path: `${pathOf(n)}?utm_campaign=c${n}&ref=${n}`,
      title: `Title ${n}`,
      userAgent: `Mozilla/5.0 (X11; Linux x86_64; rv:${n % 200}.0) Gecko/20100101 Firefox/${n % 200}.0`,
      visitorId: String(n % 5_000),
      headers: { 'accept-language': `${String.fromCharCode(97 + (n % 26))}e` },
    }
  })
  const response = await fetch(`${path}/page-views`, {
    method: 'POST',
    headers: web.headers,
    body: JSON.stringify(views),
  })
  if (response.status !== 202) throw new Error(await response.text())
  await response.text()
}
const took = (performance.now() - begin) / 1_000
console.log(`${pages} page views, each of a new page: ${(pages / took).toFixed(0)} a second`)
console.log(
  `sealed in ${(await seal(engines, projectId)).toFixed(1)} s; ${residentMegabytes()} MB resident, ${diskMegabytes()} MB on disk`,
)

const filters = [
  (n: number) => `section=/s${n % 10}/s${n % 100}/s${n % 1_000}`,
  (n: number) => `path=${encodeURIComponent(pathOf(n))}`,
  (n: number) => `campaign=utm_campaign%3Dc${n}`,
  (n: number) => `language=${String.fromCharCode(97 + (n % 26))}e&section=/s${n % 10}`,
  (n: number) => `referrer=site${n}.example&class=human`,
]
const exports = ['visitors', 'views', 'timeseries', 'breakdown']
const statuses = new Map<number, number>()
const times: number[] = []
const asking: Promise<void>[] = []
for (let n = 0; n < seconds * perSecond; n += 1) {
  asking.push(ask(n))
  await delay(1_000 / perSecond)
}
await Promise.all(asking)
const sorted = times.toSorted((a, b) => a - b)
const at = (share: number) => ((sorted[Math.ceil(share * sorted.length) - 1] ?? 0) / 1_000).toFixed(1)
console.log(
  `${times.length} questions with different filters in ${seconds} s: ${JSON.stringify(Object.fromEntries(statuses))}`,
)
console.log(
  `p50 ${at(0.5)} s, p99 ${at(0.99)} s, longest ${at(1)} s; ${residentMegabytes()} MB resident, ${diskMegabytes()} MB on disk`,
)
await web.close()
await engines.close()
await removeFolder(folder)

async function ask(n: number): Promise<void> {
  const name = exports[n % exports.length] ?? ''
  const filter = filters[n % filters.length]?.(n * 7) ?? ''
  const start = performance.now()
  const response = await fetch(`${path}/${name}?${filter}${name === 'breakdown' ? '&by=country' : ''}`, {
    headers: web.headers,
  })
  await response.text()
  statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1)
  times.push(performance.now() - start)
}

function diskMegabytes(): number {
  return Number(execFileSync('du', ['-sm', config.dataDir], { encoding: 'utf8' }).split('\t')[0])
}
