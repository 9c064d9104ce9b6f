// What `docent analytics summary` prints, made of what the API answered. Pure: it asks for nothing.

import { plainText } from '../../lib/plain-text.ts'
import type { Output } from '../output.ts'
import { paint, printTable } from '../output.ts'
import { type DayRange, countDays, daysOf } from './range.ts'
import { type Blocks, sparkline } from './sparkline.ts'

export type Counts = { readonly human: number; readonly ai: number; readonly total: number }

export type PageCounts = Counts & { readonly path: string }
export type DayCounts = Counts & { readonly date: string }
export type AgentCounts = {
  readonly agent: string
  readonly operator: string
  readonly visitors: number
  readonly views: number
  readonly topPath: string | null
}

export type Summary = {
  readonly range: DayRange
  readonly totals: Counts
  /** Of as many days, just before. */
  readonly before: Counts
  /** Days without a visitor may be left out. */
  readonly days: readonly DayCounts[]
  readonly pages: readonly PageCounts[]
  readonly agents: readonly AgentCounts[]
}

const rows = ['human', 'ai', 'total'] as const

export function printSummary(output: Output, summary: Summary, blocks: Blocks): void {
  const { range, pages, agents } = summary
  const days = countDays(range)
  output.print(paint(output, 'bold', `Unique visitors, ${range.from} to before ${range.to} (${days} days)`))
  output.print('')
  printTotals(output, summary, blocks)
  if (pages.length > 0) {
    output.print('')
    printVisitors(output, pages)
  }
  if (agents.length === 0) return
  output.print('')
  printAgents(output, agents)
}

function printTotals(output: Output, { range, totals, before, days }: Summary, blocks: Blocks): void {
  const counted = new Map(days.map((one) => [one.date, one]))
  const table = rows.map((name) => {
    const line = sparkline(
      daysOf(range).map((day) => counted.get(day)?.[name] ?? 0),
      blocks,
    )
    return [name, ...[totals[name], before[name]].map(withCommas), toChange(totals[name], before[name]), line]
  })
  printTable(output, ...toRight(['', 'VISITORS', 'BEFORE', 'CHANGE', 'BY DAY'], table, [1, 2, 3]))
}

/** The table of visitors by page. */
export function printVisitors(output: Output, pages: readonly PageCounts[], indent = ''): void {
  const table = pages.map((page) => [
    indent + plainText(page.path),
    ...[page.human, page.ai, page.total].map(withCommas),
  ])
  printTable(output, ...toRight([`${indent}PAGE`, 'HUMAN', 'AI', 'TOTAL'], table, [1, 2, 3]))
}

function printAgents(output: Output, agents: readonly AgentCounts[]): void {
  const table = agents.map(({ agent, operator, visitors, views, topPath }) => [
    plainText(agent),
    plainText(operator),
    withCommas(visitors),
    withCommas(views),
    plainText(topPath ?? ''),
  ])
  printTable(output, ...toRight(['AI AGENT', 'OPERATOR', 'VISITORS', 'VIEWS', 'TOP PAGE'], table, [2, 3]))
}

function withCommas(count: number): string {
  return count.toLocaleString('en')
}

/** `+12.5 %`; nothing to compare with: `new`. */
export function toChange(now: number, before: number): string {
  if (before === 0) return now === 0 ? '=' : 'new'
  const share = Math.round(((now - before) / before) * 1_000) / 10
  if (share === 0) return '='
  return `${share > 0 ? '+' : ''}${share.toFixed(1)} %`
}

type Table = readonly (readonly string[])[]

/** Numbers end below each other. */
function toRight(heading: readonly string[], table: Table, columns: readonly number[]): [readonly string[], Table] {
  const all = [heading, ...table]
  const widths = heading.map((_, n) => Math.max(...all.map((row) => row[n]?.length ?? 0)))
  const [first = [], ...rest] = all.map((row) =>
    row.map((cell, n) => (columns.includes(n) ? cell.padStart(widths[n] ?? 0) : cell)),
  )
  return [first, rest]
}
