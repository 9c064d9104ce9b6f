// The branch of a job against its base, for the agent: what earlier runs published and the edits of this run. The edits are
// committed to a draft that no ref names.

import type { Branch } from '../../agent/workspace.ts'
import type { Repository } from '../../git/types.ts'
import type { Overlay } from '../../git/write/overlay.ts'
import type { Prepared } from './prepare.ts'

type Source = {
  readonly repository: Pick<Repository, 'commit' | 'diffFiles' | 'mergeBase' | 'tree'>
  readonly signal: AbortSignal
}

export function createBranch(
  { repository, signal }: Source,
  { base, start }: Pick<Prepared, 'base' | 'start'>,
  overlay: Pick<Overlay, 'edits'>,
): Branch {
  const from = async () => (await repository.mergeBase(base.commit, start, signal)) ?? base.commit
  return {
    base: from,
    files: async () => {
      const edits = overlay.edits()
      const to = await repository.commit({ parent: start, edits, message: 'Draft', date: new Date(0) })
      return await repository.diffFiles(await from(), to)
    },
    read: async (path) => await (await repository.tree(await from())).read(path),
  }
}
