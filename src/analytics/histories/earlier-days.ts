// The daily sums to show before the first day that was measured here. A day that several files have is that of the file that was
// imported last: files of one site would count the same people, so nothing is added.

import { sql } from 'kysely'
import type { Db } from '../../postgres/types.ts'
import type { AnalyticsContext } from '../context.ts'
import { firstDayOf, readWindows } from '../counts/query/version.ts'
import type { SumSource } from './daily-sums.ts'

export type EarlierDay = {
  readonly date: string
  readonly source: SumSource
  readonly historyId: string
  /** null: the file does not say. */
  readonly visitors: number | null
  readonly pageViews: number | null
}

export type EarlierDays = {
  /** In the project's time zone; null: no page view is stored. */
  readonly firstMeasured: string | null
  /** By date, each once, all before that day. */
  readonly days: readonly EarlierDay[]
}

export type EarlierQuery = {
  readonly dateFrom?: string | undefined
  readonly dateTo?: string | undefined
  /** Normalised; empty: the whole site. */
  readonly path: string
  /** Only the sums of this file, and all of its days. */
  readonly historyId?: string | undefined
}

type Asked = { readonly project: { readonly id: string; readonly timeZone: string }; readonly query: EarlierQuery }

/** More days than a project can show: the longest retention is 120 months. */
export const mostDays = 4_000

export async function readEarlierDays(
  { db, openStore }: Pick<AnalyticsContext, 'db' | 'openStore'>,
  { project: { id, timeZone }, query }: Asked,
  signal?: AbortSignal,
): Promise<EarlierDays> {
  const windows = await readWindows(await openStore(), id, signal)
  const firstMeasured = firstDayOf(windows, timeZone)
  const before = query.historyId === undefined ? firstMeasured : null
  return { firstMeasured, days: await readDays(db, id, { ...query, before }) }
}

async function readDays(
  db: Db,
  projectId: string,
  { dateFrom, dateTo, path, historyId, before }: EarlierQuery & { readonly before: string | null },
): Promise<readonly EarlierDay[]> {
  const { rows } = await sql<EarlierDay>`/* history_sums.earlier */ select distinct on (history_sums.day)
    history_sums.day::text as date, histories.source, histories.id as "historyId", history_sums.visitors,
    history_sums.page_views as "pageViews"
    from histories join history_sums on history_sums.history_id = histories.id and history_sums.path = ${path}
    where histories.project_id = ${projectId} and (histories.is_complete or histories.id = ${historyId ?? null})
      and (${historyId ?? null}::text is null or histories.id = ${historyId ?? null})
      and (${dateFrom ?? null}::date is null or history_sums.day >= ${dateFrom ?? null}::date)
      and (${dateTo ?? null}::date is null or history_sums.day < ${dateTo ?? null}::date)
      and (${before}::date is null or history_sums.day < ${before}::date)
    order by history_sums.day, histories.created_at desc, histories.id
    limit ${mostDays}`.execute(db)
  return rows
}
