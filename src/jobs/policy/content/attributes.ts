// Finds what looks like an attribute (`name="value"`) anywhere in a text, without a tree of elements: whatever a generator
// makes of the page, the attribute is found. Takes linear time.

import type { Spend } from './spend.ts'

export type FoundAttribute = {
  /** In lower case. */
  readonly name: string
  readonly value: string
  readonly start: number
  /** The value is code: `{value}` of MDX, or an attribute that Vue evaluates. */
  readonly isCode: boolean
}

const maxName = 80
const maxValue = 4_000
/** Addresses inside the code of a value: its strings. */
const strings = /(["'`])((?:\\.|(?!\1)[^\\]){0,2000})\1/gs

export function findAttributes(text: string, spend: Spend, from = 0, to = text.length): FoundAttribute[] {
  const found: FoundAttribute[] = []
  for (let at = text.indexOf('=', from); at >= 0 && at < to; at = text.indexOf('=', at + 1)) {
    const name = /[\w:.@-]+(?=\s*$)/.exec(text.slice(Math.max(from, at - maxName), at))
    if (!name) continue
    const start = Math.max(from, at - maxName) + name.index
    const value = readValue(text.slice(at + 1, Math.min(to, at + 1 + maxValue)))
    if (value) spend(value.value.length)
    if (value)
      found.push({
        ...value,
        name: name[0].toLowerCase(),
        start,
        isCode: value.isCode || /^(?::|v-bind:)/.test(name[0]),
      })
  }
  return found
}

/** The strings of a value that is code, or the value itself. */
export function addressesIn({ value, isCode }: FoundAttribute): readonly string[] {
  return isCode ? Array.from(value.matchAll(strings), (match) => match[2] ?? '') : [value]
}

/** Whether the code of a value is one string, so that nothing computes the address. */
export function isPlain({ value, isCode }: FoundAttribute): boolean {
  return !isCode || /^\s*(["'])(?:(?!\1)[^\\])*\1\s*$/.test(value)
}

function readValue(rest: string): { readonly value: string; readonly isCode: boolean } | undefined {
  const start = /^\s*/.exec(rest)?.[0].length ?? 0
  const first = rest.charAt(start)
  if (first === '"' || first === "'") {
    const end = rest.indexOf(first, start + 1)
    return { value: rest.slice(start + 1, end < 0 ? undefined : end), isCode: false }
  }
  if (first === '{') return { value: rest.slice(start + 1, closingBrace(rest, start)), isCode: true }
  const value = /^[^\s>]+/.exec(rest.slice(start))?.[0]
  return value === undefined ? undefined : { value, isCode: false }
}

function closingBrace(text: string, open: number): number {
  let depth = 0
  for (let at = open; at < text.length; at += 1) {
    if (text[at] === '{') depth += 1
    else if (text[at] === '}' && (depth -= 1) === 0) return at
  }
  return text.length
}
