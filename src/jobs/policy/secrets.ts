// Finds tokens and keys in a text by their shapes, with the line of each. A finding is never shown with its secret.

import { decodeHTML } from 'entities'
import { lineAt, lineStarts } from '../../docs-syntax/text.ts'
import { findShapes } from '../../lib/outbound/secret-shapes.ts'

export type FoundSecret = {
  /** A noun phrase, such as `a token of GitHub`. */
  readonly name: string
  /** Counted from 1. */
  readonly line: number
  /** The secret itself, for comparison. Never shown. */
  readonly text: string
}

/** Also with references of HTML and invisible characters inside, which a browser resolves or does not show. */
export function findSecrets(text: string): readonly FoundSecret[] {
  const plain = (text.includes('&') ? decodeHTML(text) : text).replaceAll(hidden, '')
  const found = findIn(text)
  if (plain === text) return found
  const known = new Set(found.map((one) => one.text))
  return [...found, ...findIn(plain).filter((one) => !known.has(one.text))]
}

/** Nothing that ends a line, so the lines stay the same. */
const hidden = /\p{Default_Ignorable_Code_Point}/gu

function findIn(text: string): readonly FoundSecret[] {
  const shapes = findShapes(text)
  const starts = shapes.length === 0 ? [] : lineStarts(text)
  return shapes
    .toSorted((one, other) => one.at - other.at)
    .map((found) => ({ name: found.name, text: found.text, line: lineAt(starts, found.at) }))
}

/** Returns the secrets in the text that no old text contains. A secret that was already published is not a new leak. */
export function findNewSecrets(text: string, before: readonly string[]): readonly FoundSecret[] {
  const known = new Set(before.flatMap((old) => findSecrets(old).map((secret) => secret.text)))
  return findSecrets(text).filter((one) => !known.has(one.text) && !before.some((old) => old.includes(one.text)))
}
