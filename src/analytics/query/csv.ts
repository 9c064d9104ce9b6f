// Rows as CSV (RFC 4180) in pieces, so that no more than one piece is in memory. Cells that a spreadsheet would run as
// a formula are made text. Knows nothing of HTTP.

import type { ClickHouse } from '../../clickhouse/open.ts'
import type { Plan } from './plan.ts'
import { type Export, readPage } from './rows.ts'

/** Rows that are read at once: of most sites all, so that they are of one moment. */
const rowsOfPiece = 20_000

/** The header line and all rows of the plan. Ends the question of the store when `signal` is aborted, and throws. */
export async function* streamCsv<Row extends object>(
  store: ClickHouse,
  exported: Export<Row>,
  plan: Plan,
  signal: AbortSignal,
): AsyncGenerator<string, void> {
  for (let offset = 0; ; offset += rowsOfPiece) {
    const piece = { ...plan, offset, limit: rowsOfPiece }
    const { rows, hasMore } = await readPage(store, exported, piece, signal)
    yield (offset === 0 ? headerLine(exported.columns) : '') + toLines(exported.columns, rows)
    if (!hasMore) return
  }
}

/** A header line and these rows. */
export function toCsv<Row extends object>(columns: readonly (keyof Row & string)[], rows: readonly Row[]): string {
  return headerLine(columns) + toLines(columns, rows)
}

function headerLine(columns: readonly string[]): string {
  return `${columns.join(',')}\r\n`
}

function toLines<Row extends object>(columns: readonly (keyof Row & string)[], rows: readonly Row[]): string {
  return rows.map((row) => `${columns.map((column) => toCell(row[column])).join(',')}\r\n`).join('')
}

/** What spreadsheets take for the beginning of a formula, also full-width, also behind white space. */
const formula = /^[\s\u00a0\u3000]*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/

function toCell(value: unknown): string {
  if (typeof value === 'number') return String(value)
  const text = String(value)
  const safe = formula.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
