// The statements that count counters from rows. If one changes, the number in `generationOf` must be raised.

import type { ClickHouse } from '../../../clickhouse/open.ts'
import type { Params } from '../../../clickhouse/query.ts'
import { type ViewDimension, viewDimensions } from '../../dimensions/view-dimensions.ts'
import { dayNumberOf } from '../../zone.ts'
import type { Plan } from '../query/plan.ts'
import { siteOf } from '../query/referrer-sites.ts'
import {
  classOf,
  countViews,
  dayNumber,
  firstViews,
  isAi,
  isCrawler,
  isHuman,
  isVisit,
  verification,
  verifiedViews,
  viewed,
} from '../query/sql.ts'
import type { ScopeRow } from './counters.ts'
import type { Dimension } from './dimensions.ts'

type CountRows = (plan: Plan, which: string, part?: string) => string

/**
 * SQL for counters of all values of a dimension: `salt_window`, `value`, `previous`, `on`, `humans`, `ais`, `both`. `which`: a
 * condition for the rows of whole windows. `part`: one for the rows of some visitors.
 */
export const countRows: Readonly<Record<Dimension, CountRows>> = {
  site: (plan, which, part) => visitorCounters(plan, { value: `''`, rows: visits(plan, which, part) }),
  page: (plan, which, part) => visitorCounters(plan, { value: 'toString(path)', rows: visits(plan, which, part) }),
  referrer: (plan, which, part) =>
    visitorCounters(plan, {
      value: siteOf('toString(referrer)'),
      rows: visits(plan, `${isHuman} AND referrer != '' AND ${which}`, part),
    }),
  agent: agentCounters,
  verified_agent: (plan, which, part) => agentCounters(plan, `verified = 'address' AND ${which}`, part),
  unverified_agent: (plan, which, part) => agentCounters(plan, `verified = 'failed' AND ${which}`, part),
  page_views: (plan, which, part) =>
    viewCounters(plan, {
      keys: ['path', `${classOf(plan)} AS class`],
      value: 'toString(path)',
      where: `class != 0 AND ${and(which, part)}`,
      counted: ['sumIf(counted, class = 1)', 'sumIf(counted, class = 2)'],
    }),
  agent_views: (plan, which, part) => {
    const keys = ['agent', 'operator', 'path']
    return viewCounters(plan, { keys, value: linesOf(...keys), where: `${isAi(plan)} AND ${and(which, part)}` })
  },
  crawler_views: (plan, which, part) =>
    viewCounters(plan, {
      keys: ['agent', 'operator', 'category', 'path'],
      value: linesOf('agent', 'operator', 'category'),
      where: `${isCrawler} AND ${and(which, part)}`,
      also: verification,
      counted: verifiedViews,
    }),
  of_site: (plan, which, part) =>
    visitorCounters(plan, { value: 'toString(site_id)', rows: visits(plan, which, part) }),
  page_of_site: (plan, which, part) => {
    const several = `SELECT salt_window FROM ${visits(plan, which)} GROUP BY salt_window HAVING uniqExact(site_id) > 1`
    const rows = visits(plan, `salt_window IN (${several}) AND ${which}`, part)
    return visitorCounters(plan, { value: linesOf('site_id', 'path'), rows })
  },
  section: (plan, which, part) => {
    const columns = 'salt_window, visitor, time, category, verified'
    const rows = `(SELECT ${columns}, arrayJoin(${sectionsOf('path')}) AS section FROM ${visits(plan, which, part)})
      AS page_views WHERE (salt_window, section) IN (${sections(plan, which)})`
    return visitorCounters(plan, { value: 'section', rows })
  },
  ...(Object.fromEntries(viewDimensions.map((name) => [name, countersBy(name)])) as Readonly<
    Record<ViewDimension, CountRows>
  >),
  entry: (plan, which, part) => {
    const where = `${viewed(plan)} AND ${isVisit(plan)} AND ${and(which, part)}`
    return `SELECT toString(salt_window) AS salt_window, value, toUInt16(0) AS previous, toUInt16(day) AS on,
        toUInt32(countIf(class = 1)) AS humans, toUInt32(countIf(class = 2)) AS ais, toUInt32(count()) AS both
      FROM (${firstViews(plan, where, 'salt_window, ')}) GROUP BY salt_window, value, on`
  },
}

function countersBy(column: ViewDimension): CountRows {
  return (plan, which, part) => visitorCounters(plan, { value: `toString(${column})`, rows: visits(plan, which, part) })
}

function and(which: string, part: string | undefined): string {
  return part === undefined ? which : `${which} AND ${part}`
}

function visits(plan: Plan, which: string, part?: string): string {
  return `page_views WHERE ${viewed(plan)} AND ${isVisit(plan)} AND ${and(which, part)}`
}

function agentCounters(plan: Plan, which: string, part?: string): string {
  const rows = visits(plan, `${isAi(plan)} AND ${which}`, part)
  return visitorCounters(plan, { value: linesOf('agent', 'operator'), rows })
}

/** A value of several columns, a line each: names of clients are those of our lists, and paths contain no line ends. */
export function linesOf(...columns: readonly string[]): string {
  return `concat(${columns.map((column) => `toString(${column})`).join(`, '\\n', `)})`
}

/** Longer sections have no counters of their own. */
export const mostSegments = 4
/** The sections of a window with the most page views. If there are as many, others may have visitors, too. */
export const mostSections = 2_000

/** The sections that a path is in, in SQL: `/a` and `/a/b` of `/a/b`. */
function sectionsOf(path: string): string {
  const segments = `splitByChar('/', toString(${path}))`
  const lengths = `range(2, least(length(${segments}), ${mostSegments + 1}) + 1)`
  return `arrayMap(length -> arrayStringConcat(arraySlice(${segments}, 1, length), '/'), ${lengths})`
}

/** Those with visitors of more than the page with their path: the counters of that page are those of the section, too. */
function sections(plan: Plan, which: string): string {
  const pages = `SELECT salt_window, path, count() AS views FROM ${visits(plan, which)} GROUP BY salt_window, path`
  return `SELECT salt_window, section
    FROM (SELECT salt_window, path, views, arrayJoin(${sectionsOf('path')}) AS section FROM (${pages}))
    GROUP BY salt_window, section HAVING count() > 1 OR any(toString(path)) != section
    ORDER BY sum(views) DESC, section LIMIT ${mostSections} BY salt_window`
}

type CountingVisitors = {
  readonly value: string
  /** The rows of visits: a table and its condition. */
  readonly rows: string
}

/** The days of each visitor become pairs of a day and the one before, and equal pairs become one counter. */
function visitorCounters(plan: Plan, { value, rows }: CountingVisitors): string {
  const { gather, toDays, merge } = daysIn(plan)
  const pairs = (place: number, days: string) =>
    `arrayMap((before, on) -> (${place}, before, on), arrayResize(arrayPushFront(${days}, 0), length(${days})), ${days})`
  return `SELECT salt_window, value, pair.2 AS previous, pair.3 AS on, toUInt32(sumIf(alike, pair.1 = 1)) AS humans,
      toUInt32(sumIf(alike, pair.1 = 2)) AS ais, toUInt32(sumIf(alike, pair.1 = 3)) AS both
    FROM (
      SELECT salt_window, value, alike, ${toDays('human')} AS humanDays, ${toDays('ai')} AS aiDays,
        ${toDays(merge('human', 'ai'))} AS days,
        arrayJoin(arrayConcat(${pairs(1, 'humanDays')}, ${pairs(2, 'aiDays')}, ${pairs(3, 'days')})) AS pair
      FROM (
        SELECT salt_window, value, human, ai, count() AS alike
        FROM (
          SELECT toString(salt_window) AS salt_window, ${value} AS value, ${gather(isHuman)} AS human,
            ${gather(isAi(plan))} AS ai
          FROM ${rows} GROUP BY page_views.salt_window, value, visitor
        ) GROUP BY salt_window, value, human, ai
      )
    ) GROUP BY salt_window, value, previous, on`
}

/** The days of a visitor that match a condition, as bits if the range of the plan has no more days than a number has bits. */
function daysIn(plan: Plan) {
  const [first, end] = [dayNumberOf(plan.dateFrom), dayNumberOf(plan.dateTo)]
  const day = dayNumber(plan)
  if (end - first > 64) {
    return {
      gather: (which: string) => `arraySort(groupUniqArrayIf(toUInt16(${day}), ${which}))`,
      toDays: (days: string) => days,
      merge: (a: string, b: string) => `arraySort(arrayDistinct(arrayConcat(${a}, ${b})))`,
    }
  }
  // The store may compute the bit of rows that don't count, too.
  const bit = `bitShiftLeft(toUInt64(1), toUInt8(greatest(0, least(63, ${day} - ${first}))))`
  return {
    gather: (which: string) => `groupBitOr(if(${which}, ${bit}, toUInt64(0)))`,
    toDays: (bits: string) => `arrayMap(place -> toUInt16(place + ${first}), bitPositionsToArray(${bits}))`,
    merge: (a: string, b: string) => `bitOr(${a}, ${b})`,
  }
}

type CountingViews = {
  readonly value: string
  readonly where: string
  readonly keys: readonly string[]
  /** Aggregates for `counted`. */
  readonly also?: string
  /** The sums of people's views and of agents' views; of crawlers, of verified and unverified ones. */
  readonly counted?: readonly [human: string, ai: string]
}

function viewCounters(plan: Plan, { keys, value, where, also, counted = ['0', '0'] }: CountingViews): string {
  const [human, ai] = counted
  const views = countViews(plan, {
    keys: ['salt_window', ...keys].join(', '),
    where: `${viewed(plan)} AND ${where}`,
    ...(also === undefined ? {} : { also }),
  })
  return `SELECT toString(salt_window) AS salt_window, ${value} AS value, toUInt16(0) AS previous, toUInt16(day) AS on,
      toUInt32(${human}) AS humans, toUInt32(${ai}) AS ais, toUInt32(sum(counted)) AS both
    FROM (${views}) GROUP BY salt_window, value, on`
}

/** The counters that a statement above gives, each scope with the number of its value. */
export async function readRows(
  store: ClickHouse,
  sql: string,
  params: Params,
  numberOf: (value: string) => number,
): Promise<readonly ScopeRow[]> {
  const rows = await store.read<Omit<ScopeRow, 'scope'> & { readonly value: string }>(
    `/* counters.of_rows */ SELECT value, groupArray(previous) AS previous, groupArray(on) AS day,
        groupArray(humans) AS human, groupArray(ais) AS ai, groupArray(both) AS total
      FROM (${sql}) GROUP BY value SETTINGS max_threads = 1`,
    params,
  )
  return rows.map((row) => ({ ...row, scope: numberOf(row.value) }))
}
