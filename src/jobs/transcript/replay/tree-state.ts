// Compares the workspace of a replay with the digests that a transcript has of the files after each turn.

import { createHash } from 'node:crypto'
import type { Overlay } from '../../../git/write/overlay.ts'
import type { Edit, Tree } from '../../../git/types.ts'
import type { FileDigest } from '../response.ts'
import type { TreeDifference } from './report.ts'

type State = Pick<FileDigest, 'sha256' | 'mode'>
type Changed = Pick<TreeDifference, 'path' | 'stored' | 'replayed'>

export type TreeComparison = {
  /** Takes the digests of one turn. Returns the files that differ now, and did not before. */
  compare(edits: readonly FileDigest[], overlay: Pick<Overlay, 'edits'>): Promise<readonly Changed[]>
}

export function compareWith(base: Tree): TreeComparison {
  const stored = new Map<string, State>()
  const known = new Set<string>()
  return {
    compare: async (edits, overlay) => {
      for (const { path, sha256, mode } of edits) stored.set(path, { sha256, mode })
      const replayed = new Map(overlay.edits().map((edit) => [edit.path, edit]))
      const found: Changed[] = []
      for (const path of new Set([...stored.keys(), ...replayed.keys()])) {
        if (known.has(path)) continue
        const edit = replayed.get(path)
        const is = edit ? toState(edit) : await stateIn(base, path)
        const was = stored.get(path) ?? (await stateIn(base, path))
        if (isSame(was, is)) continue
        known.add(path)
        found.push({ path, stored: was.sha256, replayed: is.sha256 })
      }
      return found
    },
  }
}

export function digest(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}

function toState({ content, mode }: Edit): State {
  return { sha256: content === null ? null : digest(content), mode }
}

async function stateIn(base: Tree, path: string): Promise<State> {
  const content = await base.read(path)
  const mode = base.entry(path)?.mode === '100755' ? '100755' : '100644'
  return { sha256: content === undefined ? null : digest(content), mode }
}

/** The mode of a file that is deleted means nothing. */
function isSame(one: State, other: State): boolean {
  return one.sha256 === other.sha256 && (one.sha256 === null || one.mode === other.mode)
}
