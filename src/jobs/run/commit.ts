// Creates one commit for the run, by plumbing. The same run on the same head always gives the same commit.

import type { Oid } from '../../git/types.ts'
import { type LeasedRun, writeAsRun } from '../queue/lease.ts'
import { loadCoAuthors } from './co-authors.ts'
import { reach, type RunPart, setPhase } from './context.ts'
import { publicationOfRun } from './publication.ts'
import type { Checked } from './check.ts'

export type Committed = Checked & {
  /** Null when the run changed nothing. */
  readonly commit: Oid | null
}

export async function commit(
  context: LeasedRun & RunPart<'job' | 'modelId' | 'project' | 'repository', 'git' | 'reached'>,
  edited: Checked,
): Promise<Committed> {
  const { run, repository } = context
  await setPhase(context, 'publishing')
  if (run.commit_id !== null && (await repository.has(run.commit_id))) return { ...edited, commit: run.commit_id }
  const { branch, finish } = edited
  const coAuthors = await loadCoAuthors(context.db, run.id)
  const { author, message } = publicationOfRun(context, { branch, finish, coAuthors })
  const made = await repository.commit({
    parent: edited.start,
    edits: edited.edits,
    message,
    date: run.created_at,
    author,
  })
  if (made === edited.start) return { ...edited, commit: null }
  await reach(context, 'committed')
  await saveCommit(context, made, edited.expectedHead)
  return { ...edited, commit: made }
}

/** Stores the commit, and the head that its push expects, before it is pushed. */
export async function saveCommit(context: LeasedRun, commit: Oid, expectedHead: Oid | null): Promise<void> {
  await writeAsRun(context, async (trx, run) => {
    const set = { commit_id: commit, expected_head: expectedHead }
    await trx.updateTable('runs').set(set).where('id', '=', run.id).execute()
  })
}
