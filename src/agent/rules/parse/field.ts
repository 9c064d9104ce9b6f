// Parses instructions that set one field of a page's frontmatter, such as `Set the title of guides/ci.mdx to "CI"`.
// forms.ts explains the notation of the forms.

import type { SetField } from '../instruction.ts'
import { forms, isEnd, match } from './forms.ts'
import type { Masked } from './masked.ts'
import type { Token } from './tokens.ts'

const page = '?page|file page=@place ?page'
const noun = '?new ?frontmatter|front ?matter ?noun=field|key|property'
const field = `?its ${noun} field=@field ?frontmatter ?field|key|property|value`
const to = 'to|as|be|=|:'
const oldValue = '?from ?@quote'

const fieldForms = forms(
  `verb=set|change|update|make ${field} of|in|on|for ${page} ${oldValue} ${to} value=@rest`,
  `verb=set ${field} ${to} value=@scalar of|in|on|for ${page}`,
  `verb=add ${field} ?: value=@quote to|in|on ${page}`,
  `verb=give ${page} ${field} ?: value=@quote`,
  `verb=retitle ${page} to|as value=@rest`,
  `in|on ${page} ?, verb=set|change|update ${field} ${to} value=@rest`,
  `verb=set|change|update ${page} 's ${field} ${to} value=@rest`,
)
const knownFields = /^(?:title|description|sidebartitle|subtitle|icon|keywords|tag|slug|mode)$/

export function parseField(tokens: readonly Token[], masked: Masked): SetField | undefined {
  const matched = match(fieldForms, tokens)
  if (!matched || !isEnd(tokens, matched.end)) return undefined
  const verb = matched.found['verb']?.[0]?.text
  const name = verb === 'retitle' ? 'title' : fieldName(masked.raw(matched.found['field'] ?? []))
  const path = masked.raw(matched.found['page'] ?? [])
  const isKnown = knownFields.test(name.toLowerCase())
  const value = toValue(matched.found['value'] ?? [], masked, isKnown)
  // An unknown name counts as a field only after `set` or `add`, or next to the word `field`, `key` or `property`.
  const isField = isKnown || verb === 'set' || verb === 'add' || matched.found['noun'] !== undefined
  if (!value || !isField || !isPage(path, tokens) || !/^[\w:.-]+$/.test(name)) return undefined
  return { kind: 'field', path, field: name, ...value }
}

function fieldName(name: string): string {
  if (/^sidebar ?title$/i.test(name)) return 'sidebarTitle'
  return /^(?:title|description)$/i.test(name) ? name.toLowerCase() : name
}

/**
 * Accepts a quotation; `true`, `false` or a number; and, for a known field, up to 200 characters of unquoted words.
 * `tokens` end without punctuation.
 */
function toValue(tokens: readonly Token[], masked: Masked, allowWords: boolean) {
  const text = masked.raw(tokens)
  if (tokens.length === 1 && tokens[0]?.kind === 'quote') return { value: text, isBare: false }
  if (/^(?:true|false|\d+(?:\.\d+)?)$/.test(text)) return { value: text, isBare: true }
  const isPlain = tokens.every(({ kind }) => kind === 'word' || kind === 'mark')
  return allowWords && isPlain && text !== '' && text.length <= 200 ? { value: text, isBare: false } : undefined
}

/** Whether this is a path, or any name in an instruction that contains the word `page` or `file`. */
function isPage(path: string, tokens: readonly Token[]): boolean {
  if (!/^[^\n*?<>|"\0]{1,300}$/.test(path)) return false
  return /\/|\.(?:mdx?|markdown)$/i.test(path) || tokens.some(({ text }) => text === 'page' || text === 'file')
}
