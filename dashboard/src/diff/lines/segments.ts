// A line as pieces of text, each with its colour and whether it was replaced; few enough that a screen of them stays
// light. Characters that deceive readers are shown by their number. Pure.

import { trickyCharacters } from '../../../../src/lib/plain-text.ts'
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

export function visible(text: string): string {
  return text.replace(
    trickyCharacters,
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
