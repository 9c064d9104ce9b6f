// Page views (not unique) of the site and of each page. A view that both a browser and a server reported counts once:
// for each visitor, page and day, the larger of the two numbers counts.

import type { Plan } from './plan.ts'
import type { Export } from './rows.ts'
import { dayNumber, isAi, isHuman, viewed } from './sql.ts'
import type { PageCounts } from './visitors.ts'

export const views: Export<PageCounts> = {
  name: 'views',
  columns: ['path', 'human', 'ai', 'total'],
  totals: ['human', 'ai', 'total'],
  order: 'total DESC, path ASC',
  sorts: ['total', 'human', 'ai'],
  sql: (plan) => `SELECT grouping(path) AS isTotal, path, sumIf(counted, class = 1) AS human,
      sumIf(counted, class = 2) AS ai, sum(counted) AS total
    FROM (${countViews(plan, { keys: `path, ${classOf(plan)} AS class`, where: `${viewed(plan)} AND class != 0` })})
    GROUP BY GROUPING SETS ((path), ())`,
}

/** 1: human, 2: ai, 0: neither. */
export function classOf(plan: Plan): string {
  return `multiIf(${isHuman}, 1, ${isAi(plan)}, 2, 0)`
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
