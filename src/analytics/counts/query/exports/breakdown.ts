// Unique visitors by a dimension of their page views, such as the country, and by the page that they saw first on a day. A visitor
// with several values counts once in each of them, and once in the totals.

import { type BreakdownName, type ViewDimension, viewDimensions } from '../../../dimensions/view-dimensions.ts'
import type { Dimension } from '../../uniques/dimensions.ts'
import type { Plan } from '../plan.ts'
import type { Export } from '../rows.ts'
import { firstViews, isVisit, viewed } from '../sql.ts'
import { countColumns, type Counts, sumsBy, visitorsBy } from '../sums.ts'
import { uniqueVisitors } from './visitors.ts'

/** Empty: unknown. */
export type ValueCounts = { readonly value: string } & Counts

export const breakdowns: Readonly<Record<BreakdownName, Export<ValueCounts>>> = {
  ...(Object.fromEntries(viewDimensions.map((name) => [name, byColumn(name, name, name)])) as Readonly<
    Record<ViewDimension, Export<ValueCounts>>
  >),
  site: byColumn('site', 'site_id', 'of_site'),
  entry: {
    ...countColumns('value'),
    name: 'breakdown-entry',
    sql: (plan) => `SELECT grouping(value) AS isTotal, value, countIf(class = 1) AS human, countIf(class = 2) AS ai,
        count() AS total
      FROM (${firstViews(plan, `${viewed(plan)} AND ${isVisit(plan)}`)}) GROUP BY GROUPING SETS ((value), ())`,
    counters: sumsBy('value', 'entry'),
  },
}

function byColumn(name: string, column: string, dimension: Dimension): Export<ValueCounts> {
  return {
    ...countColumns('value'),
    name: `breakdown-${name}`,
    sql: (plan: Plan) => `SELECT grouping(${column}) AS isTotal, toString(${column}) AS value, ${uniqueVisitors(plan)}
      FROM page_views WHERE ${viewed(plan)} AND ${isVisit(plan)} GROUP BY GROUPING SETS ((${column}), ())`,
    counters: visitorsBy('value', dimension),
  }
}
