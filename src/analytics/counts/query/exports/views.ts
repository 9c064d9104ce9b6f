// Page views (not unique) of the site and of each page. A view that both a browser and a server reported counts once:
// for each visitor, page and day, the larger of the two numbers counts.

import type { Export } from '../rows.ts'
import { classOf, countViews, viewed } from '../sql.ts'
import { countColumns, type PageCounts, sumsBy } from '../sums.ts'

export const views: Export<PageCounts> = {
  name: 'views',
  isOfPages: true,
  ...countColumns('path'),
  sql: (plan) => `SELECT grouping(path) AS isTotal, path, sumIf(counted, class = 1) AS human,
      sumIf(counted, class = 2) AS ai, sum(counted) AS total
    FROM (${countViews(plan, { keys: `path, ${classOf(plan)} AS class`, where: `${viewed(plan)} AND class != 0` })})
    GROUP BY GROUPING SETS ((path), ())`,
  counters: sumsBy('path', 'page_views'),
}
