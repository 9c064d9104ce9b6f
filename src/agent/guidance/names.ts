// Writes names from a repository so that nobody takes them for words of the service: on one line, of limited length, in
// quotes unless they are plain. Pure.

import { showInvisible } from '../../docs-syntax/text.ts'
import { shorten } from '../../lib/plain-text.ts'

const longest = 80
const plain = /^[\p{L}\p{N}_@.+~()[\]/-]+$/u

export function showName(name: string): string {
  const shown = showInvisible(shorten(name, longest))
  return plain.test(name) ? shown : JSON.stringify(shown)
}

/** Words of people, such as the subject of a commit: always in quotes. */
export function showText(text: string, most = longest): string {
  return JSON.stringify(showInvisible(shorten(text, most)))
}

/** Joins the first names; says how many more there are. */
export function listNames(names: readonly string[], most: number): string {
  const more = names.length > most ? [`${names.length - most} more`] : []
  return [...names.slice(0, most).map(showName), ...more].join(', ')
}

/** Does the same with counts, in their order. */
export function listCounts(counts: readonly (readonly [name: string, count: number])[], most: number): string {
  const more = counts.length > most ? [`${counts.length - most} more`] : []
  return [...counts.slice(0, most).map(([name, count]) => `${showName(name)} ${count}`), ...more].join(', ')
}
