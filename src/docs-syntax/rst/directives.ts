// Reads a directive: its argument, its options and its body, by what directive-kinds.ts says of it. Adds the documents and
// files that it names as links.

import type { PageLink } from '../page.ts'
import type { Range } from '../text.ts'
import { type DirectiveKind, kindOfDirective } from './directive-kinds.ts'
import { fieldMarker } from './field-marker.ts'
import { normaliseName, registerId } from './ids.ts'
import { readInline } from './inline.ts'
import {
  type DirectiveOption,
  type RstLine,
  type RstState,
  type Surroundings,
  count,
  endOfIndented,
  leastColumn,
  restOf,
  settleLabels,
} from './state.ts'
import { readValues } from './tables.ts'
import { readToctree } from './toctree.ts'

type Directive = {
  readonly name: string
  readonly whole: Range
  readonly inner: Surroundings
  readonly kind?: DirectiveKind
}

type Parts = {
  readonly argument: readonly RstLine[]
  readonly options: readonly DirectiveOption[]
  readonly content: readonly RstLine[]
}

/** Directives whose content is shown under a condition of the build. */
const conditions = new Set(['only', 'ifconfig', 'ifconf'])
/** Elements that a label can name by their caption. */
const captioned = new Set([
  'figure',
  'table',
  'list-table',
  'csv-table',
  'code-block',
  'literalinclude',
  'sourcecode',
  'toctree',
  'rubric',
])

/** These make no element, so a label before them is one of the element after them. */
const invisible = new Set(['index', 'currentmodule', 'py:currentmodule', 'default-domain', 'default-role', 'role'])

/** `block` begins with the rest of the line that names the directive. */
export function readDirective(state: RstState, block: readonly RstLine[], directive: Directive): void {
  const { name, whole } = directive
  const kind = directive.kind ?? kindOfDirective(name)
  const parts = splitDirective(block, kind.argument)
  count(state.directives, name)
  if (conditions.has(name)) state.conditional.push(whole)
  const own = optionValue(parts, 'name')
  if (own) {
    const id = registerId(state.register, normaliseName(own.text))
    state.ids.push(id)
    state.waiting.push({ start: own.start, end: own.end, name: normaliseName(own.text), id })
  }
  if (/^(?:py:)?module$/.test(name) && parts.argument[0]) state.ids.push(`module-${parts.argument[0].text}`)
  if (name === 'contents') registerId(state.register, parts.argument[0]?.text ?? 'contents')
  const labels = captioned.has(name) ? state.waiting.splice(0) : []
  if (!conditions.has(name) && kind.body !== 'toctree' && !invisible.has(name)) settleLabels(state)
  const argument = readArgument(state, directive, parts)
  const title = readOptions(state, directive, parts) ?? argument
  const caption = readContent(state, { ...directive, body: kind.body }, parts)
  for (const label of labels) state.labels.push({ ...label, title: title ?? caption, heading: undefined })
}

/** A text in the line after the name is an argument only where one is expected. */
function splitDirective(block: readonly RstLine[], expected: DirectiveKind['argument']): Parts {
  const from = block[0]?.text === '' ? 1 : 0
  let end = from
  while (end < block.length && block[end]?.text !== '') end += 1
  const head = block.slice(from, end)
  const at = head.findIndex((line) => fieldMarker.test(line.text))
  const lead = at === -1 ? head : head.slice(0, at)
  const options = at === -1 ? [] : toOptions(head.slice(at))
  const isContent = expected === 'none' || (expected === 'name' && from === 1)
  if (isContent) return { argument: [], options, content: [...lead, ...block.slice(end)] }
  return { argument: lead, options, content: block.slice(end) }
}

function toOptions(lines: readonly RstLine[]): DirectiveOption[] {
  const options: DirectiveOption[] = []
  const base = leastColumn(lines)
  for (let at = 0; at < lines.length;) {
    const line = lines[at] as RstLine
    const found = fieldMarker.exec(line.text)
    const end = endOfIndented(lines, at + 1, base + 1)
    if (found) {
      const value = [restOf(line, found[0].length), ...lines.slice(at + 1, end)].filter(({ text }) => text !== '')
      options.push({ name: (found[1] ?? '').toLowerCase(), line, value })
    }
    at = Math.max(end, at + 1)
  }
  return options
}

function optionValue({ options }: Parts, name: string): RstLine | undefined {
  return options.find((option) => option.name === name)?.value[0]
}

function readArgument(
  state: RstState,
  { name, whole, inner }: Directive,
  { argument, options }: Parts,
): string | undefined {
  const [first] = argument
  if (!first) return undefined
  switch (kindOfDirective(name).argument) {
    case 'title':
    case 'rest':
      return readInline(state, argument, inner.cell)
    case 'version': {
      const gap = name === 'deprecated-removed' ? /^\S+\s+\S+\s*/ : /^\S+\s*/
      const rest = restOf(first, gap.exec(first.text)?.[0].length ?? 0)
      readInline(state, [...(rest.text === '' ? [] : [rest]), ...argument.slice(1)], inner.cell)
      return undefined
    }
    case 'path':
      addFile(state, { name, whole }, { argument, options, content: [] })
      return undefined
    case 'none':
    case 'name':
    default:
      return undefined
  }
}

function addFile(state: RstState, { name, whole }: { name: string; whole: Range }, { argument, options }: Parts): void {
  const [first] = argument
  const last = argument.at(-1)
  if (!first || !last) return
  const isImage = name === 'image' || name === 'figure'
  const url = argument.map(({ text }) => text).join(isImage ? '' : ' ')
  // `<isonum.txt>` is a file of docutils itself.
  if (url.startsWith('<')) return
  const alt = options.find((option) => option.name === 'alt')?.value
  const label = isImage && alt?.[0] ? { start: alt[0].start, end: alt.at(-1)?.end ?? alt[0].end } : undefined
  addLink(state, {
    kind: isImage ? 'image' : 'include',
    url,
    range: { start: first.start, end: last.end },
    whole,
    label,
  })
}

type NewLink = {
  readonly kind: PageLink['kind']
  readonly url: string
  readonly range: Range
  readonly whole: Range
  readonly label?: Range | undefined
}

function addLink(state: RstState, { kind, url, range, whole, label }: NewLink): void {
  const identifier = kind === 'ref' ? normaliseName(url) : undefined
  state.links.push({ start: range.start, end: range.end, kind, url, whole, label, element: undefined, identifier })
}

/** Returns the caption, if there is one. */
function readOptions(state: RstState, { inner, whole }: Directive, parts: Parts): string | undefined {
  let caption: string | undefined
  for (const { name, value } of parts.options) {
    const [first] = value
    if (!first) continue
    if (name === 'caption') caption = readInline(state, value, inner.cell)
    else if (name === 'alt') readInline(state, value, inner.cell)
    else if (name === 'target') readTargetOption(state, value, whole)
    else if (name === 'file') addLink(state, { kind: 'include', url: first.text, range: first, whole })
    else if (name === 'link') readLinkOption(state, first, optionValue(parts, 'link-type')?.text)
  }
  return caption
}

/** `:target:` of an image: an address or, with an underscore, a name. */
function readTargetOption(state: RstState, value: readonly RstLine[], whole: Range): void {
  const range = { start: value[0]?.start ?? whole.start, end: value.at(-1)?.end ?? whole.start }
  const url = value.map(({ text }) => text).join('')
  const name = /^`?([^`]*[^`_\s])`?_$/.exec(url)
  if (!name) return addLink(state, { kind: 'link', url, range, whole: range })
  state.references.push({ ...range, identifier: normaliseName(name[1] ?? ''), label: range, isSimple: true })
  return undefined
}

function readLinkOption(state: RstState, value: RstLine, type = 'url'): void {
  if (type !== 'doc' && type !== 'ref' && type !== 'url' && type !== 'any') return
  addLink(state, { kind: type === 'url' ? 'link' : type, url: value.text, range: value, whole: value })
}

type Body = Directive & { readonly body: DirectiveKind['body'] }

/** Returns the caption of a figure. */
function readContent(state: RstState, directive: Body, parts: Parts): string | undefined {
  const { name, inner, whole, body } = directive
  const content = trimBlank(parts.content)
  const [first] = content
  const last = content.at(-1)
  if (body === 'toctree') readToctree(state, { whole, content, options: parts.options })
  if (!first || !last) return undefined
  const around = { ...inner, titles: conditions.has(name) && inner.titles }
  switch (body) {
    case 'code':
      state.code.push({ start: first.start, end: last.end })
      return undefined
    case 'values':
      for (const line of content) if (line.text !== '') readValues(state, line)
      return undefined
    case 'glossary':
      readGlossary(state, content, around)
      return undefined
    case 'caption': {
      const end = content.findIndex(({ text }) => text === '')
      const title = readInline(state, end === -1 ? content : content.slice(0, end), inner.cell)
      if (end !== -1) state.readBody(state, content.slice(end), around)
      return title
    }
    case 'text':
      state.readBody(state, content, around)
      return undefined
    case 'none':
    case 'toctree':
    default:
      return undefined
  }
}

/** Terms, several of which may share a definition. */
function readGlossary(state: RstState, lines: readonly RstLine[], around: Surroundings): void {
  const base = leastColumn(lines)
  for (let at = 0; at < lines.length;) {
    const line = lines[at] as RstLine
    const end = endOfIndented(lines, at, base + 1)
    if (end > at && line.column > base) state.readBody(state, lines.slice(at, end), around)
    else if (line.text !== '' && !line.text.startsWith('.. ')) readInline(state, [line], around.cell)
    at = line.text !== '' && line.column > base ? Math.max(end, at + 1) : at + 1
  }
}

function trimBlank(lines: readonly RstLine[]): readonly RstLine[] {
  const from = lines.findIndex(({ text }) => text !== '')
  return from === -1 ? [] : lines.slice(from, lines.findLastIndex(({ text }) => text !== '') + 1)
}
