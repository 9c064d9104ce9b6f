// Finds tokens and keys in a text by their shapes, with the line of each. A finding is never shown with its secret.

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

export function findSecrets(text: string): readonly FoundSecret[] {
  const starts = lineStarts(text)
  return findShapes(text)
    .toSorted((one, other) => one.at - other.at)
    .map((found) => ({ name: found.name, text: found.text, line: lineAt(starts, found.at) }))
}

/** Returns the secrets in the text that no old text contains. A secret that was already published is not a new leak. */
export function findNewSecrets(text: string, before: readonly string[]): readonly FoundSecret[] {
  const known = new Set(before.flatMap((old) => findSecrets(old).map((secret) => secret.text)))
  return findSecrets(text).filter((one) => !known.has(one.text) && !before.some((old) => old.includes(one.text)))
}
