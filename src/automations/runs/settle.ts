// Sees that runs have ended, stores what follows from it for the commits that they were given, and begins the runs that waited for
// them. A run that is seen twice changes nothing: its row says that it was settled.

import { sql } from 'kysely'
import type { AddJobContext } from '../../jobs/create.ts'
import type { Log } from '../../lib/observability/log.ts'
import type { Db, Trx } from '../../postgres/types.ts'
import { isFollowing, triggerOf } from '../automation.ts'
import { lockForAutomations } from '../automations.ts'
import { lockRow } from '../lock-row.ts'
import type { AutomationRow } from '../../postgres/schema/automations.ts'
import type { Unanswered } from '../positions/ended.ts'
import { settleCommits, takeUpAgain, waitAgain } from '../positions/settle-commits.ts'
import { findOpen } from './open.ts'
import { hasEnded, readStates } from './states.ts'
import { beginRun, isPaused } from './start.ts'

export type SettleOptions = AddJobContext & {
  readonly db: Db
  readonly log: Pick<Log, 'error'>
  readonly signal: AbortSignal
}

const batch = 200

/** Throws only errors of the database. */
export async function settleRuns(options: SettleOptions): Promise<void> {
  const { db, log, signal } = options
  for (const one of await findChanged(db)) {
    if (signal.aborted) return
    await db
      .transaction()
      .execute((trx) => settleAutomation(trx, options, one))
      .catch((error: unknown) =>
        log.error({ err: error, automationId: one.id }, 'runs of an automation were not settled'),
      )
  }
}

/** A job whose last run failed keeps the outcome of the run before. */
const asksStill = sql<boolean>`(jobs.outcome is not distinct from 'needs_input' and jobs.error_code is null)`

/**
 * The question of the run `r` has an answer, or a later run of the automation has continued its job: then the present question of the job
 * is that of another run.
 */
const isClosed = sql<boolean>`(jobs.status <> 'active' and not ${asksStill} or jobs.status in ('completed', 'failed') and exists (
  select from automation_runs later join messages taken on taken.id = later.message_id
  where later.automation_id = r.automation_id and later.ordinal > r.ordinal and taken.job_id = r.job_id
    and taken.run_id is not null))`

type Changed = { readonly id: string; readonly projectId: string }

/** With a run whose message no active run of its job has, or with one that waits for nothing else. */
async function findChanged(db: Db): Promise<readonly Changed[]> {
  const { rows } = await sql<Changed>`/* automations.changed */ select a.id, a.project_id as "projectId"
    from automations a where id in (
      select r.automation_id from automation_runs r where r.settled_at is null and case when r.job_id is null
        then (a.trigger::jsonb) ->> 'type' not in ('docs', 'code') and not exists (select from automation_runs other
          where other.automation_id = r.automation_id and other.settled_at is null and other.job_id is not null)
        else not exists (select from jobs j left join messages m on m.id = r.message_id left join runs on runs.id = m.run_id
          where j.id = r.job_id and j.status = 'active' and (m.run_id is null or runs.state <> 'ended')) end
      union all select r.automation_id from automation_runs r join jobs on jobs.id = r.job_id
        where r.has_question and (${isClosed} or jobs.status = 'archived' and exists (select from automation_commits c where c.run_id = r.id and c.state = 'in_run')))
    limit ${batch}`.execute(db)
  return rows
}

async function settleAutomation(trx: Trx, options: SettleOptions, { id, projectId }: Changed): Promise<void> {
  const project = await lockForAutomations(trx, projectId)
  const automation = await lockRow(trx, id)
  if (!automation) return
  const now = options.clock.now()
  await settleAnswered(trx, automation, now)
  const [row, ...others] = await findOpen(trx, automation, now)
  // The commits of a branch are judged first.
  if (!row || row.job_id !== null || others.length > 0 || isFollowing(triggerOf(automation))) return
  if (automation.enabled) await beginRun(trx, options, { automation, project, row, now })
  else await endPaused(trx, row.id, now)
}

/**
 * Only an answer decides what became of the commits of a run that asked, or the archive. A job that the service archived may still be
 * answered. If another run of the automation continued the job instead, nobody will answer, and the commits wait for a run again.
 */
async function settleAnswered(trx: Trx, automation: AutomationRow, now: Date): Promise<void> {
  const asking = await trx
    .selectFrom('automation_runs as r')
    .innerJoin('jobs', 'jobs.id', 'r.job_id')
    .selectAll('r')
    .select(['jobs.status', 'jobs.archived_by', asksStill.as('asks')])
    .where('automation_id', '=', automation.id)
    .where('has_question', '=', true)
    .where(sql<boolean>`(${isClosed} or jobs.status = 'archived')`)
    .execute()
  const states = await readStates(
    trx,
    asking.map(({ id }) => id),
  )
  for (const { status, archived_by: archivedBy, asks, ...run } of asking) {
    const state = states.get(run.id)
    if (state === undefined || !hasEnded(state)) continue
    const isAnswered = state.kind !== 'needs_input'
    const unanswered: Unanswered = { kind: 'unanswered', archivedBy }
    if (isAnswered) await takeUpAgain(trx, automation, run.id)
    if (isAnswered || (asks && status === 'archived')) {
      await settleCommits(trx, { automation, run, ended: isAnswered ? state : unanswered, now })
    } else await waitAgain(trx, automation, run, now)
    if (!isAnswered && asks && archivedBy === 'service') continue
    await trx.updateTable('automation_runs').set({ has_question: false }).where('id', '=', run.id).execute()
  }
}

async function endPaused(trx: Trx, id: string, now: Date): Promise<void> {
  const set = { ended_as: 'skipped', reason: isPaused, settled_at: now } as const
  await trx.updateTable('automation_runs').set(set).where('id', '=', id).execute()
}
