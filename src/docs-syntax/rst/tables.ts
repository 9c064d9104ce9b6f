// Reads tables whose cells are text of their own: grids (`+---+`), simple ones (`===  ===`) and values separated by commas.

import { readInline } from './inline.ts'
import { type Place, type RstLine, type RstState, type Surroundings, restOf, settleLabels } from './state.ts'

type Cells = Map<string, { readonly from: number; readonly to: number; readonly lines: RstLine[] }>

export function readGridTable(state: RstState, lines: readonly RstLine[], { at, base, inner }: Place): number {
  settleLabels(state)
  let end = at
  while (end < lines.length && /^[+|]/.test(lines[end]?.text ?? '') && lines[end]?.column === base) end += 1
  const table = lines.slice(at, end)
  const edges = new Set<number>()
  for (const { text } of table)
    if (text.startsWith('+')) for (const { index } of text.matchAll(/\+(?=[-=]|$)|(?<=[-=])\+/g)) edges.add(index)
  const cells: Cells = new Map()
  for (const line of table) readGridLine(state, line, { edges, cells, inner })
  flush(state, cells, inner, () => true)
  return end
}

function readGridLine(
  state: RstState,
  line: RstLine,
  { edges, cells, inner }: { readonly edges: ReadonlySet<number>; readonly cells: Cells; readonly inner: Surroundings },
): void {
  const closed: { from: number; to: number }[] = []
  let from = 0
  for (const { index } of line.text.matchAll(/[|+]/g)) {
    if (index === 0 || !edges.has(index)) continue
    const inside = line.text.slice(from + 1, index)
    if (/^(?:-+|=+)$/.test(inside)) closed.push({ from, to: index })
    else if (inside.trim() !== '' || cells.has(`${from} ${index}`))
      addCell(cells, line, { from: from + 1, to: index, key: `${from} ${index}` })
    from = index
  }
  const [first] = closed
  const last = closed.at(-1)
  if (!first || !last) return
  const ends = new Set(closed.flatMap((one) => range(one.from, one.to, edges)))
  flush(state, cells, inner, (one) => ends.has(one.from - 1))
}

function range(from: number, to: number, edges: ReadonlySet<number>): number[] {
  const inside = [from]
  for (let at = from + 1; at < to; at += 1) if (edges.has(at)) inside.push(at)
  return inside
}

function addCell(
  cells: Cells,
  line: RstLine,
  { from, to, key }: { readonly from: number; readonly to: number; readonly key: string },
): void {
  const cell = cells.get(key) ?? { from, to, lines: [] }
  cell.lines.push(restOf(line, from, to))
  cells.set(key, cell)
}

function flush(
  state: RstState,
  cells: Cells,
  inner: Surroundings,
  isClosed: (cell: { readonly from: number }) => boolean,
): void {
  for (const [key, cell] of cells) {
    if (!isClosed(cell)) continue
    cells.delete(key)
    state.readBody(state, cell.lines, { ...inner, titles: false, cell: true })
  }
}

const border = /^=+(?: +=+)+$/

/** Without an end it is a text that docutils reports: nothing is read then. */
export function readSimpleTable(state: RstState, lines: readonly RstLine[], { at, base, inner }: Place): number {
  settleLabels(state)
  const top = lines[at]?.text ?? ''
  let found = 0
  let end = at + 1
  for (; end < lines.length; end += 1) {
    if (!border.test(lines[end]?.text ?? '')) continue
    found += 1
    if (found === 2 || end === lines.length - 1 || lines[end + 1]?.text === '') break
  }
  if (end >= lines.length) return at + 1
  const columns = Array.from(top.matchAll(/=+/g), ({ index, 0: { length } }) => ({ from: index, to: index + length }))
  const cells: Cells = new Map()
  for (const line of lines.slice(at + 1, end)) readRow(state, line, { columns, cells, inner, base })
  flush(state, cells, inner, () => true)
  return end + 1
}

type Row = {
  readonly columns: readonly { readonly from: number; readonly to: number }[]
  readonly cells: Cells
  readonly inner: Surroundings
  readonly base: number
}

function readRow(state: RstState, line: RstLine, { columns, cells, inner, base }: Row): void {
  const shift = line.column - base
  const second = columns[0]?.to ?? 0
  const isRule = /^[-=]+(?: +[-=]+)*$/.test(line.text)
  if (isRule && shift === 0) return flush(state, cells, inner, () => true)
  if (line.text !== '' && shift < second) flush(state, cells, inner, () => true)
  let from = 0
  for (const [index, { to }] of columns.entries()) {
    const next = columns[index + 1]?.from
    const isSpanned =
      next !== undefined && line.text.slice(Math.max(0, to - shift), Math.max(0, next - shift)).trim() !== ''
    if (isSpanned) continue
    const start = Math.max(0, from - shift)
    const stop = next === undefined ? line.text.length : Math.max(0, Math.min(line.text.length, next - shift))
    if (stop > start || cells.has(String(from)))
      addCell(cells, line, { from: start, to: Math.max(start, stop), key: String(from) })
    from = next ?? from
  }
  return undefined
}

/** A line of values; quoted ones may hold commas, but no line breaks. */
export function readValues(state: RstState, line: RstLine): void {
  for (const found of line.text.matchAll(/"((?:[^"]|"")*)"|[^,"]+/g)) {
    const quoted = found[1] !== undefined ? 1 : 0
    const from = found.index + quoted
    const cell = restOf(line, from, from + (found[1] ?? found[0]).length)
    if (cell.text !== '') readInline(state, [cell], true)
  }
}
