// Decides without a thread that a text has nothing to judge. Says so of most short texts, and only if it is certain.

import type { Sign, SignKind } from '../sign.ts'
import { createSpend, TextTooCostly } from '../spend.ts'
import type { Content } from './kinds.ts'
import { scanText } from './scan.ts'

/** Longer texts are read in a thread, because reading them here would delay everything else. */
const mostCharacters = 10_000
/** Only the parsers and the readers of templates find these: modules, expressions, blocks that run, invisible characters. */
const mayRun =
  /^(?:import|export)\b|[{<\u00ad\u180e\u200b\u202a-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]|^[ \t>]*(?:```|~~~)[^\n]*\s\w|`r /mu

export function mayHaveSigns(content: Content, kinds: readonly SignKind[]): boolean {
  const { text, kind } = content
  if (text.length > mostCharacters || !['mdx', 'markdown', 'html', 'style', 'data'].includes(kind)) return true
  if (
    (kinds.includes('code') || kinds.includes('import')) &&
    kind !== 'style' &&
    kind !== 'data' &&
    mayRun.test(text)
  ) {
    return true
  }
  return scan(content).some((sign) => kinds.includes(sign.kind))
}

function scan(content: Content): readonly Sign[] {
  try {
    return scanText(content, () => false, createSpend(content.text, 0))
  } catch (error) {
    if (!(error instanceof TextTooCostly)) throw error
    return [{ kind: 'refused', key: '', what: '', start: 0 }]
  }
}
