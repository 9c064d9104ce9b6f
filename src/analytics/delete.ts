// Deletes page views, or the fields that identify a client best. Every statement rewrites the affected parts of the
// table: rows only marked as deleted would stay in the files. Rewrites are expensive, so each function first checks
// whether there are rows to change.

import type { Params } from '../clickhouse/query.ts'
import type { ClickHouse } from '../clickhouse/open.ts'
import { emptiedColumns } from './collect/strict.ts'
import { columnNames, rewritePageViews, toStoreTime } from './store.ts'

type Old = { readonly projectId: string; readonly before: number }

/** Deletes a project's page views before a time, and the paths first seen before it. Returns the number of page views. */
export async function deletePageViews(store: ClickHouse, { projectId, before }: Old): Promise<number> {
  const day = toStoreTime(before).slice(0, 10)
  const found = 'project_id = {projectId:String} AND first_day < {day:Date}'
  await deleteWhere(store, 'paths', found, { projectId, day })
  const which = `project_id = {projectId:String} AND time < {before:DateTime64(3, 'UTC')}`
  return deleteWhere(store, 'page_views', which, { projectId, before: toStoreTime(before) })
}

type Imported = { readonly projectId: string; readonly since: number; readonly until: number | undefined }

/** Deletes page views that came from logs, of a range of time. Returns their number. */
export async function deleteImported(store: ClickHouse, { projectId, since, until }: Imported): Promise<number> {
  const end = until === undefined ? '' : " AND time < {until:DateTime64(3, 'UTC')}"
  const which = `project_id = {projectId:String} AND source = 'log' AND time >= {since:DateTime64(3, 'UTC')}${end}`
  const times = { since: toStoreTime(since), ...(until !== undefined && { until: toStoreTime(until) }) }
  return deleteWhere(store, 'page_views', which, { projectId, ...times })
}

/** Deletes everything of a project. Returns the number of page views. */
export async function deleteProjectViews(store: ClickHouse, projectId: string): Promise<number> {
  for (const table of ['seals', 'counters', 'paths'] as const) {
    await deleteWhere(store, table, 'project_id = {projectId:String}', { projectId })
  }
  return deleteWhere(store, 'page_views', 'project_id = {projectId:String}', { projectId })
}

/** Clears user agent and signals of older page views; everything else stays. Returns the number of page views. */
export async function clearSignals(store: ClickHouse, { projectId, before }: Old): Promise<number> {
  const which = `project_id = {projectId:String} AND time < {before:DateTime64(3, 'UTC')}
    AND (user_agent != '' OR signals != '')`
  const params = { projectId, before: toStoreTime(before) }
  const count = await countWhere(store, 'page_views', which, params)
  if (count === 0) return 0
  const sql = `/* page_views.clear */ ALTER TABLE page_views UPDATE user_agent = '', signals = '' WHERE ${which}`
  await rewritePageViews(store, sql, params)
  return count
}

/**
 * Clears all that strict privacy does not keep, of all page views of a project, and the campaigns and titles that were new on a
 * day. Returns the number of page views.
 */
export async function clearForStrict(store: ClickHouse, projectId: string): Promise<number> {
  const isNoPath = `project_id = {projectId:String} AND NOT startsWith(path, '/')`
  await deleteWhere(store, 'paths', isNoPath, { projectId })
  const columns = emptiedColumns(columnNames)
  const which = `project_id = {projectId:String} AND (${columns.map((name) => `${name} != ''`).join(' OR ')})`
  const count = await countWhere(store, 'page_views', which, { projectId })
  if (count === 0) return 0
  const emptied = columns.map((name) => `${name} = ''`).join(', ')
  const sql = `/* page_views.strict */ ALTER TABLE page_views UPDATE ${emptied} WHERE ${which}`
  await rewritePageViews(store, sql, { projectId })
  return count
}

/** Returns the number of rows. Resolves when no query finds them any more. */
export async function deleteWhere(
  store: ClickHouse,
  table: 'page_views' | 'paths' | 'counters' | 'seals',
  which: string,
  params: Params & { readonly projectId: string },
): Promise<number> {
  const count = await countWhere(store, table, which, params)
  const sql = `/* ${table}.delete */ ALTER TABLE ${table} DELETE WHERE ${which}`
  if (count > 0) await (table === 'page_views' ? rewritePageViews(store, sql, params) : store.rewrite(sql, params))
  return count
}

async function countWhere(store: ClickHouse, table: string, which: string, params: Params): Promise<number> {
  const sql = `/* ${table}.due */ SELECT count() AS count FROM ${table} WHERE ${which}`
  const [row] = await store.readWritten<{ count: number }>(sql, params)
  return row?.count ?? 0
}
