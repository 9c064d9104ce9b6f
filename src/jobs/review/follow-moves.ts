// Pairs the files that a change moved: by content and name, and where that leaves files over, by what git finds similar.

import { findMoves } from '../../checks/moves.ts'
import type { SiteTree } from '../../sites/tree.ts'
import type { Edit, Oid, Repository } from '../../git/types.ts'

type Source = Pick<Repository, 'commit' | 'changedFiles'>
type Before = { readonly commit: Oid; readonly tree: SiteTree }
/** The files of a commit with edits. */
type After = Before & { readonly edits?: readonly Edit[] }

/** Returns the new path of each file that was moved. */
export async function followMoves(
  source: Source,
  before: Before,
  { commit, edits = [], tree }: After,
): Promise<ReadonlyMap<string, string>> {
  const [old, now] = [before.tree.entries(), tree.entries()]
  const moves = findMoves(old, now)
  const [oldPaths, nowPaths] = [pathsOf(old), pathsOf(now)]
  const gone = oldPaths.difference(nowPaths).difference(moves)
  const added = nowPaths.difference(oldPaths).difference(new Set(moves.values()))
  if (gone.size === 0 || added.size === 0) return moves
  const head = await source.commit({ parent: commit, edits, message: 'Draft', date: new Date(0) })
  for (const { path, previousPath } of await source.changedFiles(before.commit, head)) {
    if (previousPath !== null && gone.has(previousPath) && added.has(path)) moves.set(previousPath, path)
  }
  return moves
}

function pathsOf(files: ReturnType<SiteTree['entries']>): Set<string> {
  return new Set(files.map(({ path }) => path))
}
