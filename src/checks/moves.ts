// Pairs the files that a change moved, so that an old problem of a moved page does not count as new.

import { posix } from 'node:path'
import type { TreeFile } from '../sites/tree.ts'

/**
 * Returns the new path of each file that was moved: a file with the same content, or the only new one with the same name.
 */
export function findMoves(before: readonly TreeFile[], after: readonly TreeFile[]): Map<string, string> {
  const old = new Set(before.map(({ path }) => path))
  const present = new Set(after.map(({ path }) => path))
  const gone = before.filter(({ path, kind }) => kind === 'file' && !present.has(path))
  const added = after.filter(({ path, kind }) => kind === 'file' && !old.has(path))
  const byContent = Map.groupBy(added, ({ oid }) => oid)
  const byName = Map.groupBy(added, ({ path }) => posix.basename(path))
  const moves = new Map<string, string>()
  for (const { path, oid } of gone) {
    const named = byName.get(posix.basename(path)) ?? []
    const same = byContent.get(oid)?.shift() ?? (named.length === 1 ? named[0] : undefined)
    if (same) moves.set(path, same.path)
  }
  return moves
}
