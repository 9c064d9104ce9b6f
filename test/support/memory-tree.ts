// A commit's files in memory, for code that judges a change.

import { createGlobMatcher } from '../../src/docs-syntax/glob.ts'
import type { Tree, TreeEntry } from '../../src/git/types.ts'

type Files = Readonly<Record<string, string>>

export function memoryTree(files: Files): Omit<Tree, 'commit'> {
  const bytesOf = (path: string) => (files[path] === undefined ? undefined : new TextEncoder().encode(files[path]))
  const entry = (path: string): TreeEntry | undefined => {
    const bytes = bytesOf(path)
    return bytes && { path, kind: 'file', size: bytes.length, mode: '100644', oid: files[path] ?? '' }
  }
  const lines = () =>
    Object.entries(files).flatMap(([path, text]) =>
      text.split('\n').map((line, at) => ({ path, line: at + 1, text: line })),
    )
  return {
    entries: () => Object.keys(files).flatMap((path) => entry(path) ?? []),
    entry,
    read: (path) => Promise.resolve(bytesOf(path)),
    search: ({ pattern, syntax, globs }) => {
      const isSearched = globs.length === 0 ? () => true : createGlobMatcher(globs)
      // JavaScript does not know this class of POSIX.
      const regex = new RegExp(
        syntax === 'regex'
          ? pattern.replaceAll('[:alnum:]', 'a-z0-9')
          : pattern.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'),
        'i',
      )
      return Promise.resolve({
        matches: lines().filter(({ path, text }) => isSearched(path) && regex.test(text)),
        truncated: false,
      })
    },
  }
}
