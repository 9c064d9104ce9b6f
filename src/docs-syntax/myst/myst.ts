// Reads what MyST adds to Markdown for Sphinx: labels (`(name)=`), roles (`` {doc}`target` ``) and directives in fences of
// backticks or colons, whose bodies are Markdown again. markdown.ts reads the rest.

import { parsePage } from '../markdown.ts'
import type { MarkdownPage } from '../page.ts'
import { kindOfDirective } from '../rst/directive-kinds.ts'
import { readDirective } from '../rst/directives.ts'
import { normaliseName, registerId } from '../rst/ids.ts'
import { countRole, linkKindOf } from '../rst/roles.ts'
import { type RstPage, readRst } from '../rst/rst.ts'
import { type RstLine, type RstState, createState, restOf, settleLabels, splitLines } from '../rst/state.ts'
import { joinPages, movePage, withoutRanges } from './page-parts.ts'
import { type Range, inRanges } from '../text.ts'

export type MystPage = MarkdownPage &
  Pick<RstPage, 'labels' | 'toctrees' | 'roles' | 'directives'> & {
    /** The code of the page as Markdown has it, directives included, without what is in their bodies. */
    readonly fences: readonly Range[]
  }

const maxDepth = 5
const around = { depth: 0, titles: false, cell: false }
const fence = /^(`{3,}|~{3,})\{([\w.:+-]{1,100})\}/
const colons = /^(:{3,})(?:\{([\w.:+-]{1,100})\}(.*))?$/
const label = /^\(([^()\s][^()]{0,300})\)=$/

type Reading = {
  readonly state: RstState
  readonly base: MarkdownPage
  /** Ranges that Markdown takes for prose or links, and that are neither. */
  readonly cuts: Range[]
  /** Code of Markdown that is no code. */
  readonly shown: Set<Range>
  /** The places of the headings, by where they begin. */
  readonly headings: ReadonlyMap<number, number>
  readonly bodies: { readonly range: Range; readonly isRst: boolean }[]
}

/** Never throws; takes as long as `parsePage`. */
export function readMyst(source: string, depth = 0): MystPage {
  const base = parsePage('page.md', source)
  const bodies: Reading['bodies'] = []
  const state = createState(source, (_, lines) => {
    const [first] = lines
    const last = lines.at(-1)
    if (first && last) bodies.push({ range: { start: first.start, end: last.end }, isRst: false })
  })
  const headings = new Map(base.headings.map(({ start }, at) => [start, at] as const))
  const reading: Reading = { state, base, cuts: [], shown: new Set(), headings, bodies }
  for (const range of base.code) readCode(reading, range)
  readLines(reading)
  return toPage(reading, depth)
}

function readCode(reading: Reading, range: Range): void {
  const { source } = reading.state
  const written = source.slice(range.start, range.end)
  const open = fence.exec(written)
  if (open) return readFence(reading, range, { name: open[2] ?? '', length: open[0].length })
  const role = /\{([\w.:+-]{1,100})\}$/.exec(source.slice(Math.max(0, range.start - 102), range.start))
  return role ? readRole(reading, range, role[1] ?? '') : undefined
}

function readFence(reading: Reading, range: Range, { name, length }: { name: string; length: number }): void {
  const { source } = reading.state
  const lines = splitLines(source.slice(range.start, range.end)).map((line) => moveLine(line, range.start))
  const [first, ...rest] = lines
  if (!first) return
  const isClosed = rest.length > 0 && /^[`~]{3,}$/.test(rest.at(-1)?.text ?? '')
  const content = isClosed ? rest.slice(0, -1) : rest
  reading.shown.add(range)
  if (name === 'eval-rst') {
    const [from, to] = [content[0], content.at(-1)]
    if (from && to) reading.bodies.push({ range: { start: from.start, end: to.end }, isRst: true })
  } else addDirective(reading, [restOf(first, length), ...content], { name, whole: range })
}

function moveLine({ start, end, text, column }: RstLine, by: number): RstLine {
  return { start: start + by, end: end + by, text, column }
}

function addDirective(
  reading: Reading,
  block: readonly RstLine[],
  { name, whole }: { name: string; whole: Range },
): void {
  const known = kindOfDirective(name)
  const isMarkdown = known.body === 'caption' || known.body === 'glossary' || known.body === 'values'
  const kind = isMarkdown ? { ...known, body: 'text' as const } : known
  readDirective(reading.state, asRst(block), { name: name.toLowerCase(), whole, inner: around, kind })
}

/** The block as docutils has it: a blank line ends the head, and YAML between `---` is options. `label` also names it. */
function asRst([first, ...rest]: readonly RstLine[]): RstLine[] {
  if (!first) return []
  const blank = { start: first.end, end: first.end, text: '', column: 0 }
  const close = rest[0]?.text === '---' ? rest.findIndex(({ text }, at) => at > 0 && text === '---') : -1
  if (close > 0) {
    const yaml = rest.slice(1, close).map((line) => ({ ...line, start: line.start - 1, text: `:${line.text}` }))
    return [first, ...yaml.map(withName), blank, ...rest.slice(close + 1)]
  }
  const end = headEnd(rest, -1)
  return [first, ...rest.slice(0, end).map(withName), blank, ...rest.slice(end)]
}

function withName(line: RstLine): RstLine {
  return { ...line, text: line.text.replace(/^:label:/, ':name: ') }
}

/** `range` is the code after the name of the role, with its backticks. */
function readRole({ state, shown, cuts }: Reading, range: Range, role: string): void {
  const whole = { start: range.start - role.length - 2, end: range.end }
  cuts.push({ start: whole.start, end: range.start })
  const kind = linkKindOf(role)
  const inner = /^(`+)([^]*?)\1$/.exec(state.source.slice(range.start, range.end))
  const text = inner?.[2] ?? ''
  const start = range.start + (inner?.[1]?.length ?? 0)
  const open = text.lastIndexOf('<')
  const hasTitle = open > 0 && text.endsWith('>') && text.slice(0, open).trim() !== ''
  const title = hasTitle ? { start, end: start + text.slice(0, open).trimEnd().length } : undefined
  if (title) {
    shown.add(range)
    state.prose.push({ ...title, kind: 'text' })
  }
  const url = hasTitle ? text.slice(open + 1, -1) : text
  if (kind === undefined) return countRole(state.roles, role, url)
  const from = hasTitle ? start + open + 1 : start
  const identifier = kind === 'ref' ? normaliseName(url) : undefined
  state.links.push({
    start: from,
    end: from + url.length,
    kind,
    url,
    whole,
    label: title,
    element: undefined,
    identifier,
  })
  return undefined
}

/** Reads labels, and directives between colons, which may be nested. A line with `%` is a comment. */
function readLines(reading: Reading): void {
  const { state, base, cuts } = reading
  const isCode = inRanges(base.code)
  const lines = splitLines(state.source)
  const open: { readonly at: number; readonly mark: string; readonly name: string; readonly length: number }[] = []
  for (const [at, line] of lines.entries()) {
    if (line.text === '' || isCode(line.start)) continue
    if (line.text.startsWith('%')) {
      cuts.push(line)
      continue
    }
    const found = colons.exec(line.text)
    const name = label.exec(line.text)?.[1]
    if (name !== undefined) addLabel(reading, line, name)
    else if (found?.[2])
      open.push({ at, mark: found[1] ?? '', name: found[2], length: (found[1] ?? '').length + found[2].length + 2 })
    else if (found && open.at(-1)?.mark === found[1]) {
      const one = open.pop()
      cuts.push(line)
      if (one) readColons(reading, lines.slice(one.at, isText(one.name) ? headEnd(lines, one.at) : at), one)
    } else if (!line.text.startsWith(':')) settleAt(reading, line)
  }
  settleLabels(state)
}

function isText(name: string): boolean {
  const { body } = kindOfDirective(name)
  return body === 'text' || body === 'caption' || body === 'glossary' || body === 'values'
}

/** A body of text has been read with the page: only the line of the name and the options are no prose. */
function headEnd(lines: readonly RstLine[], at: number): number {
  let end = at + 1
  if (lines[end]?.text === '---') {
    const close = lines.findIndex(({ text }, one) => one > end && text === '---')
    return close === -1 ? end : close + 1
  }
  while (/^:[\w-]+:(?: |$)/.test(lines[end]?.text ?? '')) end += 1
  return end
}

function readColons(
  reading: Reading,
  block: readonly RstLine[],
  one: { readonly name: string; readonly length: number },
): void {
  const [first, ...rest] = block
  if (!first) return
  const whole = { start: first.start, end: block.findLast(({ text }) => text !== '')?.end ?? first.end }
  reading.cuts.push(whole)
  addDirective(reading, [restOf(first, one.length), ...rest], { name: one.name, whole })
}

function addLabel({ state, cuts }: Reading, line: RstLine, written: string): void {
  cuts.push({ start: line.start, end: line.end })
  const range = { start: line.start + 1, end: line.start + 1 + written.length }
  const name = normaliseName(written)
  const id = registerId(state.register, name)
  state.ids.push(id)
  state.waiting.push({ ...range, name, id })
}

/** A label belongs to the heading in the next line that is not blank. */
function settleAt({ state, base, headings }: Reading, line: RstLine): void {
  const at = headings.get(line.start)
  const text = at === undefined ? undefined : base.headings[at]?.text
  // The name of a heading has the tags in it.
  if (text !== undefined) state.ids.push(registerId(state.register, /<\/?[a-z]/i.test(line.text) ? line.text : text))
  if (state.waiting.length > 0) settleLabels(state, text, at)
}

function toPage({ state, base, cuts, shown, bodies }: Reading, depth: number): MystPage {
  const isCut = inRanges(cuts)
  const own: MystPage = {
    ...base,
    prose: [
      ...withoutRanges(base.prose, cuts).filter(({ start, end }) => /\S/.test(state.source.slice(start, end))),
      ...state.prose,
    ],
    code: [...base.code.filter((range) => !shown.has(range)), ...state.code],
    links: [...base.links.filter(({ start }) => !isCut(start)), ...state.links],
    ids: [...base.ids, ...state.ids],
    labels: state.labels,
    toctrees: state.toctrees,
    roles: state.roles,
    directives: state.directives,
    fences: base.code,
  }
  const parts =
    depth >= maxDepth ? [] : bodies.map(({ range, isRst }) => readPart(state.source, range, { isRst, depth }))
  return joinMyst(own, parts)
}

function readPart(
  source: string,
  { start, end }: Range,
  { isRst, depth }: { isRst: boolean; depth: number },
): MystPage {
  const text = source.slice(start, end)
  const page = isRst ? readRst(text) : readMyst(text, depth + 1)
  const { labels, toctrees, roles, directives } = page
  return {
    ...movePage(page, start),
    // A heading inside a directive is no section.
    labels: labels.map((one) => ({ ...moved(one, start), heading: undefined })),
    toctrees: toctrees.map((toctree) => ({
      ...moved(toctree, start),
      entries: toctree.entries.map((entry) => ({
        ...moved(entry, start),
        title: entry.title && moved(entry.title, start),
        whole: moved(entry.whole, start),
      })),
    })),
    roles,
    directives,
    fences: [],
  }
}

function moved<T extends Range>(range: T, by: number): T {
  return { ...range, start: range.start + by, end: range.end + by }
}

function joinMyst(page: MystPage, parts: readonly MystPage[]): MystPage {
  const all = [page, ...parts]
  return {
    ...joinPages(page, parts),
    fences: page.fences,
    labels: all.flatMap(({ labels }) => labels),
    toctrees: all.flatMap(({ toctrees }) => toctrees),
    roles: sum(all.map(({ roles }) => roles)),
    directives: sum(all.map(({ directives }) => directives)),
  }
}

function sum(lists: readonly ReadonlyMap<string, number>[]): Map<string, number> {
  const all = new Map<string, number>()
  for (const names of lists) for (const [name, times] of names) all.set(name, (all.get(name) ?? 0) + times)
  return all
}
