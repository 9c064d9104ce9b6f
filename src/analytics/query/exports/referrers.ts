// The sites that human visitors came from. Views without a referring site, or from a page of the same site, don't count.

import type { Export } from '../rows.ts'
import { siteOf } from '../referrer-sites.ts'
import { isHuman, viewed } from '../sql.ts'
import { ofTotal, sumByValue } from '../sums.ts'

export type Referrer = {
  /** A host that stands for its site, or `android-app://` with the id of an app. */
  readonly referrer: string
  readonly visitors: number
}

export const referrers: Export<Referrer> = {
  name: 'referrers',
  columns: ['referrer', 'visitors'],
  order: ['-visitors', 'referrer'],
  sql: (plan) => `SELECT 0 AS isTotal, site AS referrer, uniqExactMerge(ids) AS visitors
    FROM (SELECT ${siteOf('host')} AS site, ids FROM (
      SELECT toString(referrer) AS host, uniqExactState(visitor) AS ids
      FROM page_views WHERE ${viewed(plan)} AND ${isHuman} AND visitor != 0 AND referrer != '' GROUP BY host
    )) GROUP BY site`,
  counters: {
    dimensions: ['referrer'],
    add: (counted, plan, rows) => {
      const stored = new Map(rows.map(({ referrer, visitors }) => [referrer, ofTotal(visitors)]))
      const found = sumByValue(counted, 'referrer', plan, stored)
      return { rows: Array.from(found, ([referrer, { total }]) => ({ referrer, visitors: total })) }
    },
  },
}
