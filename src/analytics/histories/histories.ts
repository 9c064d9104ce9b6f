// Lists what was imported from other tools, with the number of its page views, and deletes it: its daily sums, or exactly the page
// views that came from the file.

import type { ClickHouse } from '../../clickhouse/open.ts'
import type { AnalyticsContext } from '../context.ts'
import { deleteWhere } from '../delete.ts'
import { isTool } from '../import/tools.ts'
import { dayOf } from '../zone.ts'
import { deleteHistoryRow, endImportOfHistory, type History, noHistory, type Place, readHistories } from './records.ts'

type Context = Pick<AnalyticsContext, 'db' | 'openStore'>
type Described = { readonly id: string; readonly timeZone: string }

/** The newest first; with `only`, that one. */
export async function listHistories(
  { db, openStore }: Context,
  { id: projectId, timeZone }: Described,
  only?: string,
): Promise<readonly History[]> {
  const rows = await readHistories(db, projectId, only)
  const hasViews = rows.some(({ source }) => isTool(source))
  const views = hasViews ? await countViewsOf(await openStore(), projectId) : new Map<string, Viewed>()
  return rows.map((row) => {
    const viewed = views.get(row.id)
    const days = viewed && { firstDay: dayOf(timeZone, viewed.first), lastDay: dayOf(timeZone, viewed.last) }
    return { ...row, ...days, pageViews: viewed?.views ?? 0, createdAt: row.createdAt.toISOString() }
  })
}

type Viewed = { readonly id: string; readonly views: number; readonly first: number; readonly last: number }

async function countViewsOf(store: ClickHouse, projectId: string): Promise<ReadonlyMap<string, Viewed>> {
  const rows = await store.readWritten<Viewed>(
    `/* page_views.histories */ SELECT rule AS id, count() AS views, toUnixTimestamp64Milli(min(time)) AS first,
      toUnixTimestamp64Milli(max(time)) AS last
      FROM page_views WHERE project_id = {projectId:String} AND startsWith(rule, 'his_') GROUP BY rule`,
    { projectId },
  )
  return new Map(rows.map((row) => [row.id, row]))
}

export type DeletedHistory = {
  /** Daily sums. */
  readonly sums: number
  readonly pageViews: number
}

/** May run twice. A page view that another file has, too, is stored with the file that came first. Throws `not_found`. */
export async function deleteHistory({ db, openStore }: Context, place: Place): Promise<DeletedHistory> {
  const [found] = await readHistories(db, place.projectId, place.id)
  if (!found) throw noHistory()
  if (!isTool(found.source)) {
    await deleteHistoryRow(db, place)
    return { sums: found.sums, pageViews: 0 }
  }
  await endImportOfHistory(db, place)
  const which = 'project_id = {projectId:String} AND rule = {rule:String}'
  const pageViews = await deleteWhere(await openStore(), 'page_views', which, {
    projectId: place.projectId,
    rule: place.id,
  })
  await deleteHistoryRow(db, place)
  return { sums: 0, pageViews }
}
