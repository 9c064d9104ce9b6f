// A process that owns a store, and stores, asks, seals and deletes as the service does. It stops at one of its writes, and
// waits to be killed there. Before that it compares what an earlier process left with a plain count of the page views.
// Started by `sealing.test.ts`.

import assert from 'node:assert/strict'
import type { NewPageView } from '../../src/analytics/collect/group-commit.ts'
import type { PageView } from '../../src/analytics/page-view.ts'
import { generationOf } from '../../src/analytics/counts/query/plan.ts'
import { insertPageViews } from '../../src/analytics/store.ts'
import { dropStale } from '../../src/analytics/counts/uniques/drop-stale.ts'
import { sealWindows } from '../../src/analytics/counts/uniques/seal.ts'
import { refreshWindows } from '../../src/analytics/counts/uniques/windows.ts'
import { type ClickHouse, openClickHouse } from '../../src/clickhouse/open.ts'
import { usualSettings } from '../support/any-page-view.ts'
import { assertExact } from '../support/exact-uniques.ts'
import { pageView } from '../support/page-views.ts'
import { createRandom } from '../support/random.ts'

/** `write` is the name of a statement and its number among those of this name: `counters.build 2`. */
export type Point = { readonly write: string; readonly when: 'during' | 'after' }
export type Task = { readonly directory: string; readonly round: number; readonly stop: Point | undefined }
export type FromSealing =
  | { readonly kind: 'found'; readonly ids: readonly number[]; readonly unsealed: number; readonly counted: number }
  | { readonly kind: 'stored'; readonly ids: readonly number[] }
  | { readonly kind: 'reached' }
  | { readonly kind: 'done'; readonly unsealed: number; readonly counted: number }

const projectId = 'prj_sealing'
const now = new Date('2026-11-23T12:00:00Z')
const batchSize = 25
const questions = 3
/** So many that each dimension is counted in three statements. */
const moreViews = 8_000_000
const zones = ['UTC', 'Asia/Tokyo', 'America/St_Johns'] as const
const day = 86_400_000

const { directory, round, stop } = JSON.parse(process.env['TASK'] ?? '') as Task
const settingsOf = (one: number) => ({ ...usualSettings, timeZone: zones[one % zones.length] ?? 'UTC' })
const settings = settingsOf(round)
const random = createRandom(round + 1)

function send(message: FromSealing): void {
  process.send?.(message)
}

/** The page view with this id. Two of three visitors keep one salt window, and all come in several rounds. */
function viewOf(id: number): NewPageView {
  const chosen = createRandom(id + 1)
  const window = chosen.pick(['', 'month:2026-10', 'month:2026-11'])
  const first = window === 'month:2026-11' ? Date.UTC(2026, 10, 1) : Date.UTC(2026, 9, 1)
  return pageView({
    projectId,
    viewId: BigInt(id),
    saltWindow: window,
    visitor: BigInt(1 + chosen.int(9) + 100 * window.length + (window.endsWith('11') ? 50 : 0)),
    time: first + chosen.int(22 * day),
    path: chosen.pick(['/', '/a', '/b']),
    category: chosen.pick(['browser', 'ai_assistant', 'search']),
  })
}

/** Writes of the store that stop at the point. */
function stopping(store: ClickHouse): ClickHouse {
  const counts = new Map<string, number>()
  const write = async (name: string, work: () => Promise<void>) => {
    const number = (counts.get(name) ?? 0) + 1
    counts.set(name, number)
    const isHere = stop?.write === `${name} ${number}`
    if (isHere && stop.when === 'during') send({ kind: 'reached' })
    await work()
    if (!isHere) return
    if (stop.when === 'after') send({ kind: 'reached' })
    await new Promise(() => undefined)
  }
  return {
    ...store,
    read: async <T>(...given: Parameters<ClickHouse['read']>) =>
      (await store.read<T & { readonly views?: string; readonly first?: number }>(...given)).map((row) =>
        row.views !== undefined && row.first !== undefined
          ? { ...row, views: String(Number(row.views) + moreViews) }
          : row,
      ),
    insert: (table, columns, rows) => write(table, () => store.insert(table, columns, rows)),
    rewrite: (sql, params) => write(/\/\* ([\w.]+)/.exec(sql)?.[1] ?? sql, () => store.rewrite(sql, params)),
  }
}

/** Compares answers about random ranges, from the memory of the process and from what a new one would read. */
async function compare(store: ClickHouse, views: readonly PageView[], under = settings): Promise<number> {
  let counted = 0
  for (let n = 0; n < questions; n += 1) {
    const from = now.getTime() - random.int(60) * day
    const [dateFrom, dateTo] = [from, from + (1 + random.int(40)) * day].map((ms) =>
      new Date(ms).toISOString().slice(0, 10),
    )
    const query = { dateFrom, dateTo, interval: random.pick(['day', 'week', 'month'] as const) }
    for (const one of [store, { ...store }]) {
      counted += await assertExact({ store: one, projectId, settings: under, now }, views, query)
    }
  }
  return counted
}

/** The builds that have counters and no seal. */
async function countUnsealed(store: ClickHouse): Promise<number> {
  const sql = 'SELECT uniqExact(build) AS builds FROM counters WHERE build NOT IN (SELECT build FROM seals)'
  return (await store.readWritten<{ builds: number }>(sql, {}))[0]?.builds ?? 0
}

async function sealAll(store: ClickHouse): Promise<void> {
  const windows = await refreshWindows(store)
  const sealed = await sealWindows(store, { projectId, settings, windows, now })
  assert.equal(sealed.length, windows.length)
}

async function main(): Promise<void> {
  const store = stopping(await openClickHouse({ kind: 'embedded', directory }))
  const found = await store.readWritten<{ id: number }>(
    'SELECT toUInt32(view_id) AS id FROM page_views ORDER BY id',
    {},
  )
  const ids = found.map(({ id }) => id)
  const views = ids.map(viewOf)
  const counted = round > 0 ? await compare({ ...store, isOwned: false }, views, settingsOf(round - 1)) : 0
  await compare(store, views)
  send({ kind: 'found', ids, unsealed: await countUnsealed(store), counted })
  for (let batch = 0; batch < 2; batch += 1) {
    const from = round * 1_000 + batch * batchSize
    const some = Array.from({ length: batchSize }, (_, n) => from + n)
    await insertPageViews(store, some.map(viewOf))
    send({ kind: 'stored', ids: some })
    views.push(...some.map(viewOf))
    await compare(store, views)
  }
  await sealAll(store)
  const sealed = await compare({ ...store, isOwned: false }, views)
  const windows = (await refreshWindows(store)).filter((one) => one.projectId === projectId)
  await dropStale(store, { projectId, generations: [generationOf(settings)], windows, before: now.getTime() + 1 })
  await compare(store, views)
  send({ kind: 'done', unsealed: await countUnsealed(store), counted: sealed })
  await store.close()
  process.disconnect()
}

await main()
