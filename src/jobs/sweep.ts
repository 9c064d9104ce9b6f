// What must hold although processes die: every active job has a waiting run or a run with a live lease. Looked after
// at the start and every minute, with the other things that time brings.

import { sql } from 'kysely'
import type { Clock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import { sweepIdempotency } from '../postgres/idempotency.ts'
import type { Db } from '../postgres/open.ts'
import { archiveIdleJobs } from './archive.ts'
import { freeLostRuns } from './runs.ts'
import { addRun } from './store.ts'

export type SweepOptions = {
  readonly db: Db
  readonly clock: Clock
  readonly log: Log
  readonly archiveAfterDays: number
  readonly signal: AbortSignal
}

const everyMs = 60_000

/** Sweeps until the signal is aborted; a sweep that fails is logged and tried again. */
export async function keepSweeping(options: SweepOptions): Promise<void> {
  while (!options.signal.aborted) {
    try {
      await sweep(options)
    } catch (error) {
      options.log.error({ err: error }, 'the sweep failed')
    }
    await options.clock.sleep(everyMs, options.signal)
  }
}

export async function sweep({ db, log, archiveAfterDays }: Omit<SweepOptions, 'clock' | 'signal'>): Promise<void> {
  const freed = await freeLostRuns(db)
  const mended = await addMissingRuns(db)
  if (freed + mended > 0) log.warn({ freed, mended }, 'runs were freed or added')
  await archiveIdleJobs(db, archiveAfterDays)
  await sweepIdempotency(db)
}

async function addMissingRuns(db: Db): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ id: string }>`/* jobs.stranded */ select id from jobs where status = 'active'
      and not exists (select 1 from runs where runs.job_id = jobs.id and state <> 'ended') for update`.execute(trx)
    for (const job of rows) await addRun(trx, job.id)
    return rows.length
  })
}
