// Formats the output of `docent analytics realtime` from the response of the API. Pure: sends no requests.

import type { Realtime } from '../../../analytics/realtime/count.ts'
import { plainText } from '../../../lib/plain-text.ts'
import type { FilterOptions } from '../../filter-options.ts'
import { type Output, paint, printTable } from '../../output.ts'
import { type Blocks, sparkline } from '../summary/sparkline.ts'
import { printFilters, toRight, withCommas } from '../summary/summary-text.ts'

const classes = ['human', 'ai', 'total'] as const

export function printRealtime(
  output: Output,
  { now, today }: Realtime,
  blocks: Blocks,
  filters: FilterOptions = {},
): void {
  printFilters(output, filters)
  output.print(paint(output, 'bold', 'The last five minutes'))
  const recent = classes.map((name) => [name, withCommas(now.visitors[name]), withCommas(now.views[name])])
  printTable(output, ...toRight(['', 'VISITORS', 'VIEWS'], recent, [1, 2]))
  if (now.pages.length > 0) {
    output.print('')
    const pages = now.pages.map(({ path, visitors, views }) => [
      plainText(path),
      ...classes.map((name) => withCommas(visitors[name])),
      withCommas(views.total),
    ])
    printTable(output, ...toRight(['PAGE', 'HUMAN', 'AI', 'TOTAL', 'VIEWS'], pages, [1, 2, 3, 4]))
  }
  output.print('')
  output.print(paint(output, 'bold', `Today, ${today.date}`))
  const day = classes.map((name) => {
    const line = sparkline(
      today.hours.map(({ visitors }) => visitors[name]),
      blocks,
    )
    return [name, withCommas(today.visitors[name]), withCommas(today.views[name]), line]
  })
  printTable(output, ...toRight(['', 'VISITORS', 'VIEWS', 'VISITORS BY HOUR'], day, [1, 2]))
}
