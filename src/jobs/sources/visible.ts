// Which files of a source may be seen: those under the paths that the project names, and no file that looks like a secret.
// The path is judged at each commit, so a file that is not readable now was not readable earlier either.

import { createGlobMatcher, toGlobs } from '../../docs-syntax/glob.ts'
import { isSecretPath } from '../../lib/outbound/secret-paths.ts'

/** `paths`: globs as the project has them; empty: all files. */
export function createIsVisible(paths: readonly string[]): (path: string) => boolean {
  const isNamed = paths.length === 0 ? () => true : createGlobMatcher(paths.flatMap(toGlobs))
  return (path) => isNamed(path) && !isSecretPath(path)
}
