// Stores what the end of a run means for its commits.

import type { AutomationRow, AutomationRunRow } from '../../postgres/schema/automations.ts'
import type { Trx } from '../../postgres/types.ts'
import { triggerOf } from '../automation.ts'
import { readStates, type RunEnd } from '../runs/states.ts'
import { consequenceOf, isAway, isOwnFailure, type Unanswered } from './ended.ts'
import { isTakenAtOnce } from './store.ts'

type SettledRun = {
  readonly automation: AutomationRow
  readonly run: AutomationRunRow
  readonly ended: RunEnd | Unanswered
  readonly now: Date
}

/** Does nothing for a run without commits. The caller holds the lock of the automation. */
export async function settleCommits(trx: Trx, { automation, run, ended, now }: SettledRun): Promise<void> {
  const position = await trx
    .selectFrom('automation_positions')
    .selectAll()
    .where('automation_id', '=', automation.id)
    .forUpdate()
    .executeTakeFirst()
  if (!position) return
  const given = await trx
    .selectFrom('automation_commits')
    .select('commit')
    .where('automation_id', '=', automation.id)
    .where('run_id', '=', run.id)
    .where('state', '=', 'in_run')
    .execute()
  if (given.length > 0) {
    const isSecond = ended.kind === 'failed' && (await failedBefore(trx, run))
    const { state, reason, position: next, pauseMs } = consequenceOf(ended, given.length, { ...position, isSecond })
    // Another run takes those that wait.
    const change = state === 'waiting' ? { state, run_id: null } : { state, reason, decided_at: now }
    await trx
      .updateTable('automation_commits')
      .set(change)
      .where('automation_id', '=', automation.id)
      .where('run_id', '=', run.id)
      .where('state', '=', 'in_run')
      .execute()
    const isPart = state === 'waiting' || position.take !== null
    const takeAfter = isPart ? new Date(now.getTime() + pauseMs) : position.take_after
    await trx
      .updateTable('automation_positions')
      .set({ ...next, take_after: takeAfter })
      .where('automation_id', '=', automation.id)
      .execute()
  }
  await planTaking(trx, automation, now, isTakenAtOnce(triggerOf(automation)))
}

/** Runs in a row that failed for want of something that every run needs. */
const mostAway = 50

/** Whether the run before that had these commits failed because of them. Those that failed for want of something else don't count. */
async function failedBefore(trx: Trx, { automation_id: id, ordinal, ranges }: AutomationRunRow): Promise<boolean> {
  const before = await trx
    .selectFrom('automation_runs')
    .select(['id', 'ranges'])
    .where('automation_id', '=', id)
    .where('ordinal', '<', ordinal)
    .where('job_id', 'is not', null)
    .orderBy('ordinal', 'desc')
    .limit(mostAway)
    .execute()
  const others = before.findIndex((one) => one.ranges !== ranges)
  const same = others === -1 ? before : before.slice(0, others)
  const states = await readStates(
    trx,
    same.map((one) => one.id),
  )
  const codes = same.map((one) => {
    const state = states.get(one.id)
    return state?.kind === 'failed' ? state.code : undefined
  })
  return isOwnFailure(codes.find((code) => !isAway(code)))
}

/** The commits of a run wait for another one. The caller holds the lock of the automation. */
export async function waitAgain(trx: Trx, automation: AutomationRow, run: AutomationRunRow, now: Date): Promise<void> {
  await trx
    .updateTable('automation_commits')
    .set({ state: 'waiting', run_id: null })
    .where('automation_id', '=', automation.id)
    .where('run_id', '=', run.id)
    .where('state', '=', 'in_run')
    .execute()
  await planTaking(trx, automation, now, isTakenAtOnce(triggerOf(automation)))
}

/** Plans that the commits that wait are taken: at once, unless it is planned or `isAtOnce` is false. */
export async function planTaking(trx: Trx, { id }: AutomationRow, now: Date, isAtOnce: boolean): Promise<void> {
  const waiting = await trx
    .selectFrom('automation_commits')
    .select('commit')
    .where('automation_id', '=', id)
    .where('state', '=', 'waiting')
    .where('left_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  const query = trx.updateTable('automation_positions').where('automation_id', '=', id)
  if (waiting === undefined) await query.set({ take_after: null }).execute()
  else if (isAtOnce) await query.set({ take_after: now }).where('take_after', 'is', null).execute()
}

/** People answered a question late: its commits had been set aside. The caller settles them again. */
export async function takeUpAgain(trx: Trx, { id }: AutomationRow, runId: string): Promise<void> {
  await trx
    .updateTable('automation_commits')
    .set({ state: 'in_run', reason: null, decided_at: null })
    .where('automation_id', '=', id)
    .where('run_id', '=', runId)
    .where('state', '=', 'set_aside')
    .execute()
}
