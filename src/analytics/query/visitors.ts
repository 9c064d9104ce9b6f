// Unique visitors of the site and of each page. Counts are exact: distinct visitor ids are counted, not estimated. A
// visitor who came both as a person and through an AI agent counts once in the total.

import type { Counted } from '../uniques/counted.ts'
import { addUniques, createSums, siteScope, type Sums } from '../uniques/counters.ts'
import { dayNumberOf } from '../zone.ts'
import type { Plan } from './plan.ts'
import type { Export, Stored, Uniques } from './rows.ts'
import { isAi, isHuman, isVisit, viewed } from './sql.ts'

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
  addCounters: countPages,
}

function countPages(
  { counters, pages }: Counted,
  plan: Plan,
  rows: readonly Stored<PageCounts>[],
): Uniques<PageCounts> {
  const sums = createSums(pages.size + 1)
  const [from, to] = [dayNumberOf(plan.dateFrom), dayNumberOf(plan.dateTo)]
  for (const one of counters) for (const some of [one.site, one.pages]) addUniques(sums, some, from, to)
  const others = new Map(rows.filter(({ isTotal }) => isTotal === 0).map((row) => [row.path, row]))
  const found: PageCounts[] = []
  for (const [path, scope] of pages) {
    const counts = plus(sums, scope, others.get(path))
    others.delete(path)
    if (counts.total > 0) found.push({ path, ...counts })
  }
  for (const { path, human, ai, total } of others.values()) found.push({ path, human, ai, total })
  return {
    totals: plus(
      sums,
      siteScope,
      rows.find(({ isTotal }) => isTotal === 1),
    ),
    rows: found,
  }
}

/** The counts of a scope or an interval in `sums`, and those of the store. */
export function plus(sums: Sums, at: number, stored: Counts | undefined): Counts {
  return {
    human: (sums[at * 3] ?? 0) + (stored?.human ?? 0),
    ai: (sums[at * 3 + 1] ?? 0) + (stored?.ai ?? 0),
    total: (sums[at * 3 + 2] ?? 0) + (stored?.total ?? 0),
  }
}

/** Counts visitors over rows that match `isVisit`. */
export function uniqueVisitors(plan: Plan): string {
  return `uniqExactIf(visitor, ${isHuman}) AS human, uniqExactIf(visitor, ${isAi(plan)}) AS ai,
    uniqExact(visitor) AS total`
}
