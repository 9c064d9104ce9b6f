// Unique visitors of the site and of each page. Counts are exact: distinct visitor ids are counted, not estimated. A
// visitor who came both as a person and through an AI agent counts once in the total.

import type { Plan } from './plan.ts'
import type { Export } from './rows.ts'
import { isAi, isHuman, viewed } from './sql.ts'

export type Counts = { readonly human: number; readonly ai: number; readonly total: number }
export type PageCounts = { readonly path: string } & Counts
export type VisitorsResponse = {
  readonly totals: Counts
  readonly visitors: readonly PageCounts[]
  readonly hasMore: boolean
}

export const visitors: Export<PageCounts> = {
  name: 'visitors',
  columns: ['path', 'human', 'ai', 'total'],
  totals: ['human', 'ai', 'total'],
  order: 'total DESC, path ASC',
  sorts: ['total', 'human', 'ai'],
  sql: (plan) => `SELECT grouping(path) AS isTotal, path, ${uniqueVisitors(plan)}
    FROM page_views WHERE ${viewed(plan)} AND ${isVisit(plan)} GROUP BY GROUPING SETS ((path), ())`,
}

/** Page views that have a visitor and are human or AI. */
export function isVisit(plan: Plan): string {
  return `visitor != 0 AND (${isHuman} OR ${isAi(plan)})`
}

/** Counts visitors over rows that match `isVisit`. */
export function uniqueVisitors(plan: Plan): string {
  return `uniqExactIf(visitor, ${isHuman}) AS human, uniqExactIf(visitor, ${isAi(plan)}) AS ai,
    uniqExact(visitor) AS total`
}
