// Broken pages (paths that returned 404) and downloads (files that are not pages), by the class of the client. No other
// export counts these page views. A download that a client fetches in parts (status 206) counts once.

import type { Plan } from '../plan.ts'
import type { Export } from '../rows.ts'
import { classOf, type Counting, countViews, downloaded, notFound } from '../sql.ts'

export type RequestCounts = {
  readonly path: string
  readonly human: number
  readonly ai: number
  readonly neither: number
  readonly total: number
}

const shared = {
  columns: ['path', 'human', 'ai', 'neither', 'total'],
  order: ['-total', 'path'],
} as const

export const brokenPages: Export<RequestCounts> = {
  ...shared,
  name: 'broken-pages',
  sql: (plan) => countByClass(plan, { where: notFound(plan) }),
}

export const downloads: Export<RequestCounts> = {
  ...shared,
  name: 'downloads',
  sql: (plan) => countByClass(plan, { where: downloaded(plan), whole: 'status != 206' }),
}

function countByClass(plan: Plan, rows: Pick<Counting, 'where' | 'whole'>): string {
  const keys = `path, ${classOf(plan)} AS class`
  return `SELECT 0 AS isTotal, path, sumIf(counted, class = 1) AS human, sumIf(counted, class = 2) AS ai,
      sumIf(counted, class = 0) AS neither, sum(counted) AS total
    FROM (${countViews(plan, { keys, ...rows })}) GROUP BY path`
}
