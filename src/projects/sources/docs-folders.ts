// The folders at the top of a project's documentation, at its base.

import type { Git } from '../../git/types.ts'
import { Failure } from '../../lib/failure.ts'
import type { Db } from '../../postgres/types.ts'
import { readProjectOwner } from '../access/owners.ts'

export type DocsFoldersContext = { readonly db: Db; readonly git: Pick<Git, 'repository'> }

const deadlineMs = 20_000

/**
 * Fetches the documentation. Undefined if it cannot be read within 20 seconds. Throws `not_found`, and the reason of
 * `signal`.
 */
export async function readDocsFolders(
  { db, git }: DocsFoldersContext,
  projectId: string,
  signal: AbortSignal,
): Promise<ReadonlySet<string> | undefined> {
  const { repository, fork, branch } = await readProjectOwner(db, projectId)
  const deadline = AbortSignal.timeout(deadlineMs)
  try {
    const opened = git.repository(projectId, repository, fork)
    const { base } = await opened.fetch({ branch, branches: [] }, AbortSignal.any([signal, deadline]))
    const tree = await opened.tree(base.commit)
    const tops = tree.entries().flatMap(({ path, kind }) => {
      if (path.includes('/')) return path.slice(0, path.indexOf('/'))
      return kind === 'submodule' ? path : []
    })
    return new Set(tops)
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof Failure || deadline.aborted) return undefined
    throw error
  }
}
