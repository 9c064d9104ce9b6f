// Pushes to the job's branch if the head is still the expected one, never by force. If a person moved the head, the
// run's change is applied to the new head, and that one commit is pushed instead.

import type { Oid } from '../../git/types.ts'
import { Failure } from '../../lib/failure.ts'
import { reach, type RunContext } from './context.ts'
import { type Committed, saveCommit } from './commit.ts'

export type Pushed = Committed & {
  /** The head of the job's branch; null when there is no branch. */
  readonly head: Oid | null
}

/** The limit on heads that a person pushes meanwhile; beyond it the run fails with `branch_conflict`. */
const maxMoves = 5

export async function push(context: RunContext, committed: Committed): Promise<Pushed> {
  if (committed.commit === null) return { ...committed, head: committed.expectedHead }
  let commit = committed.commit
  let expected = committed.expectedHead
  for (let move = 0; move <= maxMoves; move += 1) {
    const wanted = { branch: committed.branch, commit, expected }
    const pushed = await context.repository.push(wanted, context.signal)
    if (pushed.kind === 'pushed') return { ...committed, commit, head: commit }
    expected = pushed.head
    if (expected !== null) commit = await moveOnto(context, commit, expected)
    if (commit === expected) return { ...committed, commit: null, head: expected }
    await saveCommit(context, commit, expected)
    await reach(context, 'commit stored')
  }
  throw new Failure('branch_conflict', `The branch ${committed.branch} moves faster than it can be pushed to.`)
}

async function moveOnto({ repository }: RunContext, commit: Oid, head: Oid): Promise<Oid> {
  const applied = await repository.transplant(commit, head)
  if (applied.kind === 'clean') return applied.commit
  const paths = applied.paths.slice(0, 20).join(', ')
  throw new Failure('branch_conflict', `The branch was changed by someone else in the same places: ${paths}.`)
}
