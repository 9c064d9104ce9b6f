// The rows of page views in the store: writes them, and finds those already stored. The only file that names their
// columns for writing.

import { numberList, textList } from '../clickhouse/literal.ts'
import type { Column } from '../clickhouse/native.ts'
import type { ClickHouse } from '../clickhouse/open.ts'
import type { Params } from '../clickhouse/query.ts'
import type { PageView } from './page-view.ts'
import { viewDimensions } from './dimensions/view-dimensions.ts'
import { type DayRows, toSlices } from './day-slices.ts'
import { addStored } from './counts/uniques/live/follow.ts'
import { dropLive } from './counts/uniques/memory.ts'
import { beginRewrite, beginWrite } from './counts/uniques/windows.ts'

const columns: readonly Column<PageView>[] = [
  { name: 'project_id', type: 'LowCardinality(String)', of: ({ projectId }) => projectId },
  { name: 'site_id', type: 'LowCardinality(String)', of: ({ siteId }) => siteId },
  { name: 'view_id', type: 'UInt64', of: ({ viewId }) => viewId },
  { name: 'time', type: "DateTime64(3, 'UTC')", of: ({ time }) => time },
  { name: 'path', type: 'LowCardinality(String)', of: ({ path }) => path },
  { name: 'representation', type: 'LowCardinality(String)', of: ({ representation }) => representation },
  { name: 'status', type: 'UInt16', of: ({ status }) => status },
  { name: 'source', type: 'LowCardinality(String)', of: ({ source }) => source },
  { name: 'visitor', type: 'UInt64', of: ({ visitor }) => visitor },
  { name: 'category', type: 'LowCardinality(String)', of: ({ category }) => category },
  { name: 'agent', type: 'LowCardinality(String)', of: ({ agent }) => agent },
  { name: 'operator', type: 'LowCardinality(String)', of: ({ operator }) => operator },
  { name: 'verified', type: 'LowCardinality(String)', of: ({ verified }) => verified },
  { name: 'rule', type: 'LowCardinality(String)', of: ({ rule }) => rule },
  { name: 'list_date', type: 'LowCardinality(String)', of: ({ listDate: date }) => date },
  { name: 'referrer', type: 'LowCardinality(String)', of: ({ referrer }) => referrer },
  { name: 'referrer_path', type: 'LowCardinality(String)', of: ({ referrerPath }) => referrerPath },
  ...viewDimensions.map((name): Column<PageView> => ({
    name,
    type: 'LowCardinality(String)',
    of: (view) => view[name],
  })),
  { name: 'user_agent', type: 'LowCardinality(String)', of: ({ userAgent }) => userAgent },
  { name: 'signals', type: 'LowCardinality(String)', of: ({ signals }) => toSignalsText(signals) },
  { name: 'is_download', type: 'UInt8', of: ({ isDownload }) => (isDownload ? 1 : 0) },
  { name: 'has_line_id', type: 'UInt8', of: ({ hasLineId }) => (hasLineId ? 1 : 0) },
  { name: 'salt_window', type: 'LowCardinality(String)', of: ({ saltWindow }) => saltWindow },
]

export const columnNames: readonly string[] = columns.map(({ name }) => name)

export async function insertPageViews(store: ClickHouse, views: readonly PageView[]): Promise<void> {
  if (views.length === 0) return
  const end = beginWrite(store, views)
  try {
    await store.insert('page_views', columns, views)
    addStored(store, views)
  } catch (error) {
    // Some of them may be stored.
    dropLive(store, new Set(views.map(({ projectId }) => projectId)))
    throw error
  } finally {
    end()
  }
}

/** Changes or deletes page views of one project. Resolves when no query finds them as they were. */
export async function rewritePageViews(
  store: ClickHouse,
  sql: string,
  params: Params & { readonly projectId: string },
): Promise<void> {
  const { projectId } = params
  const end = beginRewrite(store, projectId)
  dropLive(store, [projectId])
  try {
    await store.rewrite(sql, params)
  } finally {
    dropLive(store, [projectId])
    end()
  }
}

/** Milliseconds since 1970 in the form of the store, in UTC: `2026-11-21 10:00:00.000`. */
export function toStoreTime(ms: number): string {
  return new Date(ms).toISOString().replace('T', ' ').slice(0, 23)
}

const signalsTexts = new WeakMap<PageView['signals'], string>()

/** Sorted by name, so that equal signals give equal text. */
export function toSignalsText(signals: PageView['signals']): string {
  const known = signalsTexts.get(signals)
  if (known !== undefined) return known
  const entries = Object.entries(signals).toSorted(([a], [b]) => (a < b ? -1 : 1))
  const text = entries.length === 0 ? '' : JSON.stringify(Object.fromEntries(entries))
  signalsTexts.set(signals, text)
  return text
}

export type ViewKey = Pick<PageView, 'projectId' | 'viewId'>

/** Returns those already stored, as `${projectId} ${viewId}`. Sees all earlier inserts of this process. */
export async function findStored(store: ClickHouse, keys: readonly ViewKey[]): Promise<ReadonlySet<string>> {
  if (keys.length === 0) return new Set()
  const rows = await store.readWritten<{ key: string }>(
    `/* page_views.stored */ SELECT concat(project_id, ' ', toString(view_id)) AS key FROM page_views
      WHERE project_id IN ${textList([...new Set(keys.map(({ projectId }) => projectId))])}
        AND view_id IN ${numberList(keys.map(({ viewId }) => viewId))}`,
    {},
  )
  return new Set(rows.map(({ key }) => key))
}

type Ids = {
  readonly count: number
  /** Each reads some of the ids, 16 hexadecimal digits each. */
  readonly portions: readonly (() => Promise<string>)[]
}

/** Reading more of them would hold up requests for more than two milliseconds. */
const idsPerPortion = 50_000

/** Plans reading the ids of all page views. Those that are stored from now on may be missing. */
export async function planIds(store: ClickHouse): Promise<Ids> {
  const days = await store.read<DayRows>(
    `/* page_views.days */ SELECT toUInt16(toDate(time)) AS day, count() AS rows FROM page_views GROUP BY day ORDER BY day`,
    {},
  )
  const portions = toSlices(days, idsPerPortion).flatMap(({ from, to, rows }) => {
    const parts = Math.ceil(rows / idsPerPortion)
    const isIn = `toDate(time) >= toDate(${from}) AND toDate(time) < toDate(${to}) AND view_id % ${parts}`
    return Array.from({ length: parts }, (_, part) => () => readIds(store, `${isIn} = ${part}`))
  })
  return { count: days.reduce((sum, { rows }) => sum + rows, 0), portions }
}

async function readIds(store: ClickHouse, which: string): Promise<string> {
  const [row] = await store.read<{ ids: string }>(
    `/* page_views.ids */ SELECT arrayStringConcat(groupArray(leftPad(hex(view_id), 16, '0'))) AS ids FROM page_views
      WHERE ${which} SETTINGS max_threads = 1`,
    {},
  )
  return row?.ids ?? ''
}
