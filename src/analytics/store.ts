// The rows of page views in the store: writes them, and finds those already stored. The only file that names their
// columns for writing.

import { numberList, textList } from '../clickhouse/literal.ts'
import type { ClickHouse, Row } from '../clickhouse/open.ts'
import type { Params } from '../clickhouse/query.ts'
import type { PageView } from './page-view.ts'
import { addStored, dropLive } from './uniques/counted.ts'
import { beginRewrite, beginWrite } from './uniques/windows.ts'

const columns = [
  'project_id',
  'site_id',
  'view_id',
  'time',
  'path',
  'representation',
  'status',
  'source',
  'visitor',
  'category',
  'agent',
  'operator',
  'verified',
  'rule',
  'list_date',
  'referrer',
  'user_agent',
  'signals',
  'is_download',
  'salt_window',
] as const

export async function insertPageViews(store: ClickHouse, views: readonly PageView[]): Promise<void> {
  if (views.length === 0) return
  const end = beginWrite(store, views)
  try {
    await store.insert('page_views', columns, views.map(toRow))
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

function toRow(view: PageView): Row {
  return [
    view.projectId,
    view.siteId,
    String(view.viewId),
    toStoreTime(view.time),
    view.path,
    view.representation,
    view.status,
    view.source,
    String(view.visitor),
    view.category,
    view.agent,
    view.operator,
    view.verified,
    view.rule,
    view.listDate,
    view.referrer,
    view.userAgent,
    toSignalsText(view.signals),
    view.isDownload ? 1 : 0,
    view.saltWindow,
  ]
}

/** Milliseconds since 1970 in the form of the store, in UTC: `2026-11-21 10:00:00.000`. */
export function toStoreTime(ms: number): string {
  return new Date(ms).toISOString().replace('T', ' ').slice(0, 23)
}

/** Sorted by name, so that equal signals give equal text. */
export function toSignalsText(signals: PageView['signals']): string {
  const entries = Object.entries(signals).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return entries.length === 0 ? '' : JSON.stringify(Object.fromEntries(entries))
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
