// Broken pages (paths that returned 404) and downloads (files that are not pages), by the class of the client. No other
// export counts these page views.

import type { Plan } from './plan.ts'
import type { Export } from './rows.ts'
import { downloaded, notFound } from './sql.ts'
import { classOf, countViews } from './views.ts'

export type RequestCounts = {
  readonly path: string
  readonly human: number
  readonly ai: number
  readonly neither: number
  readonly total: number
}

const shared = {
  columns: ['path', 'human', 'ai', 'neither', 'total'],
  order: 'total DESC, path ASC',
} as const

export const brokenPages: Export<RequestCounts> = {
  ...shared,
  name: 'broken-pages',
  sql: (plan) => countByClass(plan, notFound),
}

export const downloads: Export<RequestCounts> = {
  ...shared,
  name: 'downloads',
  sql: (plan) => countByClass(plan, downloaded),
}

function countByClass(plan: Plan, where: string): string {
  return `SELECT 0 AS isTotal, path, sumIf(counted, class = 1) AS human, sumIf(counted, class = 2) AS ai,
      sumIf(counted, class = 0) AS neither, sum(counted) AS total
    FROM (${countViews(plan, { keys: `path, ${classOf(plan)} AS class`, where })}) GROUP BY path`
}
