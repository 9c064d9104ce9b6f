// Finds characters that readers do not see: those that reverse a text or hold a hidden one anywhere, and every other one in
// code, which somebody copies.

import { deceptiveCharacters, nameOfCharacter } from '../../../../lib/plain-text.ts'
import type { IsCode } from '../html/tags.ts'
import { squash, type Sign } from '../sign.ts'
import type { Content } from './kinds.ts'

/** In a text, these are usual and change nothing: soft hyphens, joiners, marks of direction, selectors left by an emoji. */
const usual = /^[\p{Cc}\p{Zl}\p{Zp}\u00ad\u061c\u200b-\u200f\u2060\ufeff]$|^\u034f$|^\ufe0e$|^\ufe0f$/u

export function mayHaveInvisible(text: string): boolean {
  return text.search(deceptiveCharacters) >= 0
}

/** One for each run of such characters. */
export function findInvisible({ text, kind }: Content, isCode: IsCode): readonly Sign[] {
  if (kind === 'data' || kind === 'style') return []
  const found: Sign[] = []
  let end = -1
  for (const { 0: character, index } of text.matchAll(deceptiveCharacters)) {
    if (usual.test(character) && !isCode(index)) continue
    const line = text.slice(Math.max(0, index - 40), index + 40)
    const what = `a character that readers do not see (${nameOfCharacter(character)})`
    if (index !== end) found.push({ kind: 'code', key: `invisible ${squash(line)}`, what, start: index })
    end = index + character.length
  }
  return found
}
