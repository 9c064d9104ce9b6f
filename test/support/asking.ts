// Asks a store as the process that owns it, and from the rows alone.

import assert from 'node:assert/strict'
import { after } from 'node:test'
import { planQuery, type Query, type QuerySettings } from '../../src/analytics/counts/query/plan.ts'
import { prepareQuery } from '../../src/analytics/counts/query/prepare.ts'
import { type Export, readPage } from '../../src/analytics/counts/query/rows.ts'
import { visitors } from '../../src/analytics/counts/query/exports/visitors.ts'
import { findCounted } from '../../src/analytics/counts/uniques/counted.ts'
import type { ClickHouse } from '../../src/clickhouse/open.ts'
import type { Log } from '../../src/lib/observability/log.ts'
import { sharedStore } from './test-store.ts'

export const now = new Date('2026-11-23T12:00:00Z')
const signal = new AbortController().signal
const names = { projects: 0 }
export const newProject = () => `prj_live_${process.pid}_${(names.projects += 1)}`

const failures: unknown[] = []
export const log = { warn: (details: unknown) => failures.push(details) } as unknown as Log
after(() => assert.deepEqual(failures, []))

export type Asking = { readonly projectId: string; readonly settings: QuerySettings; readonly query: Partial<Query> }

export async function askBoth(projectId: string, settings: QuerySettings, query: Partial<Query>, exported: Export) {
  return askStore(await sharedStore('embedded'), { projectId, settings, query }, exported)
}

/** Asks as the process that owns its store, and from the rows alone. */
export async function askStore(store: ClickHouse, { projectId, settings, query }: Asking, exported: Export) {
  const whole: Query = { limit: 50, offset: 0, interval: 'day', ...query }
  const clock = { now: () => now, sleep: () => Promise.resolve() }
  const prepared = await prepareQuery(
    { openStore: async () => store, clock, log },
    { projectId, settings, query: whole },
    signal,
  )
  const ours = await readPage(prepared, exported)
  const plan = planQuery({ projectId, settings, query: whole, now })
  const rows = await readPage({ store, plan, known: { ...prepared.known, windows: [] } }, exported)
  const counted = await findCounted({ ...prepared, dimensions: exported.counters?.dimensions ?? [] })
  const isLive = counted !== undefined
  return { ours, rows, version: prepared.version, isLive, rest: counted?.rest ?? [] }
}

export const asExport = (one: unknown) => one as Export

export async function untilLive(
  projectId: string,
  settings: QuerySettings,
  query: Partial<Query> = {},
  exported: Export = asExport(visitors),
) {
  for (let tries = 0; tries < 500; tries += 1) {
    const answer = await askBoth(projectId, settings, query, exported)
    if (answer.isLive && answer.rest.length === 0) return answer
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new Error('the window is still answered from its rows')
}
