// The text of a leaf block: its lines without the marks of the containers around them, with the offsets in the page that
// they have. Makes the nodes of the tree, whose ranges are those offsets.

import { decodeHTMLStrict } from 'entities'
import type { SyntaxNode } from '../syntax.ts'
import { lineAt } from '../text.ts'

/** `starts[i]`: where part `i` begins in `text`; `offsets[i]`: where it begins in the page. */
export type Content = {
  readonly text: string
  readonly starts: readonly number[]
  readonly offsets: readonly number[]
}

type Details = Omit<SyntaxNode, 'type' | 'position'>

const escaped = /\\([!-/:-@[-`{-~])|&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|[\da-zA-Z]{1,31});/g
const reference = /&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|[\da-zA-Z]{1,31});/g

/** `ranges`: where each line begins and ends in the page, one after the other. */
export function createContent(source: string, ranges: readonly number[]): Content {
  const starts: number[] = []
  const offsets: number[] = []
  let text = ''
  for (let at = 0; at < ranges.length; at += 2) {
    const start = ranges[at] ?? 0
    let end = ranges[at + 1] ?? 0
    while (ranges[at + 2] === end) {
      at += 2
      end = ranges[at + 1] ?? 0
    }
    starts.push(text.length)
    offsets.push(start)
    text += source.slice(start, end)
  }
  return { text, starts, offsets }
}

/** The offset in the page of the character at `index`. */
export function offsetAt({ starts, offsets }: Content, index: number): number {
  const part = lineAt(starts, index) - 1
  return (offsets[part] ?? 0) + index - (starts[part] ?? 0)
}

/** A node of a part of the content that is not empty. */
export function createNode(type: string, content: Content, range: readonly [number, number], details?: Details) {
  const [from, to] = range
  const start = { offset: offsetAt(content, from) }
  const end = { offset: offsetAt(content, to - 1) + 1 }
  return { type, position: { start, end }, ...details } satisfies SyntaxNode
}

/** The text with escapes and character references resolved. */
export function decode(text: string): string {
  if (!/[\\&]/.test(text)) return text
  return text.replace(escaped, (whole, mark?: string, decimal?: string, hexadecimal?: string) => {
    return mark ?? resolveReference(whole, decimal, hexadecimal)
  })
}

/** The text with character references resolved, as HTML has it: a backslash is a character. */
export function decodeReferences(text: string): string {
  return text.includes('&') ? text.replace(reference, resolveReference) : text
}

function resolveReference(whole: string, decimal?: string, hexadecimal?: string): string {
  if (decimal !== undefined) return fromCode(Number.parseInt(decimal, 10))
  return hexadecimal === undefined ? decodeHTMLStrict(whole) : fromCode(Number.parseInt(hexadecimal, 16))
}

/** The name of a definition, by which references find it. */
export function normaliseName(name: string): string {
  return name
    .replace(/[\t\n\r ]+/g, ' ')
    .replace(/^ | $/g, '')
    .toLowerCase()
    .toUpperCase()
}

/** Controls, surrogates and numbers beyond Unicode are no characters. */
function fromCode(code: number): string {
  const isControl = code < 9 || code === 11 || (code > 13 && code < 32) || (code > 126 && code < 160)
  const isNone = (code > 55_295 && code < 57_344) || (code > 64_975 && code < 65_008) || (code & 65_535) > 65_533
  return isControl || isNone || code > 1_114_111 ? '\uFFFD' : String.fromCodePoint(code)
}
