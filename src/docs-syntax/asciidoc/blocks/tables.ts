// Reads the cells of a table: where they are and how their style says to read them. Knows the forms `|===`, `!===`, `,===`
// and `:===`; it reads no text itself.

import type { Range } from '../../text.ts'
import type { BlockAttributes } from '../block-attributes.ts'

/** `page`: AsciiDoc of its own (style `a`); `code`: styles `l` and `m`. */
export type Cell = Range & { readonly content: 'text' | 'page' | 'code' }

type Column = { readonly style: string }

const spec = '(?:(\\d*)(?:\\.(\\d+))?([*+]))?(?:[<^>](?:\\.[<^>]?)?|\\.[<^>])?([a-z])?$'
const specAtStart = new RegExp(`^[ \\t]*${spec}`)
const specAtEnd = new RegExp(`[ \\t]+${spec}`)
const columnSpec = /^(?:(\d+)\*)?(?:[<^>.]{0,3})(?:\d+%?|~)?([a-z])?$/
/** A specification is never longer. */
const maxSpec = 24
const maxColumns = 1000

/** `source` is the page, with spaces for what is no text. */
export function readCells(source: string, range: Range, attributes: BlockAttributes, mark: string): Cell[] {
  const format = attributes.named.get('format')?.text ?? (mark === ',' ? 'csv' : mark === ':' ? 'dsv' : 'psv')
  const own = attributes.named.get('separator')?.text.replace('\\t', '\t')
  if (format !== 'psv' || attributes.style === 'csv')
    return readValues(source, range, own ?? (format === 'dsv' ? ':' : ','))
  return readMarkedCells(source, range, { separator: own ?? (mark === '!' ? '!' : '|'), attributes })
}

function readMarkedCells(
  source: string,
  range: Range,
  { separator, attributes }: { separator: string; attributes: BlockAttributes },
): Cell[] {
  const columns = readColumns(attributes.named.get('cols')?.text ?? '')
  const head = headEnd(source, range, attributes)
  const cells: Cell[] = []
  let open: { readonly start: number; readonly style: string } | undefined
  let lineStart = range.start
  let column = 0
  for (let at = range.start; at < range.end; at++) {
    if (source[at] === '\n') lineStart = at + 1
    if (!source.startsWith(separator, at) || source[at - 1] === '\\') continue
    const from = Math.max(lineStart, open?.start ?? range.start, at - maxSpec)
    const written = source.slice(from, at)
    const found = (from === lineStart ? specAtStart.exec(written) : null) ?? specAtEnd.exec(written)
    if (open) pushCell(cells, source, { ...open, end: at - (found?.[0].length ?? 0) })
    const style = found?.[4] ?? columns[column % Math.max(1, columns.length)]?.style ?? ''
    open = { start: at + separator.length, style: at < head ? 'h' : style }
    column += found?.[3] === undefined ? 1 : Math.min(Number(found[1] || 1), maxColumns)
    at += separator.length - 1
  }
  if (open) pushCell(cells, source, { ...open, end: range.end })
  return cells
}

function pushCell(cells: Cell[], source: string, { start, end, style }: Range & { style: string }): void {
  const text = source.slice(start, Math.max(start, end))
  const lead = text.length - text.trimStart().length
  const size = text.trim().length
  const content = style === 'a' ? 'page' : style === 'l' || style === 'm' ? 'code' : 'text'
  if (size > 0) cells.push({ start: start + lead, end: start + lead + size, content })
}

function readColumns(written: string): Column[] {
  const columns: Column[] = []
  for (const part of written.replaceAll(' ', '').split(/[,;]/)) {
    const found = columnSpec.exec(part)
    const count = Math.min(Number(found?.[1] ?? 1), maxColumns - columns.length)
    for (let index = 0; index < count; index++) columns.push({ style: found?.[2] ?? '' })
  }
  return columns
}

/** Where the head row ends: it has no styles. A first line with a blank line after it is a head row, too. */
function headEnd(source: string, range: Range, { options }: BlockAttributes): number {
  const first = /^(?:[ \t]*\r?\n)*[^\n]*(?:\n|$)/.exec(source.slice(range.start, range.end))?.[0].length ?? 0
  const begins = /^[^\n]*\S/.test(source.slice(range.start, range.start + first))
  const isFollowed = /^[ \t]*\r?\n/.test(
    source.slice(range.start + first, Math.min(range.end, range.start + first + 100)),
  )
  const isHead = options.has('header') || (begins && isFollowed && !options.has('noheader'))
  return isHead ? range.start + first : range.start
}

/** CSV and DSV: the values of each line. */
function readValues(source: string, range: Range, separator: string): Cell[] {
  const cells: Cell[] = []
  let start = range.start
  let isQuoted = false
  for (let at = range.start; at <= range.end; at++) {
    const character = at === range.end ? '\n' : source.charAt(at)
    if (character === '"') isQuoted = !isQuoted
    if ((character !== '\n' || (isQuoted && at < range.end)) && (isQuoted || character !== separator)) continue
    const written = source.slice(start, at)
    const lead = /^\s*"?/.exec(written)?.[0].length ?? 0
    const size = written.slice(lead).trimEnd().replace(/"$/, '').length
    if (size > 0) cells.push({ start: start + lead, end: start + lead + size, content: 'text' })
    start = at + 1
  }
  return cells
}
