// Prints for commands: tables, fields and diffs for people. Scripts get one JSON document, which commands print as it is.

import { styleText } from 'node:util'
import { nameTricky, terminalText } from '../lib/plain-text.ts'

export type Output = {
  /** Prints a line to standard output. */
  print(line: string): void
  /** Prints a line to standard error. */
  warn(line: string): void
  /** True if standard output is a terminal that shows colours. */
  readonly colours: boolean
  /** Set if standard error is a terminal: for lines that are repainted. */
  readonly terminal?: { write(text: string): void; columns(): number } | undefined
}

export type Style = Parameters<typeof styleText>[0]

export function paint(output: Output, style: Style, text: string): string {
  return output.colours ? styleText(style, text, { validateStream: false }) : text
}

/** Aligns columns by their longest cell and prints the heading in bold. */
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

/** Prints one field per line. Values are made plain, except those in `painted`, which the caller has coloured. */
export function printFields(
  output: Output,
  fields: Readonly<Record<string, unknown>>,
  painted: Readonly<Record<string, string>> = {},
): void {
  const width = Math.max(...Object.keys(fields).map((name) => name.length))
  for (const [name, value] of Object.entries(fields)) {
    const text = painted[name] ?? terminalText(typeof value === 'string' ? value : JSON.stringify(value))
    output.print(`${name.padEnd(width)}  ${text}`)
  }
}

/** Prints a unified diff in the usual colours. Characters that deceive its reader are shown by their names. */
export function printDiff(output: Output, diff: string): void {
  const shown = nameTricky(diff.toWellFormed().replaceAll('\r\n', '\n'))
  for (const line of shown.trimEnd().split('\n')) output.print(paint(output, styleOf(line), line))
}

function styleOf(line: string): Style {
  if (line.startsWith('+++') || line.startsWith('---') || line.startsWith('diff ')) return 'bold'
  if (line.startsWith('+')) return 'green'
  if (line.startsWith('-')) return 'red'
  return line.startsWith('@@') ? 'cyan' : 'reset'
}
