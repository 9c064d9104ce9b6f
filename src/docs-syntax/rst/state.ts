// A page of reStructuredText while it is being read: its lines, and the lists that its readers fill. Every offset
// refers to the source.

import type { Heading, PageLink, PageReference, Prose } from '../page.ts'
import type { Range } from '../text.ts'
import { type IdRegister, createRegister } from './ids.ts'

/** A line without the white space around it. `column` is where it begins, with tabs up to the next multiple of eight. */
export type RstLine = Range & { readonly text: string; readonly column: number }

/** A target such as `.. _label:`, or an option `:name:`. */
export type RstLabel = Range & {
  /** Lower case, with single spaces: labels are compared so. */
  readonly name: string
  /** The anchor that the generator makes of it. */
  readonly id: string
  /** The text of the heading, figure or table that it names. Undefined: `:ref:` needs a text of its own. */
  readonly title: string | undefined
  /** The place of its heading in `headings`. */
  readonly heading: number | undefined
}

export type ToctreeEntry = Range & {
  /** As written: a document, a pattern, `self` or an address. The range covers this. */
  readonly target: string
  readonly kind: 'doc' | 'glob' | 'self' | 'url'
  readonly title: (Range & { readonly text: string }) | undefined
  /** The whole line without its indentation. */
  readonly whole: Range
}

export type Toctree = Range & {
  /** An option without a value has the value ''. */
  readonly options: ReadonlyMap<string, string>
  readonly entries: readonly ToctreeEntry[]
  /** The column of the options and entries, for a new one. */
  readonly column: number
}

/** A field such as `:orphan:` before all other elements of a page. */
export type RstField = Range & { readonly name: string; readonly value: Range }

export type RstState = {
  readonly source: string
  readonly prose: Prose[]
  readonly code: Range[]
  readonly links: PageLink[]
  readonly references: (PageReference & { readonly isSimple: boolean })[]
  readonly headings: Heading[]
  readonly labels: RstLabel[]
  readonly ids: string[]
  readonly toctrees: Toctree[]
  readonly fields: RstField[]
  readonly conditional: Range[]
  /** How often a role or a directive is used. */
  readonly roles: Map<string, number>
  readonly directives: Map<string, number>
  /** Labels whose element has not been read yet. */
  readonly waiting: Omit<RstLabel, 'title' | 'heading'>[]
  readonly register: IdRegister
  readonly titleStyles: string[]
  level: number
  anonymousReferences: number
  anonymousTargets: number
  /** Whether anything but comments has been read. */
  isBegun: boolean
  readonly readBody: BodyReader
}

export type Surroundings = {
  /** How deep the body is nested. */
  readonly depth: number
  /** Whether section titles may occur. */
  readonly titles: boolean
  /** Whether the lines are parts of lines, in a table. */
  readonly cell: boolean
}

/** A block: the line that begins it, the column of its body, and the surroundings of what is inside. */
export type Place = { readonly at: number; readonly base: number; readonly inner: Surroundings }

export type DirectiveOption = { readonly name: string; readonly line: RstLine; readonly value: readonly RstLine[] }

/** Reads lines whose least column is `base`. */
export type BodyReader = (state: RstState, lines: readonly RstLine[], around: Surroundings) => void

export function createState(source: string, readBody: BodyReader): RstState {
  const lists = { prose: [], code: [], links: [], references: [], headings: [], labels: [], ids: [], toctrees: [] }
  const more = { fields: [], conditional: [], waiting: [], titleStyles: [] }
  const counts = { level: 0, anonymousReferences: 0, anonymousTargets: 0, isBegun: false }
  const names = { roles: new Map<string, number>(), directives: new Map<string, number>() }
  return { source, ...lists, ...more, ...counts, ...names, register: createRegister(), readBody }
}

export function count(names: Map<string, number>, name: string): void {
  names.set(name, (names.get(name) ?? 0) + 1)
}

/** Gives the labels that wait to the element that comes now. */
export function settleLabels(state: RstState, title?: string, heading?: number): void {
  for (const label of state.waiting) state.labels.push({ ...label, title, heading })
  state.waiting.length = 0
}

/** The part of a line from the character `from` on. */
export function restOf(line: RstLine, from: number, to = line.text.length): RstLine {
  const part = line.text.slice(from, to)
  const inner = part.trimStart()
  const skipped = part.length - inner.length
  const text = inner.trimEnd()
  const start = line.start + from + skipped
  return { start, end: start + text.length, text, column: columnAfter(line, from + skipped) }
}

function columnAfter({ text, column }: RstLine, length: number): number {
  let at = column
  for (let index = 0; index < length; index += 1) at = text[index] === '\t' ? (Math.floor(at / 8) + 1) * 8 : at + 1
  return at
}

export function splitLines(source: string): RstLine[] {
  const lines: RstLine[] = []
  const breaks = /\r\n|\r|\n|$/g
  for (let from = 0; ;) {
    breaks.lastIndex = from
    const found = breaks.exec(source)
    const to = found?.index ?? source.length
    lines.push(toLine(source, from, to))
    if (!found?.[0]) return lines
    from = to + found[0].length
  }
}

function toLine(source: string, from: number, to: number): RstLine {
  const written = source.slice(from, to)
  const text = written.trim()
  const start = text === '' ? from : from + (written.length - written.trimStart().length)
  let column = 0
  for (let at = from; at < start; at += 1) column = source[at] === '\t' ? (Math.floor(column / 8) + 1) * 8 : column + 1
  return { start, end: start + text.length, text, column }
}

/** Returns the end (an index) of the lines from `from` on that are blank or begin at `column` or to its right. */
export function endOfIndented(lines: readonly RstLine[], from: number, column: number): number {
  let end = from
  let last = from
  for (; end < lines.length; end += 1) {
    const line = lines[end]
    if (!line || line.text === '') continue
    if (line.column < column) break
    last = end + 1
  }
  return last
}

export function leastColumn(lines: readonly RstLine[]): number {
  let least = Infinity
  for (const { text, column } of lines) if (text !== '' && column < least) least = column
  return least === Infinity ? 0 : least
}

/** The lines of a body whose first line begins behind a mark: it counts as indented like the others. */
export function alignFirst(lines: readonly RstLine[]): RstLine[] {
  const [first, ...rest] = lines
  if (!first) return []
  if (first.text === '') return rest
  const hasMore = rest.some(({ text }) => text !== '')
  return [hasMore ? { ...first, column: leastColumn(rest) } : first, ...rest]
}
