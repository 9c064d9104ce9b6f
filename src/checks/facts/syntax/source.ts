// The lines of a page, and how much of it is read, for the readers of all syntaxes.

import { lineAt, lineStarts } from '../../../docs-syntax/text.ts'

export type LineOf = (offset: number) => number

const maxCharacters = 2_000_000
/** Longer addresses are data, such as an image inside the page. */
export const maxAddress = 2_000

/** `text`: empty if the page is too large to be read. */
export function openSource(source: string): {
  readonly text: string
  readonly isLarge: boolean
  readonly lineOf: LineOf
} {
  const isLarge = source.length > maxCharacters
  return { text: isLarge ? '' : source, isLarge, lineOf: createLineOf(source) }
}

export function createLineOf(text: string): LineOf {
  const starts = lineStarts(text)
  return (offset) => lineAt(starts, offset)
}
