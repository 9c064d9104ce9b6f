// Changes of runs inside the transactions of a feature: add one, lock the open one, note progress, end it.
// The caller has locked the job first.

import { sql } from 'kysely'
import { createId } from '../../lib/id.ts'
import { notified } from '../../postgres/notify.ts'
import type { RunRow } from '../../postgres/schema.ts'
import type { Trx } from '../../postgres/types.ts'

/** Workers listen here for waiting runs. */
export const runsChannel = 'docent_runs'

/** Workers listen here for runs that were ended elsewhere; the payload is the run's id. */
export const endedRunsChannel = 'docent_cancelled'

/** Adds a waiting run after the job's earlier ones, and wakes the workers. */
export async function addRun(trx: Trx, jobId: string): Promise<void> {
  await trx
    .insertInto('runs')
    .values({
      id: createId('run'),
      job_id: jobId,
      number: sql<number>`(select coalesce(max(number), 0) + 1 from runs where job_id = ${jobId})`,
      state: 'waiting',
      available_at: sql<Date>`now()`,
      created_at: new Date(),
    })
    .returning(notified(runsChannel))
    .execute()
}

/**
 * Locks the job's waiting or running run and returns its id. A concurrent claim either finishes first, or finds no
 * waiting run.
 */
export async function lockOpenRun(trx: Trx, jobId: string): Promise<string | undefined> {
  const run = await trx
    .selectFrom('runs')
    .select('id')
    .where('job_id', '=', jobId)
    .where('state', '<>', 'ended')
    .forUpdate()
    .executeTakeFirst()
  return run?.id
}

/** Resets the attempts and the waits: the run has stored progress that need not be repeated. `run` is its current row. */
export async function noteProgress(trx: Trx, run: RunRow): Promise<void> {
  if (run.attempts === 0 && run.waiting_since === null && run.waits === 0) return
  await trx.updateTable('runs').set({ attempts: 0, waiting_since: null, waits: 0 }).where('id', '=', run.id).execute()
}

/** `outcome`: how it ended; null: it failed. */
export async function endRun(trx: Trx, runId: string, outcome: RunRow['outcome'] = null): Promise<void> {
  await trx
    .updateTable('runs')
    .set({ state: 'ended', owner: null, lease_until: null, ended_at: new Date(), outcome })
    .where('id', '=', runId)
    .execute()
}
