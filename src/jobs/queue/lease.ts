// Keeps the lease of a claimed run; all writes of a run go through it. A write locks the parent of the run, then the
// run, and checks the fence, so a worker that lost its lease writes nothing. Knows nothing of jobs but their row: the
// caller passes `lockFirst`.

import type { Clock } from '../../lib/clock.ts'
import type { JobRow, RunRow } from '../../postgres/schema.ts'
import type { Db, Trx } from '../../postgres/types.ts'
import { DatabaseAway } from '../../postgres/unavailable.ts'

/** Every write of a run names its fence. */
export type Lease = {
  readonly runId: string
  readonly fence: number
  /** Renewed three times in this time; after it, the run of a dead worker is free. */
  readonly seconds: number
}

/** Locks the job of a run before the run is locked, and returns it. Throws `LeaseLost` when the job is gone. */
export type LockFirst = (trx: Trx, run: RunRow) => Promise<JobRow>

/** A run that this process holds. */
export type LeasedRun = {
  /** The row at the time of the claim. */
  readonly run: RunRow
  readonly lease: Lease
  readonly db: Db
  readonly clock: Clock
  readonly lockFirst: LockFirst
  /** Aborted when the lease is lost or the service stops: everything that waits must end. */
  readonly signal: AbortSignal
}

/** Another worker has the run now, or it was ended elsewhere. The holder stops quietly and writes nothing. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost'
  constructor(runId: string) {
    super(`the lease of ${runId} is lost`)
  }
}

type RunWork<T> = (trx: Trx, run: RunRow, job: JobRow) => Promise<T>

/** Runs `work` in a transaction with the current rows of run and job, both locked. Throws `LeaseLost`; nothing was written then. */
export function writeAsRun<T>({ db, lockFirst, run, lease }: LeasedRun, work: RunWork<T>): Promise<T> {
  return db.transaction().execute(async (trx) => {
    const job = await lockFirst(trx, run)
    return work(trx, await holdLease(trx, lease), job)
  })
}

const pauseMs = 500

/** Retries while the database is unavailable, until the signal of the run is aborted. `work` may run twice. */
export function writePatiently<T>(leased: LeasedRun, work: RunWork<T>): Promise<T> {
  return patiently(leased, () => writeAsRun(leased, work))
}

/** Like `writePatiently`, for a write that needs no lease. */
export async function patiently<T>({ signal, clock }: LeasedRun, write: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await write()
    } catch (error) {
      if (signal.aborted || !(error instanceof DatabaseAway)) throw error
      await clock.sleep(pauseMs, signal)
    }
  }
}

/** Locks the run in a transaction. Throws `LeaseLost` when another claim holds the run, or when it is not running. */
async function holdLease(trx: Trx, lease: Lease): Promise<RunRow> {
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
