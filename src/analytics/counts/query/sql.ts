// The SQL that all exports share: conditions for the rows that count, their class, and their day. Values from outside
// are always parameters (`{name:Type}`); the plan's own numbers are part of the text.

import { crawlerCategories } from '../../category.ts'
import { textList } from '../../../clickhouse/literal.ts'
import type { Params } from '../../../clickhouse/query.ts'
import { conditionOf, paramsOfFilters } from './filter-conditions.ts'
import type { Plan } from './plan.ts'

export const isHuman = 'category IN {human:Array(String)}'

export function isAi({ ignoresUnverified }: Plan): string {
  const mapped = 'category IN {ai:Array(String)}'
  return ignoresUnverified ? `(${mapped} AND verified != 'failed')` : mapped
}

const instant = (name: string) => `fromUnixTimestamp64Milli(${name}, 'UTC')`

/**
 * The bounds are constant expressions, so the store can use the table's index. It has the days of times, not times: without
 * the days the store read all rows of the month.
 */
export const inRange = `project_id = {projectId:String} AND time >= ${instant('{from:Int64}')} AND time < ${instant('{to:Int64}')}
  AND toDate(time) >= toDate(${instant('{from:Int64}')}) AND toDate(time) <= toDate(${instant('{to:Int64} - 1')})`

/** Page views of the project and the range that match the filters of the plan. */
export function matching(plan: Plan): string {
  return inRange + conditionOf(plan.filters, classOf(plan))
}

/** Page views that have a visitor and are human or AI. */
export function isVisit(plan: Plan): string {
  return `visitor != 0 AND (${isHuman} OR ${isAi(plan)})`
}

/** Page views of the plan that its collection source counts; broken pages and downloads don't count. */
export function viewed(plan: Plan): string {
  const { without, only } = plan
  const others = [
    without.length === 0 ? '' : ` AND salt_window NOT IN ${textList(without)}`,
    only ? ` AND salt_window IN ${textList(only.windows)} AND sipHash64(visitor) % ${only.parts} = ${only.part}` : '',
  ].join('')
  return `${matching(plan)} AND ${fromSource[plan.source]} AND status != 404 AND is_download = 0${others}`
}

/** Broken pages, from any source: each sees requests that the others don't. */
export const notFound = (plan: Plan) => `${matching(plan)} AND status = 404 AND is_download = 0`

/** Downloads, from servers and logs: browsers don't report them. */
export const downloaded = (plan: Plan) => `${matching(plan)} AND status != 404 AND is_download = 1`

/**
 * A tracker in the browser sees neither AI agents nor Markdown. The source `browser` therefore also counts what servers
 * and logs report, except HTML pages read by people.
 */
const fromSource: Readonly<Record<Plan['source'], string>> = {
  both: '1',
  server: `source != 'browser'`,
  browser: `NOT (source != 'browser' AND representation = 'html' AND ${isHuman})`,
}

/** The day of a row in the plan's time zone, as days since 1970. */
export function dayNumber({ offsets }: Plan): string {
  const last = offsets.at(-1)?.offset ?? 0
  const before = offsets.slice(0, -1).map(({ offset }, index) => {
    const end = Math.floor((offsets[index + 1]?.from ?? 0) / 1_000)
    return `toUnixTimestamp(time) < ${end}, ${offset}`
  })
  const offset = before.length === 0 ? `${last}` : `multiIf(${before.join(', ')}, ${last})`
  return `intDiv(toInt64(toUnixTimestamp(time)) + ${offset}, 86400)`
}

/** The parameters that the statements of all exports share. */
export function toParams(plan: Plan): Params {
  const { projectId, from, to, human, ai, ownSites, offset, limit, search, filters } = plan
  const page = { offset, end: offset + limit + 1 }
  const range = { projectId, from, to, human, ai, ownSites, ...page, ...paramsOfFilters(filters) }
  return search === '' ? range : { ...range, search }
}

export const isCrawler = `category IN (${crawlerCategories.map((name) => `'${name}'`).join(', ')})`

/** 1: human, 2: ai, 0: neither. */
export function classOf(plan: Plan): string {
  return `multiIf(${isHuman}, 1, ${isAi(plan)}, 2, 0)`
}

/** How many views of one visitor on one day came from addresses of the operator that the client names, and from others. */
export const verification = `countIf(verified = 'address') AS ofVerified, countIf(verified = 'failed') AS ofUnverified`

/** Sums of counted views, verified and not, beside `verification`. A visitor whose verification changed on the day is verified. */
export const verifiedViews = [
  'sum(multiIf(visitor = 0, ofVerified, ofVerified > 0, counted, 0))',
  'sum(multiIf(visitor = 0, ofUnverified, ofUnverified > 0 AND ofVerified = 0, counted, 0))',
] as const

/** The first page view of each visitor on each day, of those that match: its page (`value`), and its class. */
export function firstViews(plan: Plan, where: string, key = ''): string {
  const first = (column: string) => `argMin(${column}, (time, view_id))`
  return `SELECT ${key}visitor, ${dayNumber(plan)} AS day, ${first('toString(path)')} AS value, ${first(classOf(plan))} AS class
    FROM page_views WHERE ${where} GROUP BY ${key}visitor, day`
}

export type Counting = {
  /** Columns to group by, each an expression with its name. */
  readonly keys: string
  /** More aggregates over the same views. */
  readonly also?: string
  readonly where: string
  /** The views of one visitor on one day that this condition excludes count as one, or not at all beside others. */
  readonly whole?: string
}

/** One row for each visitor, day and combination of keys, with its number of views (`counted`). Views without a visitor all count. */
export function countViews(plan: Plan, { keys, also, where, whole = '1' }: Counting): string {
  const seen = (source: string) => `countIf(source ${source} AND ${whole})`
  return `SELECT ${keys}, visitor, ${dayNumber(plan)} AS day,
      if(visitor = 0, count(), greatest(${seen("= 'browser'")}, ${seen("!= 'browser'")}, 1)) AS counted${also === undefined ? '' : `, ${also}`}
    FROM page_views WHERE ${where} GROUP BY ALL`
}
