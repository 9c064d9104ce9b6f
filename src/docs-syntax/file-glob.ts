// A restricted glob: its last segment is a file name with at most one `*`. It is relative to the root and does not match
// in folders that it does not name, so its author can see which files it matches.

import { createGlobMatcher } from './glob.ts'

const maxLength = 500

/** Returns the reason why the glob is not allowed; null if it is. */
export function fileGlobProblem(glob: string): string | null {
  const plain = withoutRoot(glob)
  const segments = plain.split('/')
  if (glob.length > maxLength) return `has more than ${maxLength} characters`
  if (glob.includes('**')) return 'has a `**`; name the folders'
  if (/[?[\]{}\\]/.test(glob)) return 'may only have the wildcard `*`'
  if (segments.includes('') || segments.includes('.') || segments.includes('..')) {
    return 'must end with the name of a file, and have no empty part and no `.` or `..`'
  }
  if ((segments.at(-1) ?? '').split('*').length > 2) return 'may have one `*` in its last part'
  return null
}

/** Returns a function that reports whether a path matches one of the globs. Globs with a problem match nothing. */
export function createFileGlobMatcher(globs: readonly string[]): (path: string) => boolean {
  return createGlobMatcher(globs.filter((glob) => fileGlobProblem(glob) === null).map(withoutRoot))
}

function withoutRoot(glob: string): string {
  return glob.trim().replace(/^\.?\//, '')
}
