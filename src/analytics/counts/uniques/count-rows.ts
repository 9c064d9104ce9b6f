// The statements that count counters from rows. If one changes, the number in `generationOf` must be raised.

import type { Plan } from '../query/plan.ts'
import { siteOf } from '../query/referrer-sites.ts'
import {
  classOf,
  countViews,
  dayNumber,
  isAi,
  isCrawler,
  isHuman,
  isVisit,
  verification,
  verifiedViews,
  viewed,
} from '../query/sql.ts'
import type { Dimension } from './dimensions.ts'

/**
 * SQL for counters of all values of a dimension: `salt_window`, `value`, `previous`, `on`, `humans`, `ais`, `both`. `which`: a
 * condition for the rows.
 */
export const countRows: Readonly<Record<Dimension, (plan: Plan, which: string) => string>> = {
  site: (plan, which) => visitorCounters(plan, { value: `''`, where: which }),
  page: (plan, which) => visitorCounters(plan, { value: 'toString(path)', where: which }),
  referrer: (plan, which) =>
    visitorCounters(plan, {
      value: siteOf('toString(referrer)'),
      where: `${isHuman} AND referrer != '' AND ${which}`,
    }),
  agent: agentCounters,
  verified_agent: (plan, which) => agentCounters(plan, `verified = 'address' AND ${which}`),
  unverified_agent: (plan, which) => agentCounters(plan, `verified = 'failed' AND ${which}`),
  page_views: (plan, which) =>
    viewCounters(plan, {
      keys: ['path', `${classOf(plan)} AS class`],
      value: 'toString(path)',
      where: `class != 0 AND ${which}`,
      counted: ['sumIf(counted, class = 1)', 'sumIf(counted, class = 2)'],
    }),
  agent_views: (plan, which) => {
    const keys = ['agent', 'operator', 'path']
    return viewCounters(plan, { keys, value: linesOf(...keys), where: `${isAi(plan)} AND ${which}` })
  },
  crawler_views: (plan, which) =>
    viewCounters(plan, {
      keys: ['agent', 'operator', 'category', 'path'],
      value: linesOf('agent', 'operator', 'category'),
      where: `${isCrawler} AND ${which}`,
      also: verification,
      counted: verifiedViews,
    }),
}

function agentCounters(plan: Plan, which: string): string {
  return visitorCounters(plan, { value: linesOf('agent', 'operator'), where: `${isAi(plan)} AND ${which}` })
}

/** A value of several columns, a line each: names of clients are those of our lists, and paths contain no line ends. */
function linesOf(...columns: readonly string[]): string {
  return `concat(${columns.map((column) => `toString(${column})`).join(`, '\\n', `)})`
}

type Counting = { readonly value: string; readonly where: string }

/** The days of each visitor become pairs of a day and the one before, and equal pairs become one counter. */
function visitorCounters(plan: Plan, { value, where }: Counting): string {
  const day = `toUInt16(${dayNumber(plan)})`
  const pairs = (place: number, days: string) =>
    `arrayMap((before, on) -> (${place}, before, on), arrayResize(arrayPushFront(${days}, 0), length(${days})), ${days})`
  return `SELECT salt_window, value, pair.2 AS previous, pair.3 AS on, toUInt32(countIf(pair.1 = 1)) AS humans,
      toUInt32(countIf(pair.1 = 2)) AS ais, toUInt32(countIf(pair.1 = 3)) AS both
    FROM (
      SELECT salt_window, value,
        arrayJoin(arrayConcat(${pairs(1, 'humanDays')}, ${pairs(2, 'aiDays')}, ${pairs(3, 'days')})) AS pair
      FROM (
        SELECT toString(salt_window) AS salt_window, ${value} AS value,
          arraySort(groupUniqArrayIf(${day}, ${isHuman})) AS humanDays,
          arraySort(groupUniqArrayIf(${day}, ${isAi(plan)})) AS aiDays,
          arraySort(groupUniqArray(${day})) AS days
        FROM page_views WHERE ${viewed(plan)} AND ${isVisit(plan)} AND ${where}
        GROUP BY page_views.salt_window, value, visitor
      )
    ) GROUP BY salt_window, value, previous, on`
}

type CountingViews = Counting & {
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
