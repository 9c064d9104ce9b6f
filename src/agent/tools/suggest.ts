// Suggests paths for one that does not exist.

import { posix } from 'node:path'
import { showPath } from './result.ts'
import type { Files } from '../workspace.ts'

const maxSuggestions = 5

/** Returns ` Did you mean …?`, or an empty text. */
export async function suggestPaths(files: Pick<Files, 'list'>, path: string): Promise<string> {
  const wanted = stem(path)
  if (wanted === '') return ''
  const all = (await files.list()).filter((entry) => entry.kind === 'file')
  const scored = all.map((entry) => ({ path: entry.path, score: score(path, wanted, entry.path) }))
  const best = scored.filter((each) => each.score > 0).toSorted((a, b) => b.score - a.score)
  const named = best.slice(0, maxSuggestions).map((each) => showPath(each.path))
  return named.length === 0 ? '' : ` Did you mean ${named.join(', ')}?`
}

function score(path: string, wanted: string, candidate: string): number {
  if (candidate.startsWith(`${path}/`)) return 1
  if (candidate.toLowerCase() === path.toLowerCase()) return 5
  if (candidate.endsWith(`/${path}`)) return 4
  const have = stem(candidate)
  const sameFolder = posix.dirname(candidate) === posix.dirname(path) ? 1 : 0
  if (have === wanted) return 3 + sameFolder
  return sameFolder === 1 && (have.includes(wanted) || wanted.includes(have)) ? 2 : 0
}

function stem(path: string): string {
  return posix.parse(path).name.toLowerCase()
}
