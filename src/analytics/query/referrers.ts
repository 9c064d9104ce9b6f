// The sites that human visitors came from. Views without a referring site, or from a page of the same site, don't count.

import type { Export } from './rows.ts'
import { isHuman, viewed } from './sql.ts'

export type Referrer = {
  /** A host. */
  readonly referrer: string
  readonly visitors: number
}

export const referrers: Export<Referrer> = {
  name: 'referrers',
  columns: ['referrer', 'visitors'],
  order: 'visitors DESC, referrer ASC',
  sql: (plan) => `SELECT 0 AS isTotal, referrer, uniqExact(visitor) AS visitors
    FROM page_views WHERE ${viewed(plan)} AND ${isHuman} AND visitor != 0 AND referrer != '' GROUP BY referrer`,
}
