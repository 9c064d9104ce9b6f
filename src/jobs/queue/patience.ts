// Waits for a model's provider or a forge that is away: the run goes back to the queue, where it holds no worker, for about
// as long as the host has been away already. Waits do not count as attempts, so that a run outlasts half an hour of them.

import { sql } from 'kysely'
import { Failure, type FailureCode } from '../../lib/failure.ts'
import type { RunRow } from '../../postgres/schema.ts'
import type { Trx } from '../../postgres/types.ts'
import type { Settlement } from './settlement.ts'

/** A git host is tried five times instead: its address may be wrong, and people want to know that soon. */
const waitedFor: ReadonlySet<FailureCode> = new Set(['model_unavailable', 'forge_unavailable'])

/** A run gives up after both: this time since the first failure without progress, and this many tries. */
const patienceSeconds = 1_800
const leastWaits = 5

const longestWaitSeconds = 180

/**
 * Returns the wait for a host that is away, or the end of the run after too many; undefined for other errors. Notes the
 * wait, which a stored response of the model resets.
 */
export async function waitForHost(trx: Trx, run: RunRow, error: unknown): Promise<Settlement | undefined> {
  if (!(error instanceof Failure) || !waitedFor.has(error.code) || !error.mayRetry) return undefined
  const { rows } = await sql<{ waits: number; away: number }>`/* runs.wait */
    update runs set waits = waits + 1, waiting_since = coalesce(waiting_since, now()) where id = ${run.id}
    returning waits, extract(epoch from now() - waiting_since)::double precision as away`.execute(trx)
  const { waits = 1, away = 0 } = rows[0] ?? {}
  if (away >= patienceSeconds && waits >= leastWaits) return { kind: 'failed', failure: giveUp(error, waits, away) }
  const delaySeconds = Math.max(error.retryAfter ?? 0, Math.min(Math.max(1, Math.round(away)), longestWaitSeconds))
  return { kind: 'waits', delaySeconds, failure: error }
}

function giveUp({ code, message }: Failure, waits: number, away: number): Failure {
  return new Failure(code, `${message} The run tried ${waits} times in ${Math.round(away / 60)} minutes.`)
}
