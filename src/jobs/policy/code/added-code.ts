// Compares two versions of a script and lists the code that only the new version has. Data (strings, numbers, lists,
// objects, navigation entries) does not count as code. Pure, and evaluates nothing.

import { parseScript } from '../../../docs-syntax/script/script.ts'
import { lineAt, lineStarts } from '../../../docs-syntax/text.ts'
import type { SiteConfig } from '../site-code.ts'
import { readCode } from './read-code.ts'

export type AddedCode = {
  /** Counted from 1, in the new text; null for the file as a whole. */
  readonly line: number | null
  /** The object of the verb "adds", such as ``a call of `require` ``. */
  readonly what: string
}

/** `before` is undefined for a new file. */
export function findAddedCode(config: SiteConfig, before: string | undefined, after: string): readonly AddedCode[] {
  const { language, namesModules } = config
  if (language === 'data' || before === after) return []
  const script = language === 'unknown' ? undefined : parseScript(after, language)
  if (!script || language === 'unknown') return [{ line: null, what: 'something that cannot be read as data' }]
  const oldScript = before === undefined ? undefined : parseScript(before, language)
  const left = new Map<string, number>()
  for (const { key } of oldScript ? readCode(oldScript, namesModules) : []) left.set(key, (left.get(key) ?? 0) + 1)
  const starts = lineStarts(after)
  return readCode(script, namesModules).flatMap(({ key, start, what }) => {
    const rest = left.get(key) ?? 0
    left.set(key, rest - 1)
    return rest > 0 ? [] : [{ line: lineAt(starts, start), what }]
  })
}
