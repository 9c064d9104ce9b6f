// Instructions that set one field of a page's frontmatter.

import type { SetField } from '../instruction.ts'
import { forms, isEnd, match } from './forms.ts'
import type { Masked } from './masked.ts'
import type { Token } from './tokens.ts'

const page = '?page|file page=@place ?page'
const said = '?new ?frontmatter|front ?matter ?said=field|key|property'
const field = `?its ${said} field=@field ?frontmatter ?field|key|property|value`
const to = 'to|as|be|=|:'
const from = '?from ?@quote'

const all = forms(
  `verb=set|change|update|make ${field} of|in|on|for ${page} ${from} ${to} value=@rest`,
  `verb=set ${field} ${to} value=@scalar of|in|on|for ${page}`,
  `verb=add ${field} ?: value=@quote to|in|on ${page}`,
  `verb=give ${page} ${field} ?: value=@quote`,
  `verb=retitle ${page} to|as value=@rest`,
  `in|on ${page} ?, verb=set|change|update ${field} ${to} value=@rest`,
  `verb=set|change|update ${page} 's ${field} ${to} value=@rest`,
)
const known = /^(?:title|description|sidebartitle|subtitle|icon|keywords|tag|slug|mode)$/

export function parseField(tokens: readonly Token[], masked: Masked): SetField | undefined {
  const one = match(all, tokens)
  if (!one || !isEnd(tokens, one.end)) return undefined
  const verb = one.found['verb']?.[0]?.text
  const name = verb === 'retitle' ? 'title' : fieldName(masked.raw(one.found['field'] ?? []))
  const path = masked.raw(one.found['page'] ?? [])
  const isKnown = known.test(name.toLowerCase())
  const value = toValue(one.found['value'] ?? [], masked, isKnown)
  const mayBe = isKnown || verb === 'set' || verb === 'add' || one.found['said'] !== undefined
  if (!value || !mayBe || !isPage(path, tokens) || !/^[\w:.-]+$/.test(name)) return undefined
  return { kind: 'field', path, field: name, ...value }
}

function fieldName(name: string): string {
  if (/^sidebar ?title$/i.test(name)) return 'sidebarTitle'
  return /^(?:title|description)$/i.test(name) ? name.toLowerCase() : name
}

/** A quotation, a bare word of YAML, or for a known field plain words that hold no further quotation. */
function toValue(tokens: readonly Token[], masked: Masked, mayBeWords: boolean) {
  const said = tokens.slice(0, tokens.findLastIndex(({ kind }) => kind !== 'mark') + 1)
  const text = masked.raw(said)
  if (said.length === 1 && said[0]?.kind === 'quote') return { value: text, isBare: false }
  if (/^(?:true|false|\d+(?:\.\d+)?)$/.test(text)) return { value: text, isBare: true }
  const isPlain = said.every(({ kind }) => kind === 'word' || kind === 'mark')
  return mayBeWords && isPlain && text !== '' && text.length <= 200 ? { value: text, isBare: false } : undefined
}

/** A path, or any name that the sentence calls a page. */
function isPage(path: string, tokens: readonly Token[]): boolean {
  if (!/^[^\n*?<>|"\0]{1,300}$/.test(path)) return false
  return /\/|\.(?:mdx?|markdown)$/i.test(path) || tokens.some(({ text }) => text === 'page' || text === 'file')
}
