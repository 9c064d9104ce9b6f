// The files of a commit with the edits of a run, as a check reads them.

import type { SiteTree, TreeFile } from '../../sites/tree.ts'
import type { Edit, Tree } from '../../git/types.ts'
import { contentOf } from '../../git/read/content.ts'
import { blobId } from '../../git/write/blob-id.ts'
import { comparePaths } from '../../git/write/path.ts'

/** An unchanged file keeps its id, so what was read of it before is known. */
export function openEditedTree(tree: Pick<Tree, 'commit' | 'entries' | 'read'>, edits: readonly Edit[] = []): SiteTree {
  const edited = new Map(edits.map((edit) => [edit.path, edit]))
  const toFile = ({ path, content }: Edit): TreeFile[] =>
    content === null ? [] : [{ path, kind: 'file', size: content.length, oid: blobId(content, tree.commit) }]
  const old = tree.entries().filter(({ kind }) => kind !== 'unnameable')
  const present = new Set(old.map(({ path }) => path))
  const kept = old.flatMap((entry): readonly TreeFile[] => {
    const edit = edited.get(entry.path)
    return edit ? toFile(edit) : [entry]
  })
  const added = edits.filter(({ path }) => !present.has(path)).flatMap(toFile)
  // In the order of a commit: some rules name the first one of several pages.
  const entries = added.length === 0 ? kept : [...kept, ...added].toSorted((a, b) => comparePaths(a.path, b.path))
  return {
    entries: () => entries,
    read: async (path) => {
      const edit = edited.get(path)
      return edit ? (edit.content ?? undefined) : await contentOf(tree, path)
    },
  }
}
