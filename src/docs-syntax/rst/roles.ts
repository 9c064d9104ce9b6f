// Reads what a role names: `` :doc:`text <target>` `` a document, `` :ref:`label` `` a label, others code or an object of a
// domain, which are only counted.

import { startOf } from '../../lib/plain-text.ts'
import type { PageLink } from '../page.ts'
import { normaliseName } from './ids.ts'
import { type InlineText, type Span, addCode, addProse, toLink, unescapeText } from './inline-text.ts'
import { count } from './state.ts'

/** The kind of link that a role makes; undefined for a role that names no document, label or file. */
export function linkKindOf(role: string): PageLink['kind'] | undefined {
  const name = role.toLowerCase().replace(/^std:/, '')
  return Object.hasOwn(kinds, name) ? kinds[name] : undefined
}

const kinds: Readonly<Record<string, PageLink['kind']>> = {
  doc: 'doc',
  ref: 'ref',
  numref: 'ref',
  download: 'file',
  any: 'any',
}

/** Roles whose whole text is for readers. */
const shownRoles = new Set(
  'emphasis strong sub subscript sup superscript title title-reference guilabel menuselection abbr abbreviation dfn'.split(
    ' ',
  ),
)
const codeRoles = new Set(
  'code literal raw math eq file samp kbd command program option envvar makevar mailheader manpage mimetype newsgroup regexp token'.split(
    ' ',
  ),
)
/** The generator shows these with parentheses. */
const calls = /(?:^|:)(?:func|meth)$/

/** Whether a role only says how its text looks, and names nothing. */
export function isTextRole(name: string): boolean {
  return shownRoles.has(name) || codeRoles.has(name) || name === '' || /^(?:pep|rfc)$/.test(name)
}

/** Counts a role with what it names, as `confval html_theme`. */
export function countRole(roles: Map<string, number>, role: string, target: string): void {
  const name = startOf(target.replace(/^[!~.]+|\(\)$/g, ''), 200)
  count(roles, isTextRole(role) ? role : `${role} ${name.split(/\s+/).join(' ')}`)
}

export function addRole(inline: InlineText, written: string, { inner, whole }: { inner: Span; whole: Span }): void {
  const { flat, state } = inline
  const role = written.toLowerCase().replace(/^std:/, '')
  const text = flat.slice(inner.from, inner.to)
  const open = text.lastIndexOf('<')
  const hasTitle = text.endsWith('>') && open > 0 && text.charAt(open - 1) !== '\0' && text.slice(0, open).trim() !== ''
  const label = hasTitle ? { from: inner.from, to: inner.from + text.slice(0, open).trimEnd().length } : undefined
  const target = hasTitle ? { from: inner.from + open + 1, to: inner.to - 1 } : inner
  const kind = linkKindOf(role)
  if (kind && !text.startsWith('!')) {
    const url = unescapeText(flat.slice(target.from, target.to))
    const identifier = kind === 'ref' ? normaliseName(url) : undefined
    state.links.push(toLink(inline, { kind, url, target, whole, label, identifier }))
    if (label) addProse(inline, label)
    else inline.seen.push(url)
    return
  }
  countRole(state.roles, role, unescapeText(flat.slice(target.from, target.to)))
  if (shownRoles.has(role)) addProse(inline, inner)
  else if (codeRoles.has(role)) addCode(inline, whole, inner)
  else if (label) addProse(inline, label)
  else inline.seen.push(shownText(role, unescapeText(text)))
}

function shownText(role: string, text: string): string {
  if (role === 'pep') return `PEP ${text}`
  if (role === 'rfc') return `RFC ${text}`
  const plain = text.replace(/^!/, '')
  const name = plain.startsWith('~') ? (plain.slice(1).split('.').at(-1) ?? '') : plain
  return calls.test(role) && !name.endsWith('()') ? `${name}()` : name
}
