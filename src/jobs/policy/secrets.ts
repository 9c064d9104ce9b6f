// Finds tokens and keys in a text. Placeholders of documentation (`ghp_xxxx…`, `AKIAIOSFODNN7EXAMPLE`) are not found.
// A finding never contains the secret.

import { lineAt, lineStarts } from '../../docs-syntax/text.ts'
import { secretShapes } from './secret-shapes.ts'

export type FoundSecret = {
  /** A noun phrase, such as `a token of GitHub`. */
  readonly name: string
  /** Counted from 1. */
  readonly line: number
  /** The secret itself, for comparison. Never shown. */
  readonly text: string
}

export function findSecrets(text: string): readonly FoundSecret[] {
  const found = new Map<number, FoundSecret>()
  const starts = lineStarts(text)
  for (const { name, pattern, isValid = looksRandom } of secretShapes) {
    for (const match of text.matchAll(pattern)) {
      if (found.has(match.index) || !isValid(match[0])) continue
      found.set(match.index, { name, text: match[0], line: lineAt(starts, match.index) })
    }
  }
  return [...found].toSorted(([a], [b]) => a - b).map(([, one]) => one)
}

/** Returns the secrets in the text that no old text contains. A secret that was already published is not a new leak. */
export function findNewSecrets(text: string, before: readonly string[]): readonly FoundSecret[] {
  const known = new Set(before.flatMap((old) => findSecrets(old).map((secret) => secret.text)))
  return findSecrets(text).filter((one) => !known.has(one.text) && !before.some((old) => old.includes(one.text)))
}

const placeholder =
  /example|sample|placeholder|redacted|changeme|change_me|your|dummy|secret_?key|insert|replace|foobar|abcdef|123456|fedcba|654321|(.)\1{5}|(.{2,4})\2{3}/i
/** The part that differs from token to token is at the end, after the last separator or prefix. */
const bodyLength = 36
/** 36 random hexadecimal digits have at least 9 different ones in all but one of a million cases. */
const leastDifferent = 9

/** A real token is random: it has no words of placeholders, no long runs, and many different characters. */
function looksRandom(text: string): boolean {
  if (placeholder.test(text)) return false
  const body = text.slice(-bodyLength)
  return new Set(body).size >= Math.min(leastDifferent, Math.ceil(body.length / 2))
}
