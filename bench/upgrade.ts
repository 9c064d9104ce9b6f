// Asks for unique visitors all the time while a store of an earlier release is upgraded: its parts lack the sums over the columns of
// filters, and its seals lack the dimensions of now. No question may be refused, and every answer must be the one of before.
// Run it with `node bench/upgrade.ts --millions 10`.

import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createSealer } from '../src/analytics/counts/uniques/keep-sealed.ts'
import { openClickHouse } from '../src/clickhouse/open.ts'
import { openEngines } from '../src/service/engines.ts'
import { removeFolder, temporaryFolder } from '../test/support/temporary.ts'
import { fillStore } from './page-view-rows.ts'
import { configIn, createProjects, openWeb, seal } from './uniques/service.ts'
import { days, rangeOf, until } from './uniques/times.ts'

const { values } = parseArgs({ options: { millions: { type: 'string', default: '10' } } })
const count = Math.round(Number(values.millions) * 1e6)

const folder = await temporaryFolder('bench-upgrade')
const config = configIn(folder)
const [projectId = ''] = await createProjects(config, 1)
const filled = await openClickHouse({ kind: 'embedded', directory: join(config.dataDir, 'clickhouse') })
await fillStore(filled, { projectId, count, days, until, visitorWindow: 'month', isRich: true })
await filled.close()

const engines = await openEngines(config)
await seal(engines, projectId)
const before = await engines.pageViews.open()
const dimensionsBefore = ['site', 'page', 'referrer', 'agent', 'page_views', 'agent_views', 'crawler_views']
const names = dimensionsBefore.map((name) => `'${name}'`).join(', ')
await before.rewrite(`ALTER TABLE counters DELETE WHERE dimension NOT IN (${names})`, {})
const [lengths] = await before.read<{ lengths: string }>('SELECT any(lengths) AS lengths FROM seals', {})
const kept = Object.entries(JSON.parse(lengths?.lengths ?? '{}') as object)
  .filter(([name]) => dimensionsBefore.includes(name))
  .map(([name]) => name)
// Each seal keeps the numbers of the dimensions of before.
const text = kept.map((name) => `'"${name}":', toString(JSONExtractUInt(lengths, '${name}'))`).join(`, ',', `)
await before.rewrite(`ALTER TABLE seals UPDATE lengths = concat('{', ${text}, '}') WHERE 1`, {})
await before.rewrite('ALTER TABLE page_views CLEAR PROJECTION filtered_windows', {})
await engines.close()

const upgraded = await openEngines(config)
const web = await openWeb(upgraded)
const store = await upgraded.pageViews.open()
const ranges = [1, 30, 90, days].map((length) => rangeOf(length, 3))
const filters = ['', '&section=/part-3', '&site=site_a']
const questions = filters.flatMap((filter) => ranges.map((range) => ({ filter, range })))
const state = { isDone: false, asked: 0, longest: 0, began: performance.now() }
const answers = new Map<string, string>()
const asking = (async () => {
  while (!state.isDone) {
    for (const { filter, range } of questions) {
      const begin = performance.now()
      const answer = JSON.stringify(await web.ask(projectId, filter)(...range))
      const key = `${filter} ${range.join()}`
      if ((answers.get(key) ?? answer) !== answer) throw new Error(`${key}: ${answers.get(key)}, then ${answer}`)
      answers.set(key, answer)
      state.asked += 1
      state.longest = Math.max(state.longest, performance.now() - begin)
    }
  }
})()
const { db } = upgraded.postgres
const sealer = createSealer()
const { signal } = new AbortController()
const upgrade = async () => {
  let sealed = 0
  for (const end = performance.now() + 3_600_000; performance.now() < end;) {
    sealed += await sealer({ db, store, clock: upgraded.clock, signal })
    if (sealed > 0 && (await answerer('&site=site_a')) === 'counters') return sealed
    await new Promise((resolve) => void setTimeout(resolve, 5_000))
  }
  throw new Error('windows were not sealed again')
}
const sealed = await upgrade()
const seconds = ((performance.now() - state.began) / 1_000).toFixed(0)
state.isDone = true
await asking
console.log(
  `${count / 1e6} million page views: ${sealed} windows sealed again after ${seconds} s; ${state.asked} questions, none refused, all equal, the longest ${state.longest.toFixed(0)} ms`,
)
await web.close()
await upgraded.close()
await removeFolder(folder)

async function answerer(filter: string): Promise<string | null> {
  const [from, to] = rangeOf(days, 3)
  const url = `${web.address}/v1/analytics/${projectId}/visitors?dateFrom=${from}&dateTo=${to}${filter}`
  const response = await fetch(url, { headers: web.headers })
  await response.text()
  return response.headers.get('Docent-Answered-From')
}
