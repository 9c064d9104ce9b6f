// The text of one paragraph, cell or title while its markup is read. The readers of passthroughs, marks and macros run one
// after another, as in Asciidoctor; each writes over the characters that it understood, so the next doesn't read them.

import type { Range } from '../../text.ts'

/** Part of a text that is no prose. In the visible text, `shown` takes its place. Undefined: it is visible as written. */
export type Cut = Range & { readonly shown: string | undefined }

/** All positions are relative to the text. */
export type Scan = {
  /** As written; lines that don't belong to the text are spaces. */
  readonly text: string
  readonly units: Uint16Array
  readonly cuts: Cut[]
  readonly code: Range[]
  readonly ids: string[]
}

/** The characters that readers write over understood markup. */
export const masks = {
  /** Literal text. */
  opaque: 0xe000,
  /** A mark: Asciidoctor has a tag there, which ends no word. */
  tag: 0xe001,
  /** A character reference: Asciidoctor allows no mark right after its semicolon. */
  entity: 0xe002,
} as const

export function createScan(text: string): Scan {
  const units = new Uint16Array(text.length)
  for (let index = 0; index < text.length; index++) units[index] = text.charCodeAt(index)
  return { text, units, cuts: [], code: [], ids: [] }
}

/** The text with the masks in it. */
export function maskedText({ units }: Scan): string {
  const parts: string[] = []
  for (let at = 0; at < units.length; at += 8192) parts.push(String.fromCharCode(...units.subarray(at, at + 8192)))
  return parts.join('')
}

/** `result[i]`: the first position from `i` on that `isWanted`, or `length`. Searches by it take constant time. */
export function nextPositions(length: number, isWanted: (position: number) => boolean): Int32Array {
  const next = new Int32Array(length + 2).fill(length)
  for (let index = length - 1; index >= 0; index--) next[index] = isWanted(index) ? index : (next[index + 1] ?? length)
  return next
}

export function isSpace(unit: number | undefined): boolean {
  return unit === 32 || unit === 10 || unit === 9 || unit === 13
}

export function isWord(unit: number | undefined): boolean {
  if (unit === undefined) return false
  if (unit < 128)
    return (unit >= 48 && unit <= 57) || (unit >= 65 && unit <= 90) || (unit >= 97 && unit <= 122) || unit === 95
  return unit < 0xd800 && /[\p{L}\p{M}\p{N}\p{Pc}]/u.test(String.fromCharCode(unit))
}
