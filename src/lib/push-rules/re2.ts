// Matches patterns of others in linear time: RE2's syntax, which GitHub, GitLab and Go use for rules. Nothing else may compile
// a pattern that comes from a host. Loaded when the first one is needed.

import { startOf } from '../plain-text.ts'

export type Matcher = (text: string) => boolean

const maxPatternCharacters = 1_000
const maxTextCharacters = 10_000

/** Undefined: it is no pattern of RE2, or too long. `isMultiline`: `^` and `$` match at each line. */
export async function compilePattern(pattern: string, { isMultiline = false } = {}): Promise<Matcher | undefined> {
  if (pattern.length > maxPatternCharacters) return undefined
  const { RE2JS } = await import('re2js')
  try {
    const compiled = RE2JS.compile(pattern, isMultiline ? RE2JS.MULTILINE : 0)
    return (text) => compiled.matcher(startOf(text, maxTextCharacters)).find()
  } catch {
    return undefined
  }
}
