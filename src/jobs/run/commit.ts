// Creates one commit for the run, by plumbing. The same run on the same head always gives the same commit.

import type { Oid } from '../../git/types.ts'
import { Failure } from '../../lib/failure.ts'
import { type LeasedRun, writeAsRun } from '../queue/lease.ts'
import { loadCoAuthors } from './co-authors.ts'
import { reach, type RunContext, type RunPart, setPhase } from './context.ts'
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
  const parent = edited.expectedHead ?? edited.base.commit
  if (run.commit_id !== null && (await repository.has(run.commit_id))) {
    return { ...edited, commit: run.commit_id === parent ? null : run.commit_id }
  }
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
  // It was moved before this machine continued the run, and the same move gives the same commit.
  const moved = parent === edited.start ? made : await moveOnto(context, made, parent)
  await saveCommit(context, moved, edited.expectedHead)
  return { ...edited, commit: moved === parent ? null : moved }
}

/** Applies the change of the commit to another one. Throws `branch_conflict` with the files. */
export async function moveOnto({ repository }: Pick<RunContext, 'repository'>, commit: Oid, head: Oid): Promise<Oid> {
  const applied = await repository.transplant(commit, head)
  if (applied.kind === 'clean') return applied.commit
  const paths = applied.paths.slice(0, 20).join(', ')
  throw new Failure('branch_conflict', `The branch was changed by someone else in the same places: ${paths}.`)
}

/** Stores the commit, and the head that its push expects, before it is pushed. */
export async function saveCommit(context: LeasedRun, commit: Oid, expectedHead: Oid | null): Promise<void> {
  await writeAsRun(context, async (trx, run) => {
    const set = { commit_id: commit, expected_head: expectedHead }
    await trx.updateTable('runs').set(set).where('id', '=', run.id).execute()
  })
}
