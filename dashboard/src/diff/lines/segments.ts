// A line as pieces of text, each with its colour and whether it was replaced; few enough that a screen of them stays
// light. Characters that deceive readers are shown by their number. Pure.

import type { Range } from './words.ts'

/** A piece of a line and its kind: `keyword`, `string`, … An empty kind: plain text. */
export type Token = readonly [length: number, kind: string]

export type Segment = {
  readonly start: number
  readonly text: string
  readonly kind: string
  readonly isChanged: boolean
}

/** The limit of one line. A document may have 2,500 elements, and a screen shows up to 130 lines. */
const mostColoured = 12

// Controls, marks of direction, characters without width, and tags: they hide or reorder what a line says.
const tricky = new RegExp(
  [
    '[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u00ad\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180e]',
    '[\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\u3164\\ufeff\\uffa0\\ufff9-\\ufffb\\u{e0000}-\\u{e0fff}]',
  ].join('|'),
  'gu',
)

export function visible(text: string): string {
  return text.replace(
    tricky,
    (found) => `⟨U+${(found.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`,
  )
}

export function toSegments(
  text: string,
  tokens: readonly Token[] = [],
  changed: readonly Range[] = [],
): readonly Segment[] {
  const edges = new Map<number, string>()
  let position = 0
  let coloured = 0
  for (const [length, kind] of tokens) {
    if (kind !== '' && ++coloured > mostColoured) break
    edges.set(position, kind)
    position += length
  }
  if (position < text.length) edges.set(position, '')
  const cuts = new Set([0, ...edges.keys(), ...changed.flatMap(({ start, end }) => [start, end]), text.length])
  const places = [...cuts].filter((place) => place <= text.length).toSorted((a, b) => a - b)
  const segments: Segment[] = []
  let kind = ''
  for (const [index, start] of places.entries()) {
    kind = edges.get(start) ?? kind
    const piece = text.slice(start, places[index + 1] ?? text.length)
    const isChanged = changed.some((range) => range.start <= start && start < range.end)
    if (piece !== '') segments.push({ start, text: visible(piece), kind, isChanged })
  }
  return segments
}
