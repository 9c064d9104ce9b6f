// Finds the inline macros of a text: links, cross references, images, anchors, footnotes, index terms, keys and menus, and
// references to attributes. Each position is read a bounded number of times: where a macro ends comes from tables.

import type { Range } from '../../text.ts'
import { type AsciidocState, type Run, addLink } from '../state.ts'
import { readAttribute, readUrl } from './addresses.ts'
import { readImage } from './images.ts'
import { type Macros, type Target, createMacros, cut, openText, sourceRange, urlOf } from './macro-state.ts'
import { readAnchor, readCustom, readReference, readTerm } from './references.ts'
import { type Scan, isSpace } from './scan.ts'
import { readXrefTarget } from './targets.ts'

const opener =
  /(\\?)(?:(?<![\p{L}\p{N}_])(xref|link|mailto|image|icon|anchor|menu|footnoteref|footnote|indexterm2?|kbd|btn):|((?:https?|file|ftp|irc):\/\/)|(<<)|(\[\[\[?)|(\(\(\(?)|\{([\p{L}\p{N}_][\p{L}\p{N}_-]{0,200})\}|\{(?:set|counter2?):[^{}\n]{1,200}\}|(?<![\p{L}\p{N}_:.])([a-z][a-z\d_-]{0,40}):(?=[^\s:[\]])|(?<= )\+$)|(\])/gmu

export function readMacros(scan: Scan, state: AsciidocState, run: Run): void {
  const macros = createMacros(scan, state, run)
  for (const found of macros.text.matchAll(opener)) if (found.index >= macros.position) readOpener(found, macros)
}

function readOpener(found: RegExpExecArray, macros: Macros): void {
  const [written, slash = '', name, scheme, reference, anchor, term, attribute, custom, bracket] = found
  const start = found.index + slash.length
  const end = found.index + written.length
  if (slash) {
    if (name || scheme || reference || anchor || attribute) cut(macros, { start: start - 1, end: start }, '')
    if (scheme) macros.position = macros.ends[start] ?? start
  } else if (name) readNamed(name, { start, end }, macros)
  else if (scheme) readUrl(start, macros)
  else if (reference) readReference({ start, end }, macros)
  else if (anchor) readAnchor({ start, end }, macros)
  else if (term) readTerm({ start, end }, macros)
  else if (attribute) readAttribute(attribute, { start, end }, macros)
  else if (custom) readCustom({ start, end }, macros)
  else if (bracket) closeText(start, macros)
  else cut(macros, { start, end }, '')
}

const withoutTarget: ReadonlySet<string> = new Set(['footnote', 'footnoteref', 'kbd', 'btn', 'indexterm', 'indexterm2'])
const withSpaces: ReadonlySet<string> = new Set(['xref', 'image', 'icon', 'menu'])

/** `whole` with its brackets, `target` before them, `list` between them. */
type Named = { readonly whole: Range; readonly target: Range; readonly list: Range }

/** `start` is where the name starts, `end` where the target does. */
function readNamed(name: string, { start, end }: Range, macros: Macros): void {
  const { text, breaks, brackets } = macros
  const open = (withSpaces.has(name) ? brackets : breaks)[end] ?? text.length
  const close = macros.closing[open + 1] ?? text.length
  const isEmpty = open === end && !withoutTarget.has(name)
  if (text[open] !== '[' || close >= text.length || isEmpty || isSpace(text.charCodeAt(end))) return
  const target = { start: end, end: open }
  const named = { whole: { start, end: close + 1 }, target, list: { start: open + 1, end: close } }
  if (name === 'footnote' || name === 'footnoteref') openText({ start, label: open + 1 }, macros)
  else if (name === 'xref' || name === 'link' || name === 'mailto')
    openText({ start, label: open + 1, link: targetOf(name, named, macros) }, macros)
  else {
    readLeaf(name, named, macros)
    macros.position = close + 1
  }
}

function targetOf(name: 'xref' | 'link' | 'mailto', { whole, target }: Named, macros: Macros): Target {
  if (name === 'xref') {
    const url = urlOf(macros, target)
    const { kind, skip } = readXrefTarget(url)
    const start = target.start + (macros.text[target.start] === '#' ? 1 : 0)
    return { start, end: target.end, kind, url: url.slice(skip) }
  }
  const range = name === 'mailto' ? { start: whole.start, end: target.end } : withoutPass(macros, target)
  return { ...range, kind: 'link', url: urlOf(macros, range) }
}

/** A macro whose text has no macros in it. */
function readLeaf(name: string, { whole, target, list }: Named, macros: Macros): void {
  const { scan, state, text } = macros
  const written = text.slice(target.start, target.end)
  switch (name) {
    case 'image': {
      const url = urlOf(macros, target)
      const at = {
        whole: sourceRange(macros, whole),
        target: sourceRange(macros, target),
        list: sourceRange(macros, list),
      }
      readImage(state, { ...at, url, name, kind: macros.kind })
      cut(macros, whole, '')
      return
    }
    case 'menu':
    case 'btn':
    case 'kbd':
    case 'indexterm2':
      cut(macros, { start: whole.start, end: target.start }, '')
      cut(macros, { start: target.end, end: list.start }, name === 'menu' ? ' › ' : '')
      cut(macros, { start: list.end, end: whole.end }, '')
      if (name === 'kbd') scan.code.push(list)
      return
    case 'icon':
      cut(macros, whole, state.attributes.get('icons') === 'font' ? '' : `[${written}]`)
      return
    case 'anchor':
      scan.ids.push(written)
      cut(macros, whole, '')
      return
    default:
      cut(macros, whole, '')
  }
}

/** `++path++` and `pass:[path]` keep an address from being read as markup. */
function withoutPass({ scan: { text } }: Macros, { start, end }: Range): Range {
  const found = /^(\+\+\+?|\$\$|pass:[a-z,]*\[)[^]*?(\+\+\+?|\$\$|\])$/.exec(text.slice(start, end))
  return found ? { start: start + (found[1]?.length ?? 0), end: end - (found[2]?.length ?? 0) } : { start, end }
}

/** A `]` ends the text of the innermost construct. */
function closeText(at: number, macros: Macros): void {
  const open = macros.open.pop()
  if (!open || macros.text[at - 1] === '\\') {
    if (open) macros.open.push(open)
    return
  }
  const whole = { start: open.start, end: at + 1 }
  const label = open.link
    ? labelRange(macros, { start: open.label, end: at }, open.link.kind)
    : { start: open.label, end: at }
  if (open.link) {
    const { start, end } = sourceRange(macros, open.link)
    const shown = label.end > label.start ? sourceRange(macros, label) : undefined
    addLink(macros.state, { ...open.link, start, end, whole: sourceRange(macros, whole), label: shown })
  }
  const isShown = label.end > label.start
  const { kind = 'link', url = '' } = open.link ?? {}
  cut(macros, { start: open.start, end: label.start }, isShown || !open.link ? '' : kind === 'ref' ? `[${url}]` : url)
  cut(macros, { start: label.end, end: at + 1 }, '')
}

/** The text without window marks and attributes: `text^`, `"text",role=x`. */
function labelRange({ text }: Macros, { start, end }: Range, kind: Target['kind']): Range {
  const written = text.slice(start, end)
  if (written.includes('=') && /(?:^|,)\s*[\w-]+\s*=|^\s*"/.test(written)) {
    if (written.startsWith('"')) {
      const quote = written.indexOf('"', 1)
      return { start: start + 1, end: start + (quote === -1 ? written.length : quote) }
    }
    const comma = /(?:^|,)\s*[\w-]+\s*=/.exec(written)
    return { start, end: start + (comma?.index ?? written.length) }
  }
  return { start, end: kind === 'link' && written.endsWith('^') ? end - 1 : end }
}
