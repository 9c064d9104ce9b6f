// Unique visitors of the site and of each page. Counts are exact: distinct visitor ids are counted, not estimated. A
// visitor who came both as a person and through an AI agent counts once in the total.

import type { PerWindow } from '../per-window.ts'
import type { Plan } from '../plan.ts'
import type { Export } from '../rows.ts'
import { isAi, isHuman, isVisit, viewed } from '../sql.ts'
import { countColumns, type Counts, type PageCounts, visitorsBy } from '../sums.ts'

export type ProbablyAutomated = {
  /** Page views of browsers that are probably automated, of those in imported logs that could be judged. `of` is at least 1. */
  readonly pageViews: number
  readonly of: number
  /** From 0 to 1, to four places. */
  readonly share: number
  /** A sentence for people. */
  readonly note: string
}

export type VisitorsResponse = {
  readonly totals: Counts
  readonly perWindow: PerWindow | null
  readonly probablyAutomated?: ProbablyAutomated
  readonly visitors: readonly PageCounts[]
  readonly hasMore: boolean
}

export const visitors: Export<PageCounts> = {
  name: 'visitors',
  isOfPages: true,
  ...countColumns('path'),
  sql: (plan) => `SELECT grouping(path) AS isTotal, path, ${uniqueVisitors(plan)}
    FROM page_views WHERE ${viewed(plan)} AND ${isVisit(plan)} GROUP BY GROUPING SETS ((path), ())`,
  counters: visitorsBy('path', 'page'),
}

/** Counts visitors over rows that match `isVisit`. */
export function uniqueVisitors(plan: Plan): string {
  return `uniqExactIf(visitor, ${isHuman}) AS human, uniqExactIf(visitor, ${isAi(plan)}) AS ai,
    uniqExact(visitor) AS total`
}
