// Finds characters that readers do not see: those that reverse a text or hold a hidden one anywhere, and empty ones in
// code, which somebody copies.

import { nameOfCharacter } from '../../../../lib/plain-text.ts'
import type { IsCode } from '../html/tags.ts'
import { squash, type Sign } from '../sign.ts'
import type { Content } from './kinds.ts'

/** Marks of direction for a part of a text, and tags except in the flags of regions. */
const deceiving = /[\u202a-\u202e\u2066-\u2069]|(?<![\u{1f3f4}\u{e0000}-\u{e007f}])[\u{e0000}-\u{e007f}]+/gu
const empty = /[\u00ad\u180e\u200b\u2060-\u2064\ufeff]/g

export function findInvisible({ text, kind }: Content, isCode: IsCode): readonly Sign[] {
  if (kind === 'data' || kind === 'style') return []
  const inCode = Array.from(text.matchAll(empty)).filter(({ index }) => isCode(index))
  return [...text.matchAll(deceiving), ...inCode].map(({ 0: character, index }): Sign => {
    const line = text.slice(Math.max(0, index - 40), index + 40)
    return {
      kind: 'code',
      key: `invisible ${squash(line)}`,
      what: `a character that readers do not see (${nameOfCharacter(character)})`,
      start: index,
    }
  })
}
