// Reads explicit markup, which begins with two full stops: targets, footnotes, substitutions, directives and comments.

import { readDirective } from './directives.ts'
import { docutilsId, normaliseName, registerId } from './ids.ts'
import { unescapeText } from './inline-text.ts'
import { type Place, type RstLine, type RstState, alignFirst, endOfIndented, restOf, settleLabels } from './state.ts'

export const footnote = /^\.\.[ \t]+\[(\d{1,50}|#[^\]\s]{0,200}|\*|[^\]\s]{1,200})\](?:[ \t]+|$)/
export const directive = /^\.\.[ \t]+((?:[\p{L}\p{N}]+(?:[-._+:][\p{L}\p{N}]+)*)) ?::(?:[ \t]+|$)/u
const substitution = /^\.\.[ \t]+\|(?! )([^|]{1,300})\| +([\w.+:-]{1,100}?) ?::(?:[ \t]+|$)/

/** Returns where the next block begins. */
export function readExplicit(state: RstState, lines: readonly RstLine[], place: Place): number {
  const { at, base, inner } = place
  const line = lines[at] as RstLine
  const { text } = line
  if (/^\.\.[ \t]+_(?!\s|$)/.test(text) || text.startsWith('__')) return readTarget(state, lines, place)
  const end = endOfIndented(lines, at + 1, base + 1)
  const note = footnote.exec(text)
  if (note) {
    settleLabels(state)
    state.isBegun = true
    const name = (note[1] ?? '').replace(/^[#*]/, '')
    addFootnote(state, name)
    const body = alignFirst([restOf(line, note[0].length), ...lines.slice(at + 1, end)])
    state.readBody(state, body, { ...inner, titles: false })
    return end
  }
  const named = substitution.exec(text) ?? directive.exec(text)
  if (named) {
    state.isBegun = true
    const isNamed = named[2] !== undefined
    const whole = { start: line.start, end: lastOf(lines.slice(at, end)).end }
    const block = [restOf(line, named[0].length), ...lines.slice(at + 1, end)]
    readDirective(state, block, { name: ((isNamed ? named[2] : named[1]) ?? '').toLowerCase(), whole, inner })
    return end
  }
  // A comment. Without text, and before a blank line, it does not take what follows.
  if (text === '..' && (lines[at + 1]?.text ?? '') === '') return at + 1
  settleLabels(state)
  return end
}

function addFootnote(state: RstState, name: string): void {
  const id = registerId(state.register, name)
  if (docutilsId(name) !== '') state.ids.push(id)
}

function lastOf(lines: readonly RstLine[]): RstLine {
  return lines.findLast(({ text }) => text !== '') ?? (lines[0] as RstLine)
}

/** `.. _name:`, `.. _name: url`, `.. _name: other_`, `__ url` and `.. __: url`. It ends at a blank line. */
function readTarget(state: RstState, lines: readonly RstLine[], { at, base }: Place): number {
  const line = lines[at] as RstLine
  let end = at + 1
  while (end < lines.length && lines[end]?.text !== '' && (lines[end]?.column ?? 0) > base) end += 1
  const lead = /^(?:\.\.[ \t]+_|__ *)/.exec(line.text)?.[0].length ?? 0
  const isBare = line.text.startsWith('__')
  const found = isBare ? { name: '_', from: lead, to: lead, next: lead } : nameOf(line.text, lead)
  // A name of two lines is rare, and is not read.
  if (!found) return end
  const whole = { start: line.start, end: lastOf(lines.slice(at, end)).end }
  const rest = [restOf(line, found.next), ...lines.slice(at + 1, end)].filter(({ text }) => text !== '')
  const name = found.name === '_' ? undefined : normaliseName(found.name)
  const range = { start: line.start + found.from, end: line.start + found.to }
  state.isBegun = true
  addTarget(state, { name, range, whole, rest })
  return end
}

type Target = {
  readonly name: string | undefined
  readonly range: { readonly start: number; readonly end: number }
  readonly whole: { readonly start: number; readonly end: number }
  readonly rest: readonly RstLine[]
}

function addTarget(state: RstState, { name, range, whole, rest }: Target): void {
  const id = registerId(state.register, name)
  const [first] = rest
  const last = rest.at(-1)
  if (!first || !last) {
    state.ids.push(id)
    if (name !== undefined) state.waiting.push({ ...range, name, id })
    return
  }
  const written = rest.map(({ text }) => text).join('')
  const place = { start: first.start, end: last.end }
  const identifier = name ?? `__${++state.anonymousTargets}`
  const other = /^(?:`([^`]+)`|([\p{L}\p{N}]+(?:[-._+:][\p{L}\p{N}]+)*))_$/u.exec(
    rest.map(({ text }) => text).join(' '),
  )
  if (other) {
    const to = normaliseName(other[1] ?? other[2] ?? '')
    state.references.push({ ...place, identifier: to, label: place, isSimple: true })
    return
  }
  const url = unescapeText(written.replace(/\\([^])/g, '\0$1').replace(/\s+/g, ''))
  state.links.push({ ...place, kind: 'definition', url, whole, label: undefined, element: undefined, identifier })
}

function nameOf(text: string, from: number): { name: string; from: number; to: number; next: number } | undefined {
  const isQuoted = text.charAt(from) === '`'
  const pattern = isQuoted ? /(?<!\\)`:(?:[ \t]+|$)/g : /(?<!\\):(?:[ \t]+|$)/g
  pattern.lastIndex = from + 1
  const end = pattern.exec(text)
  if (!end) return undefined
  const start = isQuoted ? from + 1 : from
  const name = text.slice(start, end.index).replace(/\\(.)/g, '$1')
  return { name, from: start, to: end.index, next: end.index + end[0].length }
}
