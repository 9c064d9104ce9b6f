// Lists what a commit of a source consists of, without looking at the contents of files, most of which are not here.

import type { Mirror } from '../cache/mirror.ts'
import { isFolder, listEntries } from '../read/tree.ts'
import type { Oid, TreeEntry } from '../types.ts'
import { readCommit } from '../write/commit-object.ts'

export type Listing = {
  /** The tree of the whole commit. */
  readonly root: Oid
  /** The trees of folders by their paths. */
  readonly folders: ReadonlyMap<string, Oid>
  /** Sizes are 0. */
  readonly files: readonly TreeEntry[]
}

/** Throws `repository_too_large` when the commit has more files than the limit. */
export async function listCommit(mirror: Mirror, commit: Oid): Promise<Listing> {
  const { tree } = await readCommit(mirror, commit)
  const entries = await listEntries(mirror, commit, ['-t'])
  const folders = new Map(entries.filter(isFolder).map(({ path, oid }) => [path, oid]))
  return { root: tree, folders, files: entries.filter((entry) => !isFolder(entry)) }
}
