// Formats the output of `docent analytics summary` from responses of the API. Pure: sends no requests.

import type { AiAgent } from '../../../analytics/counts/query/exports/agents.ts'
import type { ProbablyAutomated } from '../../../analytics/counts/query/exports/visitors.ts'
import type { IntervalCounts } from '../../../analytics/counts/query/exports/timeseries.ts'
import type { PerWindow } from '../../../analytics/counts/query/per-window.ts'
import type { Counts, PageCounts } from '../../../analytics/counts/query/sums.ts'
import { plainText } from '../../../lib/plain-text.ts'
import { describeFilters, type FilterOptions } from '../../filter-options.ts'
import type { Output } from '../../output.ts'
import { paint, printTable } from '../../output.ts'
import { addDays, type DayRange, countDays } from '../range.ts'
import { type Blocks, sparkline } from './sparkline.ts'

export type Summary = {
  readonly range: DayRange
  readonly timeZone: string
  /** The day of the first page view, of any class. */
  readonly firstPageView: string | null
  /** The page views that count, if not all of them do. */
  readonly filters: FilterOptions
  readonly totals: Counts
  /** How visitors of the range are distinguished, if some may count twice. */
  readonly perWindow: PerWindow | null
  /** Absent: no import judged page views of the range. */
  readonly probablyAutomated?: ProbablyAutomated
  /** The days that the range is compared with. Null: page views begin later. */
  readonly previous: (DayRange & { readonly totals: Counts; readonly perWindow: PerWindow | null }) | null
  readonly days: readonly IntervalCounts[]
  readonly pages: readonly PageCounts[]
  readonly agents: readonly AiAgent[]
}

const rows = ['human', 'ai', 'total'] as const

export function printSummary(output: Output, summary: Summary, blocks: Blocks): void {
  const { range, timeZone, filters, perWindow, probablyAutomated, previous, pages, agents } = summary
  const days = `${nameOf(range)} (${countDays(range)} days, ${plainText(timeZone)})`
  output.print(paint(output, 'bold', `Unique visitors, ${days}`))
  printFilters(output, filters)
  printPerWindow(output, perWindow)
  output.print(paint(output, 'gray', compared(summary)))
  output.print('')
  printTotals(output, { ...summary, ...(previous && { before: previous.totals }) }, blocks)
  if (probablyAutomated) output.print(plainText(probablyAutomated.note))
  if (pages.length > 0) {
    output.print('')
    printVisitors(output, pages)
  }
  if (agents.length === 0) return
  output.print('')
  printAgents(output, agents)
}

/** Prints nothing without filters. */
export function printFilters(output: Output, filters: FilterOptions): void {
  const only = describeFilters(filters)
  if (only !== undefined) output.print(paint(output, 'bold', `Only where ${plainText(only)}`))
}

function compared({ previous, firstPageView }: Summary): string {
  if (previous) return `Before: ${nameOf(previous)}${previous.perWindow ? `, ${previous.perWindow.note}` : ''}.`
  return firstPageView === null ? 'There are no page views yet.' : `Not compared: page views begin on ${firstPageView}.`
}

function nameOf({ from, to }: DayRange): string {
  return `${from} to ${addDays(to, -1)}`
}

/** Says why the numbers are not those of distinct people. Prints nothing if they are. */
export function printPerWindow(output: Output, perWindow: PerWindow | null): void {
  if (perWindow) output.print(`Visitors are ${plainText(perWindow.note)}.`)
}

type Totals = Pick<Summary, 'totals' | 'days'> & { readonly before?: Counts }

/** Prints a line of blocks for each class, next to the numbers of the previous range if they are known. */
export function printTotals(output: Output, { totals, before, days }: Totals, blocks: Blocks): void {
  const table = rows.map((name) => {
    const line = sparkline(
      days.map((day) => day[name]),
      blocks,
    )
    const compared = before ? [withCommas(before[name]), toChange(totals[name], before[name])] : []
    return [name, withCommas(totals[name]), ...compared, line]
  })
  const compared = before ? ['BEFORE', 'CHANGE'] : []
  printTable(output, ...toRight(['', 'VISITORS', ...compared, 'BY DAY'], table, before ? [1, 2, 3] : [1]))
}

export function printVisitors(output: Output, pages: readonly PageCounts[]): void {
  const table = pages.map((page) => [plainText(page.path), ...[page.human, page.ai, page.total].map(withCommas)])
  printTable(output, ...toRight(['PAGE', 'HUMAN', 'AI', 'TOTAL'], table, [1, 2, 3]))
}

function printAgents(output: Output, agents: readonly AiAgent[]): void {
  const table = agents.map(({ agent, operator, visitors, unverified, views, topPath }) => [
    plainText(agent) || '(unnamed)',
    plainText(operator),
    withCommas(visitors),
    withCommas(unverified),
    withCommas(views),
    plainText(topPath),
  ])
  printTable(
    output,
    ...toRight(['AI AGENT', 'OPERATOR', 'VISITORS', 'UNVERIFIED', 'VIEWS', 'TOP PAGE'], table, [2, 3, 4]),
  )
}

export function withCommas(count: number): string {
  return count.toLocaleString('en')
}

/** Returns a change such as `+12.5 %`, or `new` if there was nothing before. */
export function toChange(now: number, before: number): string {
  if (before === 0) return now === 0 ? '=' : 'new'
  const share = Math.round(((now - before) / before) * 1_000) / 10
  if (share === 0) return '='
  return `${share > 0 ? '+' : ''}${share.toFixed(1)} %`
}

type Table = readonly (readonly string[])[]

/** Aligns the given columns to the right. */
export function toRight(
  heading: readonly string[],
  table: Table,
  columns: readonly number[],
): [readonly string[], Table] {
  const all = [heading, ...table]
  const widths = heading.map((_, n) => Math.max(...all.map((row) => row[n]?.length ?? 0)))
  const [first = [], ...rest] = all.map((row) =>
    row.map((cell, n) => (columns.includes(n) ? cell.padStart(widths[n] ?? 0) : cell)),
  )
  return [first, rest]
}
