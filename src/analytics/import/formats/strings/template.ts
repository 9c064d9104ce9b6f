// Reads lines by a template: literal texts, and between them fields, some of which have a role in a page view. A value
// reads up to the next whole literal; in quotes, up to the next quote that is not escaped. Knows no server: the templates
// come from its format string. Reads each byte a fixed number of times, so no line makes it slow.

import { Failure } from '../../../../lib/failure.ts'
import { findQuote, unescape } from '../quoted.ts'

export type TimeRole = 'clf' | 'iso' | 'unix'
export type Role =
  | TimeRole
  | 'address'
  | 'peer'
  | 'forwarded'
  | 'request'
  | 'method'
  | 'target'
  | 'query'
  | 'location'
  | 'host'
  | 'scheme'
  | 'status'
  | 'referrer'
  | 'agent'
  | 'type'

/** `name` as it is written in the format string. A field without a role is skipped. */
export type Field = { readonly name: string; readonly role?: Role | undefined }
export type Part = string | Field
/** The first value of each role that is not empty. */
export type Values = Partial<Record<Role, string>>
export type Template = { readonly first: string; readonly fields: readonly Slot[]; readonly isOpen: boolean }

type Slot = { readonly field: Field; readonly isQuoted: boolean; readonly next: string }

/** With `isOpen`, anything may follow after the last literal. Throws `invalid_input` if a line could be read in two ways. */
export function toTemplate(parts: readonly Part[], isOpen = false): Template {
  const joined = join(parts)
  const first = typeof joined[0] === 'string' ? joined[0] : ''
  const fields = joined.flatMap((part, index) => {
    if (typeof part === 'string') return []
    const before = joined[index - 1]
    const after = joined[index + 1]
    if (typeof after === 'object') {
      throw new Failure('invalid_input', `Nothing separates ${part.name} and ${after.name} in the format.`)
    }
    const next = after ?? ''
    const isQuoted = typeof before === 'string' && before.endsWith('"') && next.startsWith('"')
    requireQuotes(part, isQuoted, next)
    return [{ field: part, isQuoted, next }]
  })
  return { first, fields, isOpen }
}

const joins: Readonly<Record<string, Role>> = {
  'target query': 'target',
  'query query': 'query',
  'host target': 'location',
  'location query': 'location',
}

/** Fields next to each other that one value can hold: a path and its query, a host and its path. */
function join(parts: readonly Part[]): readonly Part[] {
  const joined: Part[] = []
  for (const part of parts) {
    const last = joined.at(-1)
    if (part === '') continue
    if (typeof last === 'string' && typeof part === 'string') joined[joined.length - 1] = last + part
    else if (typeof last === 'object' && typeof part === 'object') {
      const role = joins[`${last.role ?? ''} ${part.role ?? ''}`]
      if (role === undefined) joined.push(part)
      else joined[joined.length - 1] = { name: last.name + part.name, role }
    } else joined.push(part)
  }
  return joined
}

const withSpaces: ReadonlySet<Role | undefined> = new Set<Role>(['request', 'agent', 'forwarded'])

function requireQuotes({ name, role }: Field, isQuoted: boolean, next: string): void {
  if (isQuoted || next !== ' ' || !withSpaces.has(role)) return
  throw new Failure('invalid_input', `${name} can contain spaces: the format must have it in quotes.`)
}

/** The name of a field without its sign: `http_x_real_ip` of `$http_x_real_ip`, `{X-Real-IP}i` of `%{X-Real-IP}i`. */
export function bareName(name: string): string {
  return name
    .toLowerCase()
    .replace(/^(?:%|\$)/, '')
    .replace(/^\{(\w+)\}$/, '$1')
}

/** The template with the addresses of readers in the field of this name, instead of where they were. */
export function withForwarded(template: Template, name: string): Template {
  const fields = template.fields.map((slot): Slot => {
    const { name: own, role } = slot.field
    if (bareName(own) === bareName(name)) return { ...slot, field: { name: own, role: 'forwarded' } }
    return role === 'forwarded' ? { ...slot, field: { name: own } } : slot
  })
  return { ...template, fields }
}

/** A line of the template, with a letter for each value. */
export function toSample({ first, fields }: Template): string {
  return first + fields.map(({ field, next }) => (field.role === 'clf' ? clfSample : 'x') + next).join('')
}

/** Returns undefined for a line of another format. */
export function readTemplate({ first, fields, isOpen }: Template, line: string): Values | undefined {
  if (!line.startsWith(first)) return undefined
  const values: Values = {}
  let at = first.length
  for (const [index, slot] of fields.entries()) {
    const end = findEnd(line, at, slot, fields[index + 1])
    if (end < 0 || !line.startsWith(slot.next, end)) return undefined
    const { role } = slot.field
    if (role !== undefined && values[role] === undefined) {
      const text = line.slice(at, end)
      if (text !== '' && text !== '-') values[role] = unescape(text)
    }
    at = end + slot.next.length
  }
  return at === line.length || isOpen ? values : undefined
}

const clfSample = '21/Nov/2026:10:00:00 +0100'
const clfLength = clfSample.length

function findEnd(line: string, at: number, { field, isQuoted, next }: Slot, following: Slot | undefined): number {
  if (isQuoted) return findQuote(line, at)
  if (field.role === 'clf') return at + clfLength
  if (next === '') return line.length
  let end = line.indexOf(next, at)
  if (following?.field.role !== 'clf') return end
  // Names of users may hold spaces and brackets.
  while (end >= 0 && !isClf(line, end + next.length)) end = line.indexOf(next, end + 1)
  return end
}

function isClf(line: string, at: number): boolean {
  return line[at + 2] === '/' && line[at + 6] === '/' && line[at + 11] === ':' && line[at + 20] === ' '
}
