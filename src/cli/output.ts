// How commands print: tables and plain lines for people, one JSON document for scripts.

import { styleText } from 'node:util'
import { plainText } from '../lib/plain-text.ts'

export type Output = {
  /** Standard output, a line at a time. */
  print(line: string): void
  /** Standard error. */
  warn(line: string): void
  /** Colours only where a terminal shows them. */
  readonly colours: boolean
  /** Set when standard error is a terminal, for what is painted again and again. */
  readonly terminal?: { write(text: string): void; columns(): number } | undefined
}

export type Style = Parameters<typeof styleText>[0]

export function paint(output: Output, style: Style, text: string): string {
  return output.colours ? styleText(style, text, { validateStream: false }) : text
}

/** Columns aligned by their longest cell; a heading in bold. */
export function printTable(output: Output, heading: readonly string[], rows: readonly (readonly string[])[]): void {
  const widths = heading.map((cell, column) => Math.max(cell.length, ...rows.map((row) => row[column]?.length ?? 0)))
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join('  ')
      .trimEnd()
  output.print(paint(output, 'bold', line(heading)))
  for (const row of rows) output.print(line(row))
}

/** One field a line. Text of others is made plain; `painted` values are the caller's own. */
export function printFields(
  output: Output,
  fields: Readonly<Record<string, unknown>>,
  painted: Readonly<Record<string, string>> = {},
): void {
  const width = Math.max(...Object.keys(fields).map((name) => name.length))
  for (const [name, value] of Object.entries(fields)) {
    const text = painted[name] ?? plainText(typeof value === 'string' ? value : JSON.stringify(value))
    output.print(`${name.padEnd(width)}  ${text}`)
  }
}

/** A unified diff with the colours that people know. */
export function printDiff(output: Output, diff: string): void {
  for (const line of diff.trimEnd().split('\n')) output.print(paint(output, styleOf(line), line))
}

function styleOf(line: string): Style {
  if (line.startsWith('+++') || line.startsWith('---') || line.startsWith('diff ')) return 'bold'
  if (line.startsWith('+')) return 'green'
  if (line.startsWith('-')) return 'red'
  return line.startsWith('@@') ? 'cyan' : 'reset'
}
