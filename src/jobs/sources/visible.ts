// Which files of a source may be seen: those under the paths that the project names, and no file that looks like a secret.
// The path is judged at each commit, so a file that is not readable now was not readable earlier either.

import { LRUCache } from 'lru-cache'
import { createGlobMatcher, toGlobs } from '../../docs-syntax/glob.ts'
import type { IsVisible } from '../../git/types.ts'
import { isSecretPath } from '../../lib/outbound/secret-paths.ts'

const made = new LRUCache<string, IsVisible>({ max: 1_000 })

/** `paths`: globs as the project has them; empty: all files. The same paths have the same function: git keeps what it lists. */
export function createIsVisible(paths: readonly string[]): IsVisible {
  const key = JSON.stringify(paths)
  const known = made.get(key)
  if (known) return known
  const isNamed = paths.length === 0 ? () => true : createGlobMatcher(paths.flatMap(toGlobs))
  const isVisible: IsVisible = (path) => isNamed(path) && !isSecretPath(path)
  made.set(key, isVisible)
  return isVisible
}
