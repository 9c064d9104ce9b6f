// Reads addresses in a text, with or without a text of their own, and references to attributes, whose values often are
// addresses.

import type { Range } from '../../text.ts'
import { addLink } from '../state.ts'
import { type Macros, cut, openText, sourceRange, urlOf } from './macro-state.ts'
import { masks } from './scan.ts'
import { readXrefTarget } from './targets.ts'

const beforeUrl = /[\s<>()[\];"']/

/** A value that is an address or a macro, perhaps with its text: `https://a.b`, `link:/docs`, `https://a.b[text]`. */
const targetValue = /^(?:(link|xref):(?=\S)|(?=(?:https?|file|ftp|irc):\/\/.))([^\s[\]]+)(?:\[([^\]]*)\])?$/

export function readUrl(start: number, macros: Macros): void {
  const { text, scan } = macros
  const before = scan.units[start - 1]
  const isAllowed =
    start === 0 || before === masks.tag || before === masks.entity || beforeUrl.test(text.charAt(start - 1))
  const full = macros.ends[start] ?? text.length
  if (isAllowed) takeUrl({ start, end: full }, macros)
  macros.position = Math.max(macros.position, full)
}

/** An address right after a quotation mark or after `link:` is no link, unless it has a text. */
function isQuoted(text: string, start: number): boolean {
  return /["']$|link:$/.test(text.slice(Math.max(0, start - 5), start))
}

/** `start`: an address or a reference to an attribute whose value is one. */
function takeUrl({ start, end: full }: Range, macros: Macros): void {
  const { text } = macros
  const hasText = text[full] === '[' && (macros.closing[full + 1] ?? text.length) < text.length
  if (hasText && !/[.,]$/.test(text.slice(start, full))) {
    const range = { start, end: full }
    openText({ start, label: full + 1, link: { ...range, kind: 'link', url: urlOf(macros, range) } }, macros)
    return
  }
  if (isQuoted(text, start)) return
  let end = full
  while (end > start && '.,?!)'.includes(text.charAt(end - 1))) end -= 1
  if (/[;:]/.test(text.charAt(end - 1))) end -= text.charAt(end - 2) === ')' ? 2 : 1
  if (/(?:^|:\/\/)$/.test(text.slice(start, end).slice(-10))) return
  const range = { start, end }
  const isAngled = text[start - 1] === '<' && text[end] === '>'
  const whole = isAngled ? { start: start - 1, end: end + 1 } : range
  const url = urlOf(macros, range)
  addLink(macros.state, {
    ...sourceRange(macros, range),
    kind: 'autolink',
    url,
    whole: sourceRange(macros, whole),
    label: sourceRange(macros, range),
  })
  cut(macros, whole, url)
}

export function readAttribute(written: string, range: Range, macros: Macros): void {
  const { state, text, ends } = macros
  const name = written.toLowerCase()
  const value = state.attributes.get(name) ?? undefined
  const [isTarget, macro, target = '', shown] = (value === undefined ? null : targetValue.exec(value)) ?? []
  const full = ends[range.start] ?? text.length
  const hasText = text[full] === '[' && (macros.closing[full + 1] ?? text.length) < text.length
  const isPerhaps = value === undefined && hasText && (full === range.end || '/#:?{'.includes(text.charAt(range.end)))
  if (isTarget === undefined && !isPerhaps) {
    state.usesInProse.add(name)
    cut(macros, range, value)
    return
  }
  if (shown !== undefined || (macro && hasText)) {
    const whole = { start: range.start, end: shown === undefined ? full : range.end }
    const url = shown === undefined ? urlOf(macros, whole).slice(macro === undefined ? 0 : macro.length + 1) : target
    const { kind, skip } = macro === 'xref' ? readXrefTarget(url) : ({ kind: 'link', skip: 0 } as const)
    const link = { ...whole, kind, url: url.slice(skip) }
    if (shown === undefined) openText({ start: range.start, label: full + 1, link }, macros)
    else {
      const place = sourceRange(macros, whole)
      state.usesElsewhere.add(name)
      addLink(state, { ...link, ...place, whole: place, label: undefined })
      cut(macros, whole, shown)
      macros.position = whole.end
    }
    return
  }
  if (macro === undefined) takeUrl({ start: range.start, end: full }, macros)
  else cut(macros, range, value)
  macros.position = Math.max(macros.position, full)
}
