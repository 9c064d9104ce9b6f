// Publishes the change of a run: pushes its commit and proposes it. People act meanwhile, so the forge is asked for the
// pull request before the push, after it, and with the proposal. If it has ended by then, `leave.ts` says what becomes of
// the change:
//
//   look ─► push ─► look ─► check what is on the branch ─► propose ─► done
//    │        │       │                                       │
//    └────────┴───────┴── merged, closed, branch deleted ─────┘
//                            ├─ it has the commit ──► done
//                            ├─ merged ─────────────► the rest of the change, on a new branch: from the start
//                            └─ closed ─────────────► a question: nothing is published

import { Failure } from '../../../lib/failure.ts'
import type { Committed } from '../commit.ts'
import { type RunContext, step } from '../context.ts'
import type { Ended } from '../ends/record.ts'
import { propose } from '../propose.ts'
import { dropTemporaryRef } from '../publish.ts'
import { push } from '../push.ts'
import { reviewPublished } from '../review/review-published.ts'
import { followBase } from './base.ts'
import { leavePull } from './leave.ts'
import { type Left, lookAtPull, refuseEnded } from './look.ts'

/** How often people may merge what a run has just opened. */
const mostBranches = 3

/** Throws `branch_conflict`, and the failures of the repository and the forge. */
export async function publishChange(context: RunContext, first: Committed): Promise<Ended> {
  const ended = await publishAnywhere(context, first).catch(async (error: unknown) => {
    if (error instanceof Failure && !error.mayRetry) await dropLeftRef(context).catch(() => undefined)
    throw error
  })
  await dropLeftRef(context)
  return ended
}

/** An earlier attempt of this run may have pushed its objects, and the pull request ended before the next one. */
async function dropLeftRef(context: RunContext): Promise<void> {
  const { deps, project, run, signal } = context
  if (run.commit_id === null) return
  if ((await deps.hostOf(project.id, signal))?.commits) await dropTemporaryRef(context)
}

async function publishAnywhere(context: RunContext, first: Committed): Promise<Ended> {
  let committed = first
  for (let branches = 0; branches < mostBranches; branches += 1) {
    const tried = await publishOnce(context, committed)
    if (tried.kind === 'done') return tried.ended
    const left = await leavePull(context, tried.committed, tried)
    if (left.kind === 'done') return left.ended
    committed = left.committed
  }
  throw new Failure('branch_conflict', 'Each pull request of this run was merged before the run had ended.')
}

type Tried = { readonly kind: 'done'; readonly ended: Ended } | (Left & { readonly committed: Committed })

async function publishOnce(context: RunContext, given: Committed): Promise<Tried> {
  const before = await lookAtPull(context, given)
  const ended = refuseEnded(before)
  if (ended) return { ...ended, committed: given }
  const pushed = await step(context, 'push', 'pushed', () => push(context, given, before !== undefined))
  if (pushed === 'branch gone') {
    const pull = (await lookAtPull(context, given)) ?? before
    if (!pull) throw new Failure('branch_conflict', `The branch ${given.branch} was deleted while this ran.`)
    return { kind: 'left', pull, committed: given }
  }
  const after = before && (await lookAtPull(context, pushed))
  const late = refuseEnded(after)
  if (late) return { ...late, committed: pushed }
  const followed = after ? await followBase(context, pushed, after) : pushed
  const reviewed = await reviewPublished(context, followed, followed.base !== pushed.base)
  const proposed = await step(context, 'propose', 'proposed', () => propose(context, reviewed))
  return 'finish' in proposed ? { kind: 'done', ended: proposed } : { ...proposed, committed: reviewed }
}
