// Instructions that set one field of a page's frontmatter.

import type { SetField } from '../instruction.ts'
import { type Masked, quotation } from './masked.ts'

const page = `(?:the\\s+)?(?:(?:page|file)\\s+)?(?<page>${quotation}|[\\w@~./()[\\]+-]*[\\w@)\\]])(?:\\s+page)?`
const known = 'title|description|sidebar\\s?title|sidebarTitle|subtitle|icon|keywords|tag|slug|mode'
const noun = '(?:\\s+(?:frontmatter\\s+)?(?:field|key|property|value))?'
const matter = '(?:(?:frontmatter|front\\s+matter|front-matter)\\s+)'
const field = `(?:(?:the|a|an|its)\\s+)?(?:new\\s+)?(?:${matter}?(?:field|key|property)\\s+(?<field>${quotation}|[\\w:.-]+)|${matter}(?<field2>${quotation}|[\\w:.-]+)${noun}|(?<field3>${known})${noun})`
const anyField = `(?:(?:the|a|an)\\s+)?(?:new\\s+)?${matter}?(?:(?:field|key|property)\\s+)?(?<field>${quotation}|sidebar\\s+title|[\\w:.-]+)${noun}`
const to = '\\s*(?:\\b(?:to|as|be)\\b|=|:)\\s*'
const at = '\\s+(?:of|in|on|for)\\s+'
const value = '(?<value>.+)'

const forms: readonly RegExp[] = [
  `^set\\s+${anyField}${at}${page}(?:\\s+from\\s+${quotation})?${to}${value}$`,
  `^(?:change|update|make)\\s+${field}${at}${page}(?:\\s+from\\s+${quotation})?${to}${value}$`,
  `^set\\s+${anyField}${to}(?<value>${quotation}|true|false|\\d+)${at}${page}$`,
  `^add\\s+(?:a|an|the)?\\s*${field}\\s*:?\\s*(?<value>${quotation})\\s+(?:to|in|on)\\s+${page}$`,
  `^give\\s+${page}\\s+${field}\\s*:?\\s*(?<value>${quotation})$`,
  `^(?<field>re)title\\s+${page}\\s+(?:to|as)\\s+${value}$`,
  `^(?:in|on)\\s+${page}\\s*,?\\s+(?:set|change|update)\\s+${field}${to}${value}$`,
  `^(?:set|change|update)\\s+${page}['’]s\\s+${field}${to}${value}$`,
].map((source) => new RegExp(source, 'iu'))

const isKnown = new RegExp(`^(?:${known})$`, 'i')

export function parseField(clause: string, masked: Masked): SetField | undefined {
  for (const form of forms) {
    const found = form.exec(clause)?.groups
    if (!found) continue
    const name = fieldName(masked.unmask(found['field'] ?? found['field2'] ?? found['field3'] ?? ''))
    const path = masked.unmask(found['page'] ?? '')
    const value = toValue(found['value'] ?? '', masked, isKnown.test(name))
    if (value && isPage(path, clause) && /^[\w:.-]+$/.test(name)) return { kind: 'field', path, field: name, ...value }
  }
  return undefined
}

function fieldName(name: string): string {
  if (name.toLowerCase() === 're') return 'title'
  return /^sidebar\s?title$/i.test(name)
    ? 'sidebarTitle'
    : /^(?:title|description)$/i.test(name)
      ? name.toLowerCase()
      : name
}

/** A quotation, a bare word of YAML, or for a known field plain words that hold no further quotation. */
function toValue(text: string, masked: Masked, mayBeWords: boolean): Pick<SetField, 'value' | 'isBare'> | undefined {
  const words = text.trim()
  if (new RegExp(`^${quotation}$`, 'u').test(words)) return { value: masked.unmask(words), isBare: false }
  if (/^(?:true|false|\d+(?:\.\d+)?)$/.test(words)) return { value: words, isBare: true }
  return mayBeWords && /^[^\u{e000}-\u{e003}]{1,200}$/u.test(words) ? { value: words, isBare: false } : undefined
}

/** A path, or any name that the words call a page. */
function isPage(path: string, clause: string): boolean {
  return (
    /^[^\n*?<>|"\0]{1,300}$/.test(path) && (/\/|\.(?:mdx?|markdown)$/i.test(path) || /\b(?:page|file)\b/i.test(clause))
  )
}
