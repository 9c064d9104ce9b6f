// A glob that names files one by one: its last segment is a literal name, or has one `*`. It counts from the root, and
// never reaches into folders that it does not name, so that a person who writes it knows what it matches.

import { createGlobMatcher } from './glob.ts'

const maxLength = 500

/** Explains why the glob may match more than the files that it names; null when it does not. */
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

/** Tells whether a path fits one of the globs. Globs with a problem match nothing. */
export function createFileGlobMatcher(globs: readonly string[]): (path: string) => boolean {
  return createGlobMatcher(globs.filter((glob) => fileGlobProblem(glob) === null).map(withoutRoot))
}

function withoutRoot(glob: string): string {
  return glob.trim().replace(/^\.?\//, '')
}
