// The queue: runs are rows, claimed under a lease. A claim raises the fence; every later write of a run names its
// fence, so that a worker that lost its lease (a stopped process, a long pause) writes nothing any more.
//
//   waiting ─claim─► running ─finish─► ended
//      ▲               │
//      └──hand back, retry, lease ran out──┘

import { sql } from 'kysely'
import { Failure } from '../../lib/failure.ts'
import type { RunRow } from '../../postgres/schema.ts'
import type { Db, Trx } from '../../postgres/types.ts'

/** A run that this process holds: what every write of it must name. */
export type Lease = {
  readonly runId: string
  readonly jobId: string
  readonly fence: number
  /** Heartbeats come three times in it; a dead worker's run is free after it. */
  readonly seconds: number
}

/** Claims without a stored turn, after which the run is given up. */
export const maxAttempts = 5

/**
 * Takes the run that waits longest, or undefined. Counts an attempt. Skips what another worker is just taking.
 * `started_at` moves by the time in which nobody had the run: downtime does not use up its budget.
 */
export async function claimRun(db: Db, owner: string, leaseSeconds: number): Promise<RunRow | undefined> {
  const { rows } = await sql<RunRow>`/* runs.claim */
    update runs set state = 'running', owner = ${owner}, fence = fence + 1, attempts = attempts + 1,
      lease_until = now() + make_interval(secs => ${leaseSeconds}),
      started_at = coalesce(started_at + greatest(interval '0', now() - available_at), now())
    where id = (
      select id from runs where state = 'waiting' and available_at <= now()
      order by available_at limit 1 for update skip locked
    ) returning *`.execute(db)
  return rows[0]
}

/** Keeps the lease. False: it is lost, and whoever held it must stop. */
export async function renewLease(db: Db, lease: Lease): Promise<boolean> {
  const { rows } = await sql`/* runs.renew */
    update runs set lease_until = now() + make_interval(secs => ${lease.seconds})
    where id = ${lease.runId} and fence = ${lease.fence} and state = 'running' returning 1`.execute(db)
  return rows.length > 0
}

/** Locks the run inside a transaction and throws `LeaseLost` when it is no longer this lease's. */
export async function holdLease(trx: Trx, lease: Lease): Promise<RunRow> {
  const row = await trx
    .selectFrom('runs')
    .selectAll()
    .where('id', '=', lease.runId)
    .where('fence', '=', lease.fence)
    .where('state', '=', 'running')
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw new LeaseLost(lease.runId)
  return row
}

/** Somebody else has the run now: stop quietly, write nothing. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost'
  constructor(runId: string) {
    super(`the lease of ${runId} is lost`)
  }
}

/** Frees runs whose lease ran out; with `owner`, all that another owner holds (when no other can be alive). */
export async function freeLostRuns(db: Db, soleOwner?: string): Promise<number> {
  const { rows } = await sql`/* runs.free */
    update runs set state = 'waiting', owner = null, lease_until = null, available_at = least(now(), lease_until)
    where state = 'running' and (lease_until < now() or (${soleOwner ?? null}::text is not null and owner <> ${soleOwner ?? ''}))
    returning 1`.execute(db)
  return rows.length
}

/** Throws `attempts_exhausted` for a run that was claimed too often without progress. */
export function refuseExhausted(run: RunRow): void {
  if (run.attempts <= maxAttempts) return
  throw new Failure('attempts_exhausted', `The run was started ${maxAttempts} times and stored nothing.`)
}
