// Decides from the end of a run what its commits do next. Pure.
//
//   a pull request, a question ──► they stay in the run
//   nobody answers the question ─► rejected if a person archived the job, set aside if the service did, for its age
//   no change ───────────────────► skipped, with the words of the model
//   cancelled by a person ───────► set aside
//   failed, not because of them ─► they wait, longer after each failure
//   failed ──────────────────────► they wait: the same ones again, then half of them, down to one, which is set aside

import type { Archiver } from '../../jobs/job.ts'
import type { PositionRow } from '../../postgres/schema/automations.ts'
import type { RunEnd } from '../runs/states.ts'

/** `state`: of all commits of the run. `count`: how many it was given. */
export type Consequence = {
  readonly state: 'in_run' | 'skipped' | 'set_aside' | 'waiting' | 'rejected'
  readonly reason: string | null
  readonly position: Pick<PositionRow, 'away' | 'take'>
  /** How long no commit is taken. */
  readonly pauseMs: number
}

/** The job of a run that asked was archived without an answer. */
export type Unanswered = { readonly kind: 'unanswered'; readonly archivedBy: Archiver | null }

/** A run may end so because of what it was given. Otherwise something is not there that every run needs. */
const ownCodes: ReadonlySet<string> = new Set([
  'attempts_exhausted',
  'branch_conflict',
  'budget_exceeded',
  'checks_failed',
  'context_exceeded',
  'internal',
  'model_refused',
  'policy_refused',
])

/** `code`: with which a run failed. Undefined: it did not fail. */
export const isOwnFailure = (code: string | undefined) => code !== undefined && ownCodes.has(code)
/** Something was missing that every run needs. */
export const isAway = (code: string | undefined) => code !== undefined && code !== 'cancelled' && !ownCodes.has(code)

const minute = 60_000
const day = 24 * 60 * minute
const fresh = { away: 0, take: null }

/** `isSecond`: the run before, with the same commits, failed because of them. */
export function consequenceOf(
  ended: RunEnd | Unanswered,
  count: number,
  { away, take, isSecond }: Consequence['position'] & { readonly isSecond: boolean },
): Consequence {
  if (ended.kind === 'unanswered') {
    // Other runs have begun since.
    return { ...outcomeOf(ended), position: { away, take }, pauseMs: 0 }
  }
  if (ended.kind === 'no_changes') {
    const reason = ended.said ?? 'The model found nothing to change.'
    return { state: 'skipped', reason, position: fresh, pauseMs: 0 }
  }
  if (ended.kind !== 'failed') return { state: 'in_run', reason: null, position: fresh, pauseMs: 0 }
  if (ended.code === 'cancelled') {
    return { state: 'set_aside', reason: 'A person cancelled the run.', position: fresh, pauseMs: 0 }
  }
  if (isAway(ended.code)) {
    const pauseMs = Math.min(15 * minute * 2 ** Math.min(away, 10), day)
    return { state: 'waiting', reason: null, position: { away: away + 1, take }, pauseMs }
  }
  if (!isSecond) {
    return { state: 'waiting', reason: null, position: { away: 0, take: count }, pauseMs: 5 * minute }
  }
  if (count <= 1) {
    return { state: 'set_aside', reason: `Two runs failed: ${ended.message}`, position: fresh, pauseMs: 0 }
  }
  const half = { away: 0, take: Math.ceil(count / 2) }
  return { state: 'waiting', reason: null, position: half, pauseMs: minute }
}

function outcomeOf({ archivedBy }: Unanswered): Pick<Consequence, 'state' | 'reason'> {
  if (archivedBy === 'person') {
    return { state: 'rejected', reason: 'A person archived the job instead of answering its question.' }
  }
  return { state: 'set_aside', reason: 'Nobody answered the question of its job, which was archived for its age.' }
}
