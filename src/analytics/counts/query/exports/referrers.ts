// The sites that human visitors came from. Views without a referring site, or from a site of the project, don't count. The
// counters have those, too: the project's sites may change.

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
  leavesOutOwnSites: true,
  columns: ['referrer', 'visitors'],
  order: ['-visitors', 'referrer'],
  sql: (plan) => `SELECT 0 AS isTotal, site AS referrer, uniqExactMerge(ids) AS visitors
    FROM (SELECT ${siteOf('host')} AS site, ids FROM (
      SELECT toString(referrer) AS host, uniqExactState(visitor) AS ids
      FROM page_views WHERE ${viewed(plan)} AND ${isHuman} AND visitor != 0 AND referrer != '' GROUP BY host
    )) WHERE site NOT IN {ownSites:Array(String)} GROUP BY site`,
  counters: {
    dimensions: ['referrer'],
    add: (counted, plan, rows) => {
      const stored = new Map(rows.map(({ referrer, visitors }) => [referrer, ofTotal(visitors)]))
      const found = sumByValue(counted, 'referrer', plan, stored)
      const others = [...found].filter(([site]) => !plan.ownSites.includes(site))
      return { rows: others.map(([referrer, { total }]) => ({ referrer, visitors: total })) }
    },
  },
}
