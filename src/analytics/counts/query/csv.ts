// Rows as CSV (RFC 4180), in pieces, so that only one piece is in memory. Cells that a spreadsheet would run as a
// formula become text. Knows nothing about HTTP.

import { type Export, type Question, readPage, type Row } from './rows.ts'

/** Rows per statement. Most sites have fewer, so one statement returns a consistent export. */
const rowsOfPiece = 20_000

/** The header line and all rows of the plan. When `signal` aborts, cancels the query and throws the signal's reason. */
export async function* streamCsv(
  question: Question,
  exported: Export,
  signal: AbortSignal,
): AsyncGenerator<string, void> {
  for (let offset = 0; ; offset += rowsOfPiece) {
    const piece = { ...question, plan: { ...question.plan, offset, limit: rowsOfPiece } }
    const { rows, hasMore } = await readPage(piece, exported, signal)
    yield (offset === 0 ? headerLine(exported.columns) : '') + toLines(exported.columns, rows)
    if (!hasMore) return
  }
}

/** A header line and these rows. */
export function toCsv(columns: readonly string[], rows: readonly Row[]): string {
  return headerLine(columns) + toLines(columns, rows)
}

function headerLine(columns: readonly string[]): string {
  return `${columns.join(',')}\r\n`
}

function toLines(columns: readonly string[], rows: readonly Row[]): string {
  return rows.map((row) => `${columns.map((column) => toCell(row[column])).join(',')}\r\n`).join('')
}

/** Matches text that spreadsheets treat as a formula: also with full-width characters, also after white space. */
const formula = /^[\s\u00a0\u3000]*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/

function toCell(value: unknown): string {
  if (typeof value === 'number') return String(value)
  const text = String(value)
  const safe = formula.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
