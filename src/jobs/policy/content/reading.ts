// The parts of a text that a reviewer must know about. The process needs this, but not the parsers that the threads load.

import type { Range } from '../../../docs-syntax/text.ts'
import type { Content } from './read/kinds.ts'
import type { Sign } from './sign.ts'

export type Reading = {
  /** Where readers see code. */
  readonly code: readonly Range[]
  /** In the order of the text. */
  readonly signs: readonly Sign[]
}

/** The same text is the same sign, and any other text is a new one. */
export function unreadable({ text }: Content): Reading {
  const what = 'more addresses and attributes than can be read'
  return { code: [], signs: [{ kind: 'refused', key: `unread ${text}`, what, start: 0 }] }
}
