// Decides without a thread that a text has nothing to judge. Says so of most short texts, and only if it is certain.

import type { Sign, SignKind } from '../sign.ts'
import { createSpend, TextTooCostly } from '../spend.ts'
import { mayHaveInvisible } from './invisible.ts'
import type { Content } from './kinds.ts'
import { scanText } from './scan.ts'

/** Longer texts are read in a thread, because reading them here would delay everything else. */
const mostCharacters = 10_000
/** Only the parsers and the readers of templates find these: modules, expressions, blocks that run. */
const mayRun = /^(?:import|export)\b|[{<]|^[ \t>]*(?:```|~~~)[^\n]*\s\w|`r |&[#lr]/m

export function mayHaveSigns(content: Content, kinds: readonly SignKind[]): boolean {
  const { text, kind } = content
  if (text.length > mostCharacters || !['mdx', 'markdown', 'html', 'style', 'data'].includes(kind)) return true
  if (
    (kinds.includes('code') || kinds.includes('import')) &&
    kind !== 'style' &&
    kind !== 'data' &&
    (mayRun.test(text) || mayHaveInvisible(text))
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
