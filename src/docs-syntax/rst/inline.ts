// Reads the markup inside a paragraph by the rules of docutils (`Inliner` in docutils/parsers/rst/states.py): emphasis,
// code, references, footnotes, substitutions and bare addresses. roles.ts reads what a role names.

import { normaliseName, registerId } from './ids.ts'
import {
  type InlineText,
  type Opening,
  type Span,
  addCode,
  addProse,
  findEnd,
  isBoundary,
  mayBegin,
  mayEnd,
  toInlineText,
  toLink,
  toSource,
  unescapeText,
} from './inline-text.ts'
import { addRole } from './roles.ts'
import type { RstLine, RstState } from './state.ts'

type Found = Span & { readonly add: () => void }

const address =
  /(?:https?|ftp|mailto|news|irc|git|ssh|svn|file):[-\w.!~*'()[\];/:@&=+$,%?#\0]+|(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64}){1,8}/gi
const nameCharacter = /[\p{L}\p{N}]/u

/** Adds the prose, code and links of some lines of text, and returns the text that readers see. */
export function readInline(state: RstState, lines: readonly RstLine[], cell = false): string {
  const inline = toInlineText(state, lines, cell)
  const { flat } = inline
  const marks = /[*`|_[]/g
  let position = 0
  for (;;) {
    const mark = marks.exec(flat)
    if (!mark) break
    const found = mark.index < position ? undefined : readMarkup(inline, mark.index, position)
    if (!found) continue
    addPlain(inline, { from: position, to: found.from })
    found.add()
    position = found.to
    marks.lastIndex = position
  }
  addPlain(inline, { from: position, to: flat.length })
  return inline.seen.join('').replace(/\s+/g, ' ').trim()
}

function readMarkup(inline: InlineText, at: number, least: number): Found | undefined {
  const { flat } = inline
  switch (flat.charAt(at)) {
    case '*':
      return flat.charAt(at + 1) === '*' ? readSpan(inline, '**', at) : readSpan(inline, '*', at)
    case '|':
      return readSpan(inline, '|', at)
    case '`':
      return flat.charAt(at + 1) === '`' ? readSpan(inline, '``', at) : readInterpreted(inline, at, least)
    case '[':
      return readFootnote(inline, at)
    default:
      return flat.charAt(at + 1) === '`' ? readSpan(inline, '_`', at) : readName(inline, at, least)
  }
}

function readSpan(inline: InlineText, opening: Opening, at: number): Found | undefined {
  if (!mayBegin(inline, at, opening.length)) return undefined
  const from = at + opening.length
  const end = findEnd(inline, opening, from)
  if (!end) return undefined
  const inner = { from, to: end.index }
  const whole = { from: at, to: end.index + end[0].length }
  return { ...whole, add: () => addSpan(inline, opening, { inner, whole }) }
}

function addSpan(inline: InlineText, opening: Opening, { inner, whole }: { inner: Span; whole: Span }): void {
  const { state, flat } = inline
  if (opening === '``') return addCode(inline, whole, inner)
  if (opening === '|') {
    inline.seen.push(flat.slice(inner.from, inner.to))
    return undefined
  }
  addProse(inline, inner)
  if (opening !== '_`') return undefined
  const name = normaliseName(unescapeText(flat.slice(inner.from, inner.to)))
  const id = registerId(state.register, name)
  state.ids.push(id)
  state.labels.push({ ...toSource(inline, inner), name, id, title: undefined, heading: undefined })
}

/** `` `text`_ ``, `` `text <url>`__ ``, `` :role:`text` `` and `` `text`:role: ``. */
function readInterpreted(inline: InlineText, at: number, least: number): Found | undefined {
  const { flat } = inline
  const role = roleBefore(flat, at, least)
  const begin = role ? at - role.length : at
  if (/^\s/.test(flat.charAt(at + 1)) || !mayBegin(inline, begin, at - begin + 1)) return undefined
  const end = findEnd(inline, '`', at + 1)
  if (!end) return undefined
  const [, roleAfter = '', reference = ''] = /^`(:.*:)?(_*)$/.exec(end[0]) ?? []
  const inner = { from: at + 1, to: end.index }
  const whole = { from: begin, to: end.index + end[0].length }
  const name = (role || roleAfter).slice(1, -1)
  const add = (): void =>
    reference && !name ? addPhrase(inline, reference, { inner, whole }) : addRole(inline, name, { inner, whole })
  return { ...whole, add }
}

function roleBefore(flat: string, at: number, least: number): string {
  if (flat.charAt(at - 1) !== ':') return ''
  const text = flat.slice(Math.max(least, at - 100), at)
  return /(?<![\p{L}\p{N}]):[\p{L}\p{N}]+(?:[-._+:][\p{L}\p{N}]+)*:$/u.exec(text)?.[0] ?? ''
}

function addPhrase(inline: InlineText, reference: string, { inner, whole }: { inner: Span; whole: Span }): void {
  const { flat, state } = inline
  const text = flat.slice(inner.from, inner.to)
  const open = text.lastIndexOf('<')
  const isEmbedded =
    text.endsWith('>') && open !== -1 && !/^\s/.test(text.charAt(open + 1)) && /^(?:\s|$)/.test(text.charAt(open - 1))
  if (!isEmbedded) return addReference(inline, reference, { inner, whole, isSimple: false })
  const target = { from: inner.from + open + 1, to: inner.to - 1 }
  const shown = text.slice(0, open).trimEnd()
  const label = shown === '' ? target : { from: inner.from, to: inner.from + shown.length }
  const written = flat.slice(target.from, target.to)
  const name = normaliseName(unescapeText(flat.slice(label.from, label.to)))
  const isNamed = reference === '_' && shown !== ''
  if (/[^\0]_$/.test(written)) {
    const identifier = normaliseName(unescapeText(written.replace(/^`(.*)`_$/, '$1_').slice(0, -1)))
    state.references.push({ ...toSource(inline, whole), identifier, label: toSource(inline, label), isSimple: true })
  } else {
    const url = unescapeText(written.replace(/\s+/g, ''))
    state.links.push(
      toLink(inline, { kind: 'link', url, target, whole, label, identifier: isNamed ? name : undefined }),
    )
    if (isNamed) registerId(state.register, name)
  }
  if (shown !== '') return addProse(inline, label)
  inline.seen.push(unescapeText(written))
}

function addReference(
  inline: InlineText,
  reference: string,
  { inner, whole, isSimple }: { inner: Span; whole: Span; isSimple: boolean },
): void {
  const { state, flat } = inline
  const text = unescapeText(flat.slice(inner.from, inner.to))
  const isAnonymous = reference === '__'
  const identifier = isAnonymous ? `__${++state.anonymousReferences}` : normaliseName(text)
  state.references.push({ ...toSource(inline, whole), identifier, label: toSource(inline, inner), isSimple })
  // The text of an anonymous reference names nothing. Other text is a name: page.ts decides whether it may change.
  if (isAnonymous) addProse(inline, inner)
  else inline.seen.push(text)
}

/** `name_` and `name__`, whose end is found first. */
function readName(inline: InlineText, at: number, least: number): Found | undefined {
  const { flat } = inline
  const mark = flat.charAt(at + 1) === '_' ? '__' : '_'
  const to = at + mark.length
  if (!mayEnd(inline, to) || !nameCharacter.test(flat.charAt(at - 1))) return undefined
  let from = at
  let best = -1
  for (let index = at - 1; index >= least; index -= 1) {
    const isName = nameCharacter.test(flat.charAt(index))
    const isJoint = '-._+:'.includes(flat.charAt(index)) && index + 1 === from
    if (!isName && !(isJoint && index > least && nameCharacter.test(flat.charAt(index - 1)))) break
    if (!isName) continue
    from = index
    if (isBoundary(inline, index)) best = index
  }
  if (best === -1) return undefined
  const inner = { from: best, to: at }
  const whole = { from: best, to }
  return { ...whole, add: () => addReference(inline, mark, { inner, whole, isSimple: true }) }
}

const footnote = /\[(?:\d{1,50}|#[\p{L}\p{N}._+:-]{0,200}|\*|[\p{L}\p{N}]+(?:[._+:-]+[\p{L}\p{N}]+){0,50})\]_/uy

function readFootnote(inline: InlineText, at: number): Found | undefined {
  footnote.lastIndex = at
  const found = isBoundary(inline, at) ? footnote.exec(inline.flat) : null
  const to = at + (found?.[0].length ?? 0)
  if (!found || !mayEnd(inline, to)) return undefined
  const add = (): void => {
    registerId(inline.state.register)
    inline.seen.push(found[0].slice(1, -2))
  }
  return { from: at, to, add }
}

/** Text without markup: prose and addresses. */
function addPlain(inline: InlineText, span: Span): void {
  if (span.to <= span.from) return
  const text = inline.flat.slice(span.from, span.to)
  let position = 0
  for (const found of text.matchAll(address)) {
    const at = span.from + found.index
    const url = found[0].replace(/(?<=[\w~*/=+])[^\w~*/=+]{1,20}$/, '')
    if (!isBoundary(inline, at) || !/\w$|[~*/=+]$/.test(url) || /^\w+:$/.test(url)) continue
    if (found.index > position) addProse(inline, { from: span.from + position, to: at })
    addAddress(inline, url, { from: at, to: at + url.length })
    position = found.index + url.length
  }
  if (position < text.length) addProse(inline, { from: span.from + position, to: span.to })
}

function addAddress(inline: InlineText, written: string, target: Span): void {
  const shown = unescapeText(written)
  const url = /^[a-z]+:/i.test(shown) ? shown : `mailto:${shown}`
  inline.state.links.push(toLink(inline, { kind: 'autolink', url, target, whole: target, label: target }))
  inline.seen.push(shown)
}
