// A line of a page, read from its start: how far it is indented, and how much of it the marks of containers took. A tab goes
// to the next column that is a multiple of four, and a container may take a part of one.

import { isBlank, space, tab } from '../characters.ts'

export type Line = {
  /** Where the rest of the line begins, and its column. */
  at: number
  column: number
  /** Columns of a tab before `at` that no container took. */
  rest: number
  /** The first character that is no blank, and the columns before it. */
  first: number
  indent: number
  /** The last character that is neither a blank nor the mark, for the mark that was asked for last. */
  last: { readonly mark: number; readonly at: number }
  /** Where the line ends, and where the next one begins. */
  readonly end: number
  readonly next: number
}

export function createLine(
  source: string,
  bounds: { readonly start: number; readonly end: number; readonly next: number },
): Line {
  const { start, end, next } = bounds
  const line = { at: start, column: 0, rest: 0, first: start, indent: 0, last: { mark: 0, at: 0 }, end, next }
  measure(source, line)
  return line
}

export function isEmpty(line: Line): boolean {
  return line.first === line.end
}

/** Takes that many columns of indentation, which are there. */
export function takeIndent(source: string, line: Line, columns: number): void {
  let left = columns
  while (left > 0) {
    if (line.rest === 0) {
      line.rest = source.charCodeAt(line.at) === tab ? 4 - (line.column % 4) : 1
      line.at += 1
    }
    const taken = Math.min(line.rest, left)
    line.rest -= taken
    line.column += taken
    left -= taken
  }
  line.indent -= columns
}

/** Takes the indentation and the mark that follows it. */
export function takeMark(source: string, line: Line, size: number): void {
  line.column += line.indent + size
  line.at = line.first + size
  line.rest = 0
  measure(source, line)
}

/** Whether the rest of the line is blanks and marks. It is asked for each item in a line of nested ones. */
export function hasOnly(source: string, line: Line, mark: number): boolean {
  if (line.last.mark !== mark) {
    let at = line.end - 1
    while (at >= line.first && (source.charCodeAt(at) === mark || isBlank(source.charCodeAt(at)))) at -= 1
    line.last = { mark, at }
  }
  return line.last.at < line.first
}

function measure(source: string, line: Line): void {
  let { at, column } = line
  for (; at < line.end; at += 1) {
    const code = source.charCodeAt(at)
    if (code === space) column += 1
    else if (code === tab) column += 4 - (column % 4)
    else break
  }
  line.first = at
  line.indent = column - line.column
}
