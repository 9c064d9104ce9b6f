// Counts the last five minutes and today by the hour in one statement. Visitors and page views are those that the exports count.

import type { ClickHouse } from '../../clickhouse/open.ts'
import type { Filters } from '../counts/query/filters.ts'
import { planBetween, type Plan, type QuerySettings } from '../counts/query/plan.ts'
import { classOf, countViews, toParams, viewed } from '../counts/query/sql.ts'
import type { Counts } from '../counts/query/sums.ts'
import { addDays, dayOf, type Hour, hoursOf, startOfDay } from '../zone.ts'

/** Unique visitors, and page views as the export of page views counts them. */
export type Activity = { readonly visitors: Counts; readonly views: Counts }

export type Realtime = {
  /** The last five minutes. */
  readonly now: Activity & {
    /** At most ten, those with the most page views first. */
    readonly pages: readonly ({ readonly path: string } & Activity)[]
  }
  /** `date`: `YYYY-MM-DD`. `start`: as the clock of the zone shows it. */
  readonly today: Activity & {
    readonly date: string
    readonly hours: readonly ({ readonly start: string } & Activity)[]
  }
}

export type RealtimePlan = Plan & {
  readonly date: string
  readonly hours: readonly Hour[]
  /** The five minutes, in milliseconds since 1970. */
  readonly since: number
  readonly until: number
}

const minutesMs = 5 * 60_000
const mostPages = 10

export type RealtimeQuestion = {
  readonly projectId: string
  readonly settings: QuerySettings
  readonly filters: Filters
}

/** `until`: the end of the five minutes, at most some seconds from now. The day is that of the instant before. */
export function planRealtime({ projectId, settings, filters }: RealtimeQuestion, until: number): RealtimePlan {
  const zone = settings.timeZone
  const date = dayOf(zone, until - 1)
  const since = until - minutesMs
  const from = Math.min(since, startOfDay(zone, date))
  const plan = planBetween(projectId, settings, [from, startOfDay(zone, addDays(date, 1))])
  return { ...plan, filters, date, hours: hoursOf(zone, date), since, until }
}

/** The subjects of rows. The start of an hour, in seconds, is larger than any of these. */
const scopes = { now: 0, page: 1, today: 2 } as const

type Row = {
  readonly scope: number
  /** Empty, except of `page`. */
  readonly page: string
  readonly human: number
  readonly ai: number
  readonly total: number
  readonly humanViews: number
  readonly aiViews: number
}

/** Throws `question_too_large`, `unavailable`. */
export async function countRealtime(store: ClickHouse, plan: RealtimePlan): Promise<Realtime> {
  const rows = await store.read<Row>(realtimeSql(plan), toParams(plan))
  const of = (scope: number) => toActivity(rows.find((row) => row.scope === scope))
  const pages = rows.filter(({ scope }) => scope === scopes.page)
  const hours = plan.hours.map(({ from, start }) => ({ start, ...of(from / 1_000) }))
  return {
    now: { ...of(scopes.now), pages: pages.map((row) => ({ path: row.page, ...toActivity(row) })) },
    today: { date: plan.date, ...of(scopes.today), hours },
  }
}

/** Each page view is in up to four scopes. In each, one that a browser and a server reported counts once. */
function realtimeSql(plan: RealtimePlan): string {
  const keys = `path, ${classOf(plan)} AS class, arrayJoin(${scopesOf(plan)}) AS scope`
  const uniques = (which: string) => `uniqExactIf(visitor, visitor != 0${which})`
  return `/* analytics.realtime */ SELECT scope, if(scope = ${scopes.page}, toString(path), '') AS page,
      ${uniques(' AND class = 1')} AS human, ${uniques(' AND class = 2')} AS ai, ${uniques('')} AS total,
      sumIf(counted, class = 1) AS humanViews, sumIf(counted, class = 2) AS aiViews
    FROM (${countViews(plan, { keys, where: `${viewed(plan)} AND class != 0` })})
    GROUP BY scope, page ORDER BY scope, humanViews + aiViews DESC, page LIMIT ${mostPages} BY scope`
}

function scopesOf({ hours, since, until }: RealtimePlan): string {
  const starts = hours.map(({ from }) => from / 1_000)
  const instant = 'toUnixTimestamp64Milli(time)'
  const hour = `roundDown(toUInt32(toUnixTimestamp(time)), [${starts.map((start) => `toUInt32(${start})`).join(', ')}])`
  const ofDay = `if(${instant} >= ${hours[0]?.from ?? 0}, [toUInt32(${scopes.today}), ${hour}], [])`
  const isRecent = `${instant} >= ${since} AND ${instant} < ${until}`
  return `arrayConcat(${ofDay}, if(${isRecent}, [toUInt32(${scopes.now}), toUInt32(${scopes.page})], []))`
}

function toActivity(row: Row | undefined): Activity {
  const { human = 0, ai = 0, total = 0, humanViews = 0, aiViews = 0 } = row ?? {}
  return { visitors: { human, ai, total }, views: { human: humanViews, ai: aiViews, total: humanViews + aiViews } }
}
