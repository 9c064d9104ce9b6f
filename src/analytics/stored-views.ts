// Reads stored page views day by day, in pieces, so that only one piece is in memory. They are all that the store has of these days,
// whichever of them count. User agents and headers stay in the store; ids of visitors too, unless somebody asks for them.

import type { ClickHouse } from '../clickhouse/open.ts'
import type { Category, VisitorClass } from './category.ts'
import type { Plan } from './counts/query/plan.ts'
import { matching, toParams } from './counts/query/sql.ts'
import type { PageView, PageViewSource, Representation, Verification } from './page-view.ts'
import { type ViewDimensions, viewDimensions } from './dimensions/view-dimensions.ts'
import { addDays, dayOf, startOfDay } from './zone.ts'

export type StoredView = {
  /** The day in the time zone of the project. */
  readonly date: string
  /** ISO 8601, UTC. */
  readonly time: string
  readonly path: string
  /** The site that reported it; null: unknown. */
  readonly siteId: string | null
  readonly status: number
  readonly representation: Representation
  readonly isDownload: boolean
  readonly source: PageViewSource
  readonly class: VisitorClass
  readonly category: Category
  readonly agent: string | null
  readonly operator: string | null
  readonly verified: Verification
  readonly referrer: string | null
  /** The dimensions of the page view; null: unknown. */
  readonly country: string | null
  readonly language: string | null
  readonly device: string | null
  readonly browser: string | null
  readonly os: string | null
  readonly campaign: string | null
  readonly title: string | null
  /** Only if asked for; null: no visitor. Digits, because the number has 64 bits. */
  readonly visitor?: string | null
}

type Asked = {
  readonly store: ClickHouse
  readonly plan: Plan
  readonly timeZone: string
  readonly withVisitors: boolean
}

/** Page views per statement. */
const viewsOfPiece = 10_000

/** Yields pieces that are not empty. When `signal` aborts, cancels the query and throws the signal's reason. */
export async function* readStoredViews(asked: Asked, signal: AbortSignal): AsyncGenerator<readonly StoredView[], void> {
  const { dateFrom, dateTo } = asked.plan
  const days = await readDays(asked, signal)
  for (let date = dateFrom; date < dateTo; date = addDays(date, 1)) {
    const { from, to } = timesOf(asked, date)
    if (!days.has(dayOf('UTC', from)) && !days.has(dayOf('UTC', to - 1))) continue
    for (let after: Row | undefined; ;) {
      const rows = await readPiece(asked, { date, after }, signal)
      if (rows.length > 0) yield rows.map((row) => toView(asked, date, row))
      after = rows.at(-1)
      if (rows.length < viewsOfPiece) break
    }
  }
}

/** The days in UTC with page views. A range of years has few of them in a young project. */
async function readDays({ store, plan }: Asked, signal: AbortSignal): Promise<ReadonlySet<string>> {
  const rows = await store.read<{ day: string }>(
    `/* page_views.days_of_project */ SELECT DISTINCT toString(toDate(time)) AS day FROM page_views
      WHERE ${matching(plan)}`,
    toParams(plan),
    signal,
  )
  return new Set(rows.map(({ day }) => day))
}

/** In milliseconds. */
function timesOf({ timeZone }: Asked, date: string) {
  return { from: startOfDay(timeZone, date), to: startOfDay(timeZone, addDays(date, 1)) }
}

type Row = ViewDimensions &
  Pick<PageView, 'path' | 'status' | 'representation' | 'source' | 'category' | 'verified'> & {
    readonly ms: number
    readonly viewId: string
    readonly siteId: string
    readonly isDownload: number
    readonly agent: string
    readonly operator: string
    readonly referrer: string
    readonly visitor: string
  }

type Piece = { readonly date: string; readonly after: Row | undefined }

function readPiece(asked: Asked, { date, after }: Piece, signal: AbortSignal): Promise<readonly Row[]> {
  const { store, plan } = asked
  // The first condition on the path is for the index.
  const rest =
    after === undefined
      ? ''
      : `AND path >= {path:String} AND (path, toUnixTimestamp64Milli(time), view_id) > ({path:String}, {ms:Int64}, toUInt64({viewId:String}))`
  const place = after === undefined ? {} : { path: after.path, ms: after.ms, viewId: after.viewId }
  return store.read<Row>(
    `/* page_views.export */ SELECT path, toUnixTimestamp64Milli(time) AS ms, toString(view_id) AS viewId, site_id AS siteId,
      status, representation, is_download AS isDownload, source, category, agent, operator, verified, referrer,
      ${viewDimensions.join(', ')},
      toString(visitor) AS visitor
    FROM page_views WHERE ${matching(plan)} ${rest}
    ORDER BY page_views.path, page_views.time, view_id LIMIT ${viewsOfPiece}`,
    { ...toParams(plan), ...timesOf(asked, date), ...place },
    signal,
  )
}

function toView({ plan, withVisitors }: Asked, date: string, row: Row): StoredView {
  const { path, ms, siteId, status, representation, isDownload, source, category, verified } = row
  return {
    date,
    time: new Date(ms).toISOString(),
    path,
    siteId: orNull(siteId),
    status,
    representation,
    isDownload: isDownload === 1,
    source,
    class: classOf(plan, row),
    category,
    agent: orNull(row.agent),
    operator: orNull(row.operator),
    verified,
    referrer: orNull(row.referrer),
    country: orNull(row.country),
    language: orNull(row.language),
    device: orNull(row.device),
    browser: orNull(row.browser),
    os: orNull(row.os),
    campaign: orNull(row.campaign),
    title: orNull(row.title),
    ...(withVisitors ? { visitor: row.visitor === '0' ? null : row.visitor } : {}),
  }
}

function classOf({ human, ai, ignoresUnverified }: Plan, { category, verified }: Row): VisitorClass {
  if (human.includes(category)) return 'human'
  return ai.includes(category) && !(ignoresUnverified && verified === 'failed') ? 'ai' : 'neither'
}

function orNull(text: string): string | null {
  return text === '' ? null : text
}
