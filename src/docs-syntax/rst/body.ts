// Reads the blocks of a page in the order in which docutils tries them (`Body` in docutils/parsers/rst/states.py): lists,
// fields, tables, explicit markup, titles and paragraphs. Nesting beyond a limit is read as text, so time stays linear.

import { readExplicit } from './explicit.ts'
import { fieldMarker } from './field-marker.ts'
import { readInline } from './inline.ts'
import { withoutLast } from './inline-text.ts'
import { isMark, readTitle } from './titles.ts'
import {
  type Place,
  type RstLine,
  type RstState,
  type Surroundings,
  alignFirst,
  endOfIndented,
  leastColumn,
  restOf,
  settleLabels,
} from './state.ts'
import { readGridTable, readSimpleTable } from './tables.ts'

const maxDepth = 30

export const bullet = /^[-+*•‣⁃](?:[ \t]+|$)/
export const enumerator = /^\(?(#|[0-9]{1,9}|[a-zA-Z]|[ivxlcdmIVXLCDM]{1,20})(?:\.|\))(?:[ \t]+|$)/
const roman = /^m{0,4}(?:cm|cd|d?c{0,3})(?:xc|xl|l?x{0,3})(?:ix|iv|v?i{0,3})$/i

const oneOption = String.raw`(?:[-+][a-zA-Z0-9](?: ?(?:[a-zA-Z][\w-]*|<[^<>]+>))?|(?:--|\/)[\w][\w-]*(?:[ =](?:[a-zA-Z][\w-]*|<[^<>]+>))?)`
const optionMarker = new RegExp(`^${oneOption}(?:, ${oneOption})*(?:  +| ?$)`)

/** Where the next block begins; the lines before belong to this one. */
type Next = number

export function readBody(state: RstState, lines: readonly RstLine[], around: Surroundings): void {
  const base = leastColumn(lines)
  const inner = { ...around, depth: around.depth + 1 }
  if (around.depth > maxDepth) {
    for (const line of lines) if (line.text !== '') readInline(state, [line], around.cell)
    return
  }
  for (let at = 0; at < lines.length;) {
    const line = lines[at]
    if (!line || line.text === '') at += 1
    else if (line.column > base) at = readQuote(state, lines, { at, base, inner })
    else at = readBlock(state, lines, { at, base, inner })
  }
}

function readBlock(state: RstState, lines: readonly RstLine[], place: Place): Next {
  const { text } = lines[place.at] as RstLine
  const first = text.charAt(0)
  if (text.startsWith('..') && (text.length === 2 || /\s/.test(text.charAt(2))))
    return readExplicit(state, lines, place)
  if (/^__(?:\s|$)/.test(text)) return readExplicit(state, lines, place)
  const marker = bullet.exec(text) ?? enumeratorOf(lines, place) ?? (first === ':' ? fieldMarker.exec(text) : null)
  if (marker)
    return first === ':' && !bullet.test(text)
      ? readField(state, lines, { ...place, length: marker[0].length })
      : readItem(state, lines, { ...place, length: marker[0].length })
  const option = '-+/'.includes(first) ? optionMarker.exec(text) : null
  if (option) return readField(state, lines, { ...place, length: option[0].length })
  begin(state)
  if (/^>>>(?:\s|$)/.test(text)) return readCode(state, lines, place)
  if (/^\|(?:\s|$)/.test(text)) return readLineBlock(state, lines, place)
  if (/^\+-[-+]+-\+$/.test(text)) return readGridTable(state, lines, place)
  if (/^=+(?: +=+)+$/.test(text)) return readSimpleTable(state, lines, place)
  return readTitle(state, lines, place) ?? readText(state, lines, place)
}

function begin(state: RstState): void {
  state.isBegun = true
}

function enumeratorOf(lines: readonly RstLine[], { at, base }: Place): RegExpExecArray | null {
  const found = enumerator.exec(lines[at]?.text ?? '')
  const mark = found?.[1] ?? ''
  if (!found || (mark.length > 1 && /^[a-z]/i.test(mark) && !roman.test(mark))) return null
  if (found[0].startsWith('(') && !found[0].includes(')')) return null
  const next = lines[at + 1]
  const isAlone = !next || next.text === '' || next.column > base || enumerator.test(next.text)
  return isAlone ? found : null
}

/** An item of a list: its body begins at the text after the mark, and all its lines begin there. */
function readItem(state: RstState, lines: readonly RstLine[], place: Place & { readonly length: number }): Next {
  const { at, base, inner, length } = place
  begin(state)
  settleLabels(state)
  const first = restOf(lines[at] as RstLine, length)
  const column = first.text === '' ? base + 1 : first.column
  const end = endOfIndented(lines, at + 1, column)
  const rest = lines.slice(at + 1, end)
  const body = first.text === '' ? rest : [{ ...first, column }, ...rest]
  state.readBody(state, body, { ...inner, titles: false })
  return end
}

/** A field or an option: its body may be indented by any width. */
function readField(state: RstState, lines: readonly RstLine[], place: Place & { readonly length: number }): Next {
  const { at, base, inner, length } = place
  const line = lines[at] as RstLine
  const end = endOfIndented(lines, at + 1, base + 1)
  const body = alignFirst([restOf(line, length), ...lines.slice(at + 1, end)])
  const isField = line.text.startsWith(':')
  const isFirst =
    isField && (!state.isBegun || (state.fields.length > 0 && state.fields.at(-1)?.value.end === lastEnd(lines, at)))
  if (isFirst && inner.depth === 1) {
    begin(state)
    const name = fieldMarker.exec(line.text)?.[1] ?? ''
    const value = { start: body[0]?.start ?? line.end, end: lastEnd(lines, end) }
    state.fields.push({
      start: line.start,
      end: lastEnd(lines, end),
      name,
      value: { ...value, end: Math.max(value.start, value.end) },
    })
    return end
  }
  begin(state)
  settleLabels(state, isField ? fieldMarker.exec(line.text)?.[1] : undefined)
  if (!isField) state.code.push({ start: line.start, end: line.start + line.text.slice(0, length).trimEnd().length })
  state.readBody(state, body, { ...inner, titles: false })
  return end
}

/** The end of the last line before `end` that is not blank. */
function lastEnd(lines: readonly RstLine[], end: number): number {
  for (let at = end - 1; at >= 0; at -= 1) {
    const line = lines[at]
    if (line && line.text !== '') return line.end
  }
  return 0
}

function readCode(state: RstState, lines: readonly RstLine[], { at }: Place): Next {
  settleLabels(state)
  let end = at
  while (end < lines.length && lines[end]?.text !== '') end += 1
  addCodeLines(state, lines.slice(at, end))
  return end
}

export function addCodeLines(state: RstState, lines: readonly RstLine[]): void {
  const first = lines.find(({ text }) => text !== '')
  const last = lines.findLast(({ text }) => text !== '')
  if (first && last) state.code.push({ start: first.start, end: last.end })
}

function readLineBlock(state: RstState, lines: readonly RstLine[], { at, base, inner }: Place): Next {
  settleLabels(state)
  let end = at
  for (; end < lines.length; end += 1) {
    const line = lines[end]
    if (!line || line.text === '') break
    const isBegin = line.column === base
    if (isBegin && !/^\|(?:\s|$)/.test(line.text)) break
    const shown = isBegin ? restOf(line, 1) : line
    if (shown.text !== '') readInline(state, [shown], inner.cell)
  }
  return end
}

function readQuote(state: RstState, lines: readonly RstLine[], { at, base, inner }: Place): Next {
  begin(state)
  settleLabels(state)
  const end = endOfIndented(lines, at, base + 1)
  state.readBody(state, lines.slice(at, end), { ...inner, titles: false })
  return end
}

/** A paragraph, or a term with its definition. */
function readText(state: RstState, lines: readonly RstLine[], { at, base, inner }: Place): Next {
  const next = lines[at + 1]
  if (next && next.text !== '' && next.column > base) {
    const labels = state.waiting.splice(0)
    const title = readInline(state, [lines[at] as RstLine], inner.cell)
    for (const label of labels) state.labels.push({ ...label, title, heading: undefined })
    const end = endOfIndented(lines, at + 1, base + 1)
    state.readBody(state, lines.slice(at + 1, end), { ...inner, titles: false })
    return end
  }
  settleLabels(state)
  let end = at
  while (end < lines.length && lines[end]?.text !== '' && lines[end]?.column === base) end += 1
  const text = lines.slice(at, end)
  const last = text.at(-1)?.text ?? ''
  const isLiteral = last.endsWith('::') && !last.endsWith('\\::')
  if (!isLiteral) {
    readInline(state, text, inner.cell)
    return end
  }
  const cut = last === '::' || /\s::$/.test(last) ? 2 : 1
  readInline(state, withoutLast(text, cut), inner.cell)
  return readLiteral(state, lines, { at: end, base, inner })
}

/** The block after `::`: indented, or each line begins with the same punctuation. */
function readLiteral(state: RstState, lines: readonly RstLine[], { at, base }: Place): Next {
  let from = at
  while (from < lines.length && lines[from]?.text === '') from += 1
  const first = lines[from]
  if (!first) return from
  let end = endOfIndented(lines, from, base + 1)
  if (first.column <= base) {
    const mark = first.text.charAt(0)
    end = from
    if (!isMark(mark)) return from
    for (let line: RstLine | undefined = first; line?.column === base && line.text.startsWith(mark); line = lines[end])
      end += 1
  }
  addCodeLines(state, lines.slice(from, end))
  return end
}
