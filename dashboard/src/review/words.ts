// The words about the checks of a change, and texts of a repository made short and plain. Pure.

import { visible } from '../diff/lines/segments.ts'
import { shorten } from '../../../src/lib/plain-text.ts'

/** A message may hold a line of a page, and a page may be one line. */
const mostCharacters = 300

export function plain(text: string): string {
  return visible(shorten(text, mostCharacters).toWellFormed())
}

const numbers = new Intl.NumberFormat('en')

/** `1 problem`, `1,200 problems`. */
export function count(value: number, one: string, many = `${one}s`): string {
  return `${numbers.format(value)} ${value === 1 ? one : many}`
}

/** The words that a page lost: `lost 42 % of its words (1,200 before, 700 now)`. */
export function wordsLost({ before, after }: { readonly before: number; readonly after: number }): string {
  const share = before === 0 ? 0 : Math.round((100 * (before - after)) / before)
  return `lost ${share} % of its words (${numbers.format(before)} before, ${numbers.format(after)} now)`
}
