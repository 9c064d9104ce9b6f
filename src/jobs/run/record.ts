// Step 8: the end of a run, in one transaction that locks the job: all of it is there, or nothing. With messages
// waiting, the job stays active and one new run takes them.

import { sql } from 'kysely'
import { type Failure, isJobFailureCode } from '../../lib/failure.ts'
import { plainText } from '../../lib/plain-text.ts'
import type { JobRow } from '../../postgres/schema.ts'
import { onRunCompleted } from '../job.ts'
import { type LeasedRun, tell, writeAsRun } from './context.ts'
import { addRun, countWaitingMessages, endRun, updateJob } from '../store.ts'
import { failJob, jobEnded } from '../fail-job.ts'
import { cut, eventLimits } from '../events/events.ts'
import type { Proposed } from './propose.ts'

export async function record(context: LeasedRun, proposed: Proposed): Promise<void> {
  await writeAsRun(context, async (trx, { job }) => {
    await endRun(trx, context.run.id, null)
    const effect = onRunCompleted(await countWaitingMessages(trx, job.id))
    const state = effect === 'completes' ? completed : next
    const after = await updateJob(trx, job.id, { ...state, ...describe(proposed) })
    const told = effect === 'completes' ? jobEnded(after, 'completed') : queued
    await tell(trx, context, { type: 'run_ended', error: null }, told)
    if (effect === 'starts the next run') await addRun(trx, job.id)
  })
}

/** Ends the run and its job as failed. What was edited stays stored; messages that wait go on waiting. */
export async function recordFailure(context: LeasedRun, failure: Failure): Promise<void> {
  const code = isJobFailureCode(failure.code) ? failure.code : 'internal'
  await writeAsRun(context, async (trx, { job }) => {
    await endRun(trx, context.run.id, code)
    const error = { code, message: plainText(failure.message) }
    const { events } = await failJob(trx, job.id, error)
    await tell(trx, context, ...events)
  })
}

/**
 * Back to waiting, for this or another worker. After a failure the attempt counts as one without progress. The delay
 * is no time of the run: `claimRun` adds what comes after it.
 */
export async function handBack(
  context: LeasedRun,
  how: { readonly delaySeconds: number; readonly failure: Failure | undefined },
): Promise<void> {
  await writeAsRun(context, async (trx, { job, run }) => {
    await sql`/* runs.handBack */ update runs set state = 'waiting', owner = null, lease_until = null,
      attempts = greatest(0, attempts - ${how.failure ? 0 : 1}::integer),
      started_at = started_at + make_interval(secs => ${how.delaySeconds}),
      available_at = now() + make_interval(secs => ${how.delaySeconds}) where id = ${run.id}`.execute(trx)
    await updateJob(trx, job.id, { phase: 'queued' })
    await tell(trx, context, ...(how.failure ? [retried(how.failure, how.delaySeconds)] : []), queued)
  })
}

const completed = { status: 'completed', phase: null } as const
const next = { phase: 'queued' } as const
const queued = { type: 'phase', phase: 'queued' } as const

function retried({ code, message }: Failure, waitSeconds: number) {
  return { type: 'run_retried', code, message: cut(plainText(message), eventLimits.message), waitSeconds } as const
}

function describe({ change }: Proposed): Partial<JobRow> {
  if (!change) {
    return { outcome: 'no_changes', pr_link: null, base_commit: null, head_commit: null }
  }
  return {
    outcome: 'pull_request',
    pull_number: change.pull.number,
    pr_link: change.pull.link,
    base_commit: change.baseCommit,
    head_commit: change.headCommit,
  }
}
