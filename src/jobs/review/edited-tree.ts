// The files of a commit with the edits of a run, as a check reads them.

import type { SiteTree, TreeFile } from '../../checks/tree.ts'
import type { Edit, Tree } from '../../git/types.ts'
import { blobId } from '../../git/write/blob-id.ts'
import { Failure } from '../../lib/failure.ts'

/** An unchanged file keeps its id, so what was read of it before is known. */
export function openEditedTree(tree: Tree, edits: readonly Edit[] = []): SiteTree {
  const edited = new Map(edits.map((edit) => [edit.path, edit]))
  const kept = tree.entries().filter(({ path, kind }) => kind !== 'unnameable' && !edited.has(path))
  const changed = edits.flatMap(({ path, content }): TreeFile[] =>
    content === null ? [] : [{ path, kind: 'file', size: content.length, oid: blobId(content, tree.commit) }],
  )
  const entries: readonly TreeFile[] = [...kept, ...changed]
  return {
    entries: () => entries,
    read: async (path) => {
      const edit = edited.get(path)
      return edit ? (edit.content ?? undefined) : await readFile(tree, path)
    },
  }
}

/** Links, submodules and files over the limit have no content. */
async function readFile(tree: Tree, path: string): Promise<Uint8Array | undefined> {
  return await tree.read(path).catch((error: unknown) => {
    if (error instanceof Failure && error.code === 'path_refused') return undefined
    throw error
  })
}
