// Lists what a commit of a source consists of, without looking at the contents of files, most of which are not here; and
// finds out which of them are.

import { git, type Mirror } from '../cache/mirror.ts'
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

/** The sizes in bytes of those objects that are in the mirror. */
export async function sizesOf(mirror: Mirror, oids: readonly Oid[]): Promise<ReadonlyMap<Oid, number>> {
  if (oids.length === 0) return new Map()
  const format = '%(objectname) %(objectsize)'
  const input = oids.map((oid) => `${oid}\n`).join('')
  const output = await git(mirror, { args: ['cat-file', `--batch-check=${format}`], input, maxBytes: 1e9 })
  const lines = output.toString('latin1').split('\n')
  return new Map(
    lines.flatMap((line) => {
      const [oid = '', size = 'missing'] = line.split(' ')
      return oid === '' || size === 'missing' ? [] : [[oid, Number(size)] as const]
    }),
  )
}

export async function missingOf(mirror: Mirror, oids: readonly Oid[]): Promise<readonly Oid[]> {
  const all = [...new Set(oids)]
  const sizes = await sizesOf(mirror, all)
  return all.filter((oid) => !sizes.has(oid))
}
