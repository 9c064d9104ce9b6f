// Broken pages: paths that returned 404, by the class of the client. No other export counts these page views.

import type { Export } from './rows.ts'
import { notFound } from './sql.ts'
import { classOf, countViews } from './views.ts'

export type BrokenPage = {
  readonly path: string
  readonly human: number
  readonly ai: number
  readonly neither: number
  readonly total: number
}

export const brokenPages: Export<BrokenPage> = {
  name: 'broken-pages',
  columns: ['path', 'human', 'ai', 'neither', 'total'],
  order: 'total DESC, path ASC',
  sql: (plan) => `SELECT 0 AS isTotal, path, sumIf(counted, class = 1) AS human, sumIf(counted, class = 2) AS ai,
      sumIf(counted, class = 0) AS neither, sum(counted) AS total
    FROM (${countViews(plan, { keys: `path, ${classOf(plan)} AS class`, where: notFound })}) GROUP BY path`,
}
