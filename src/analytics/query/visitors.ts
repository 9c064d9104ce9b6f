// Unique visitors of the site and of each page. Exact: the ids of visitors are counted, not estimated. A visitor who
// came as a person and through an AI agent is one in the total.

import type { Plan } from './plan.ts'
import type { Export } from './rows.ts'
import { isAi, isHuman, viewed } from './sql.ts'

export type Counts = { readonly human: number; readonly ai: number; readonly total: number }
export type PageCounts = { readonly path: string } & Counts
export type VisitorsView = {
  readonly totals: Counts
  readonly visitors: readonly PageCounts[]
  readonly hasMore: boolean
}

export const visitors: Export<PageCounts> = {
  name: 'visitors',
  columns: ['path', 'human', 'ai', 'total'],
  order: 'total DESC, path ASC',
  sql: (plan) => `SELECT grouping(path) AS isTotal, path, ${uniqueVisitors(plan)}
    FROM page_views WHERE ${viewed(plan)} AND ${isVisit(plan)} GROUP BY GROUPING SETS ((path), ())`,
}

/** A view that makes a visitor of the one or the other class. */
export function isVisit(plan: Plan): string {
  return `visitor != 0 AND (${isHuman} OR ${isAi(plan)})`
}

/** Over rows of `isVisit`. */
export function uniqueVisitors(plan: Plan): string {
  return `uniqExactIf(visitor, ${isHuman}) AS human, uniqExactIf(visitor, ${isAi(plan)}) AS ai,
    uniqExact(visitor) AS total`
}

export function toCounts(row: Counts | undefined): Counts {
  return { human: row?.human ?? 0, ai: row?.ai ?? 0, total: row?.total ?? 0 }
}
