// Unique visitors by a dimension of their page views, such as the country, and by the page that they saw first on a day. A visitor
// with several values counts once in each of them, and once in the totals.

import { type BreakdownName, type ViewDimension, viewDimensions } from '../../../dimensions/view-dimensions.ts'
import type { Dimension } from '../../uniques/dimensions.ts'
import type { Plan } from '../plan.ts'
import type { Export } from '../rows.ts'
import { firstViews, isVisit, viewed } from '../sql.ts'
import { addAll, byKey, type Counts, sumByValue } from '../sums.ts'
import { uniqueVisitors } from './visitors.ts'

/** Empty: unknown. */
export type ValueCounts = { readonly value: string } & Counts

const shared = {
  columns: ['value', 'human', 'ai', 'total'],
  totals: ['human', 'ai', 'total'],
  order: ['-total', 'value'],
  sorts: ['total', 'human', 'ai'],
} as const

export const breakdowns: Readonly<Record<BreakdownName, Export<ValueCounts>>> = {
  ...(Object.fromEntries(viewDimensions.map((name) => [name, byColumn(name, name, name)])) as Readonly<
    Record<ViewDimension, Export<ValueCounts>>
  >),
  site: byColumn('site', 'site_id', 'of_site'),
  entry: {
    ...shared,
    name: 'breakdown-entry',
    sql: (plan) => `SELECT grouping(value) AS isTotal, value, countIf(class = 1) AS human, countIf(class = 2) AS ai,
        count() AS total
      FROM (${firstViews(plan, `${viewed(plan)} AND ${isVisit(plan)}`)}) GROUP BY GROUPING SETS ((value), ())`,
    counters: {
      dimensions: ['entry'],
      add: (counted, plan, rows) => {
        const pages = sumByValue(counted, 'entry', plan, byKey(rows, ({ value }) => value).stored)
        return { totals: addAll(pages.values()), rows: rowsOf(pages) }
      },
    },
  },
}

function byColumn(name: string, column: string, dimension: Dimension): Export<ValueCounts> {
  return {
    ...shared,
    name: `breakdown-${name}`,
    sql: (plan: Plan) => `SELECT grouping(${column}) AS isTotal, toString(${column}) AS value, ${uniqueVisitors(plan)}
      FROM page_views WHERE ${viewed(plan)} AND ${isVisit(plan)} GROUP BY GROUPING SETS ((${column}), ())`,
    counters: {
      dimensions: ['site', dimension],
      add: (counted, plan, rows) => {
        const { totals, stored } = byKey(rows, ({ value }) => value)
        const all = sumByValue(counted, 'site', plan, new Map(totals && [['', totals]]))
        return { totals: all.get(''), rows: rowsOf(sumByValue(counted, dimension, plan, stored)) }
      },
    },
  }
}

function rowsOf(counts: ReadonlyMap<string, Counts>): readonly ValueCounts[] {
  return Array.from(counts, ([value, { human, ai, total }]) => ({ value, human, ai, total }))
}
