// A service in this process with projects full of page views, and the ways to ask it for unique visitors: over HTTP, in
// the process, and from the rows alone.

import { join } from 'node:path'
import { generationOf, planQuery } from '../../src/analytics/counts/query/plan.ts'
import { readPage } from '../../src/analytics/counts/query/rows.ts'
import { readWindows } from '../../src/analytics/counts/query/version.ts'
import { visitors } from '../../src/analytics/counts/query/exports/visitors.ts'
import { findCounted } from '../../src/analytics/counts/uniques/counted.ts'
import { sealWindows } from '../../src/analytics/counts/uniques/seal.ts'
import { knownWindows } from '../../src/analytics/counts/uniques/windows.ts'
import { type Config, parseConfig } from '../../src/config/config.ts'
import { listen } from '../../src/http/server/server.ts'
import { operator } from '../../src/projects/keys.ts'
import { getProject } from '../../src/projects/projects.ts'
import { buildApp } from '../../src/service/app.ts'
import { openEngines } from '../../src/service/engines.ts'
import { type Ask, type Counts, days, today } from './times.ts'

export type Engines = Awaited<ReturnType<typeof openEngines>>

type App = ReturnType<typeof buildApp>

export function configIn(folder: string): Config {
  const settings = { DOCENT_DATA_DIR: join(folder, 'data'), DOCENT_LOG_LEVEL: 'error' }
  return parseConfig({ ...settings, DOCENT_EXPORTS_PER_HOUR: '100000000' })
}

export async function createProjects(config: Config, count: number): Promise<readonly string[]> {
  const engines = await openEngines(config)
  const app = buildApp(engines, 'http://x')
  const ids: string[] = []
  const project = { name: 'B', repository: 'https://example.com/r.git' }
  while (ids.length < count) ids.push((await post<{ readonly id: string }>(app, '/v1/projects', project)).id)
  await engines.close()
  return ids
}

async function post<T>(app: App, path: string, body: object): Promise<T> {
  const headers = { 'Content-Type': 'application/json' }
  const request = new Request(`http://x${path}`, { method: 'POST', body: JSON.stringify(body), headers })
  return (await (await app.fetch(request, { principal: operator })).json()) as T
}

/** Seals all windows of a project, as the service does in the background, and returns the seconds that it took. */
export async function seal({ postgres, pageViews, clock }: Engines, projectId: string): Promise<number> {
  const store = await pageViews.open()
  const settings = await getProject(postgres.db, projectId)
  const begin = performance.now()
  for (const window of await readWindows(store, projectId)) {
    await sealWindows(store, { projectId, settings, windows: [window], now: clock.now() })
  }
  return (performance.now() - begin) / 1_000
}

export type Web = {
  readonly address: string
  readonly headers: Readonly<Record<string, string>>
  /** `filters`: parameters of the query, which begin with `&`. */
  readonly ask: (projectId: string, filters?: string) => Ask
  readonly close: () => Promise<void>
}

export async function openWeb(engines: Engines): Promise<Web> {
  const app = buildApp(engines, 'http://127.0.0.1')
  const web = await listen(app, { host: '127.0.0.1', port: 0 })
  const { key } = await post<{ readonly key: string }>(app, '/v1/keys', { name: 'b' })
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
  const ask =
    (projectId: string, filters = ''): Ask =>
    async (from, to) => {
      const url = `${web.address}/v1/analytics/${projectId}/visitors?dateFrom=${from}&dateTo=${to}${filters}`
      const answer = await fetch(url, { headers })
      if (answer.status !== 200) throw new Error(await answer.text())
      return ((await answer.json()) as { readonly totals: Counts }).totals
    }
  return { address: web.address, headers, ask, close: () => web.close(0) }
}

type Source = 'rows' | 'counters'

/** Asks without HTTP. `rows`: counts the rows, as if no window had counters. */
export async function inProcess(engines: Engines, projectId: string, source: Source): Promise<Ask> {
  const ask = await prepare(engines, projectId)
  return async (from, to) => (await readPage(await ask([from, to], source), visitors)).totals as Counts
}

/** Do counters answer the last year and today, without any rows? */
export async function isCounted(engines: Engines, projectId: string): Promise<boolean> {
  const ask = await prepare(engines, projectId)
  const counted = await findCounted({ ...(await ask(today(days), 'counters')), dimensions: ['site', 'page'] })
  return counted !== undefined && counted.rest === undefined
}

async function prepare({ postgres, pageViews, clock }: Engines, projectId: string) {
  const store = await pageViews.open()
  const settings = await getProject(postgres.db, projectId)
  const failed = (error: unknown) => {
    throw error
  }
  return async ([dateFrom, dateTo]: readonly [string, string], source: Source) => {
    const query = { dateFrom, dateTo, limit: 50, offset: 0, interval: 'day' } as const
    const plan = planQuery({ projectId, settings, query, now: clock.now() })
    const windows = source === 'rows' ? [] : await knownWindows(store, projectId)
    return { store, plan, known: { settings, generation: generationOf(settings), windows, failed } }
  }
}
