// A base of which only the names of the files and a few texts are known, because it was sent or copied to a thread.

import type { TreeEntry } from '../../../git/types.ts'
import type { JudgedBase } from '../judge-edits.ts'

export type GivenBase = {
  readonly paths: readonly string[]
  /** The entries of the judged paths, which may be links. */
  readonly entries: readonly TreeEntry[]
  /** The texts of judged paths before the change. */
  readonly texts: ReadonlyMap<string, string>
}

/** Searching it finds nothing: what only other files of the base have counts as new. */
export function toGivenTree({ paths, entries, texts }: GivenBase): JudgedBase {
  const all = new Map<string, TreeEntry>()
  for (const path of [...paths, ...texts.keys()]) {
    all.set(path, { path, kind: 'file', size: 0, mode: '100644', oid: '' })
  }
  for (const entry of entries) all.set(entry.path, entry)
  const list = [...all.values()]
  const encoder = new TextEncoder()
  return {
    entries: () => list,
    entry: (path) => all.get(path),
    read: (path) => {
      const text = texts.get(path)
      return Promise.resolve(text === undefined ? undefined : encoder.encode(text))
    },
    search: () => Promise.resolve({ matches: [], truncated: false }),
  }
}
