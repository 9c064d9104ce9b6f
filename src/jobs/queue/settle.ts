// Settles a run whose work threw: back to waiting, or ended as failed. Decided and written in one transaction, with
// what the run's feature writes then (`settled`).

import { sql } from 'kysely'
import { Failure, toFailure } from '../../lib/failure.ts'
import type { RunSeen } from '../../lib/observability/metrics.ts'
import type { RunRow } from '../../postgres/schema.ts'
import type { Trx } from '../../postgres/types.ts'
import { DatabaseAway } from '../../postgres/unavailable.ts'
import { type LeasedRun, LeaseLost, writeAsRun } from './lease.ts'
import { waitForHost } from './patience.ts'
import { endRun, runsChannel } from './runs.ts'
import type { Settlement } from './settlement.ts'

/** Runs inside the transaction that ends the run or hands it back. */
export type Settled = (trx: Trx, run: RunRow, how: Settlement) => Promise<void>

/** Claims without progress before a run fails. */
export const maxAttempts = 5

/** The reason of an aborted signal when the run continues later, on this server or another. */
export class HandedBack extends Error {
  override readonly name = 'HandedBack'
}

/** Throws `LeaseLost`, and the errors of the database. */
export async function settle(leased: LeasedRun, error: unknown, settled: Settled): Promise<Settlement> {
  if (error instanceof LeaseLost) throw error
  return writeAsRun(leased, async (trx, run) => {
    const wait = await waitForHost(trx, run, error)
    const how = wait ?? toSettlement(error, run.attempts)
    if (how.kind === 'failed') await endRun(trx, run.id)
    else await handBack(trx, run.id, { ...how, counts: !wait && how.failure !== undefined })
    await settled(trx, run, how)
    return how
  })
}

/** Throws `attempts_exhausted` for a run that was claimed too often without progress. */
export function refuseExhausted(run: RunRow): void {
  if (run.attempts <= maxAttempts) return
  throw new Failure('attempts_exhausted', `The run was started ${maxAttempts} times and stored nothing.`)
}

/** For the metrics. */
export function toSeen(error: unknown, how: Settlement): RunSeen {
  if (how.kind === 'failed') return { outcome: 'failed', code: how.failure.code }
  if (how.failure) return { outcome: 'retried', code: how.failure.code }
  return error instanceof HandedBack
    ? { outcome: 'handed_back', code: 'none' }
    : { outcome: 'retried', code: 'unavailable' }
}

/** `attempts`: claims since the last progress, this one included; 0 when this one made progress. */
function toSettlement(error: unknown, attempts: number): Settlement {
  if (error instanceof HandedBack) return { kind: 'waits', delaySeconds: 0, failure: undefined }
  // An unavailable database says nothing about the run.
  if (error instanceof DatabaseAway) return { kind: 'waits', delaySeconds: 1, failure: undefined }
  const failure = toFailure(error)
  if (!failure.mayRetry || attempts >= maxAttempts) return { kind: 'failed', failure }
  return { kind: 'waits', delaySeconds: retryDelay(failure, Math.max(1, attempts)), failure }
}

const longestDelaySeconds = 3_600

/** For all but hosts that are away: 1, 2, 4 and 8 seconds; or the time that the failure names, doubled in the same way, up to an hour. */
function retryDelay({ retryAfter = 1 }: Failure, attempts: number): number {
  return Math.min(retryAfter * 2 ** (attempts - 1), Math.max(retryAfter, longestDelaySeconds))
}

/** `counts`: whether this claim counts as an attempt. */
type Waits = Extract<Settlement, { kind: 'waits' }> & { readonly counts: boolean }

/**
 * Returns the run to the queue, and wakes the workers. The delay does not count as time of the run: `claimRun` adds only the time after it.
 */
async function handBack(trx: Trx, runId: string, { delaySeconds, counts }: Waits): Promise<void> {
  await sql`/* runs.handBack */ update runs set state = 'waiting', owner = null, lease_until = null,
    attempts = greatest(0, attempts - ${counts ? 0 : 1}::integer),
    started_at = started_at + make_interval(secs => ${delaySeconds}),
    available_at = now() + make_interval(secs => ${delaySeconds}) where id = ${runId}
    returning pg_notify(${runsChannel}, '')`.execute(trx)
}
