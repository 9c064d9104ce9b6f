// Finds what looks like an attribute (`name="value"`) anywhere in a text, without a tree of elements: whatever a generator
// makes of the page, the attribute is found. Takes linear time.

import type { Spend } from '../spend.ts'

export type FoundAttribute = {
  /** In lower case. */
  readonly name: string
  readonly value: string
  readonly start: number
  readonly hasValue: boolean
  /** The value is code: `{value}` of MDX, or an attribute that Vue evaluates. */
  readonly isCode: boolean
}

/** Addresses inside the code of a value: its strings. */
const strings = /(["'`])((?:\\.|(?!\1)[^\\]){0,2000})\1/gs

export function findAttributes(text: string, spend: Spend, from = 0, to = text.length): FoundAttribute[] {
  const found: FoundAttribute[] = []
  for (let at = text.indexOf('=', from); at >= 0 && at < to; at = text.indexOf('=', at + 1)) {
    const start = startOfName(text, from, at)
    const value = start === undefined ? undefined : readValue(text, at + 1, to)
    if (start === undefined || !value) continue
    spend(value.value.length)
    const name = text.slice(start, at).trimEnd().toLowerCase()
    found.push({ ...value, name, start, hasValue: true, isCode: value.isCode || /^(?::|v-bind:)/.test(name) })
  }
  return found
}

const spaceCharacter = /\s/
const nameCharacter = /[\w:.@-]/

function startOfName(text: string, from: number, equals: number): number | undefined {
  let end = equals
  while (end > from && spaceCharacter.test(text.charAt(end - 1))) end -= 1
  let start = end
  while (start > from && nameCharacter.test(text.charAt(start - 1))) start -= 1
  return start === end ? undefined : start
}

/** The strings of a value that is code, or the value itself. */
export function addressesIn({ value, isCode }: FoundAttribute): readonly string[] {
  return isCode ? Array.from(value.matchAll(strings), (match) => match[2] ?? '') : [value]
}

/** Whether the code of a value is one string, so that nothing computes the address. */
export function isPlain({ value, isCode }: FoundAttribute): boolean {
  return !isCode || /^\s*(["'])(?:(?!\1)[^\\])*\1\s*$/.test(value)
}

function readValue(text: string, from: number, to: number): Pick<FoundAttribute, 'value' | 'isCode'> | undefined {
  let start = from
  while (start < to && spaceCharacter.test(text.charAt(start))) start += 1
  const first = start < to ? text.charAt(start) : ''
  if (first === '"' || first === "'") {
    const end = text.indexOf(first, start + 1)
    return { value: text.slice(start + 1, end < 0 ? to : Math.min(end, to)), isCode: false }
  }
  if (first === '{') return { value: text.slice(start + 1, closingBrace(text, start, to)), isCode: true }
  bareValue.lastIndex = start
  const value = first === '' ? undefined : bareValue.exec(text)?.[0]
  return value === undefined ? undefined : { value: value.slice(0, to - start), isCode: false }
}

const bareValue = /[^\s>]+/y
/** The code of an attribute is never longer in documentation. */
const maxCode = 4_000

function closingBrace(text: string, open: number, to: number): number {
  let depth = 0
  const last = Math.min(to, open + maxCode)
  for (let at = open; at < last; at += 1) {
    if (text[at] === '{') depth += 1
    else if (text[at] === '}' && (depth -= 1) === 0) return at
  }
  return last
}
