// Restores the invariant that every active job has a waiting run or a run with a live lease, after processes died.
// Sweeps run at the start and every minute; they also delete and archive old records.

import { sql } from 'kysely'
import type { HostOf } from '../../forge/hosted.ts'
import type { Git } from '../../git/types.ts'
import type { Clock, ReadUpkeepTime } from '../../lib/clock.ts'
import { createPause, type Pause } from '../../postgres/pause.ts'
import type { Log } from '../../lib/observability/log.ts'
import { sweepIdempotency } from '../../requests/idempotency.ts'
import { sweepLimits } from '../../requests/rate-limits.ts'
import { sweepExpired } from '../../postgres/expiry.ts'
import type { Db, Postgres } from '../../postgres/types.ts'
import type { RunDeps } from '../run/context.ts'
import { archiveIdleJobs } from '../archive.ts'
import { forgetMentions } from '../comments/note.ts'
import { pollIssues } from '../comments/poll-issues.ts'
import { deleteBranches } from './delete-branches.ts'
import { pollPulls } from './poll-pulls.ts'
import { sweepHunks } from '../appends/published-hunks.ts'
import { sweepPins } from '../sources/sweep-pins.ts'
import { sweepMirrors } from './sweep-mirrors.ts'
import { freeLostRuns } from '../queue/claims.ts'
import { eraseTranscripts } from '../transcript/erase.ts'
import { notifyOfWaiting } from '../notify/pull.ts'
import { sweepNotifications } from '../../notifications/deliveries/queue.ts'
import { addRun, lockOpenRun } from '../queue/runs.ts'
import { lockJob } from '../store.ts'

export type SweepOptions = {
  readonly db: Db
  readonly tidy?: Postgres['tidy']
  readonly git: Git
  readonly clock: Clock
  readonly hostOf: HostOf
  readonly explainRefusal: RunDeps['explainRefusal']
  readonly redactor: RunDeps['redactor']
  readonly modelId: string
  readonly publicUrl: string | undefined
  /** Decides the age of idle jobs and old records. */
  readonly upkeepTime: ReadUpkeepTime
  /** Merges Docent's own pull requests whose automations want that. */
  readonly mergeOwnPulls: (signal: AbortSignal) => Promise<void>
  /** Checks the rest of sites after runs that checked a part. */
  readonly finishChecks: (signal: AbortSignal) => Promise<void>
  /** Acts on the comments of forges that call Docent, and answers them. */
  readonly handleComments: (signal: AbortSignal) => Promise<void>
  readonly log: Log
  readonly archiveAfterDays: number
  readonly leaseSeconds: number
  readonly readsPerHour: number
  /** Between two searches for pull requests that are due; `pollsChannel` wakes it. */
  readonly polling: Pause
  readonly signal: AbortSignal
}

const sweepingMs = 60_000
/** The interval between searches for pull requests that are due for a check. */
const pollingMs = 10_000
/** The interval between searches for checks that a run has left. */
const finishingMs = 5_000
/** The interval between searches for comments that were read. */
const handlingMs = 5_000
/** The interval between cleanings of the embedded database. */
const tidyingMs = 3_600_000
const dayMs = 24 * 3_600_000
/** No list of a forge shows a comment as a new one after so many days. */
const forgetAfterDays = 90

/** Sweeps until the signal is aborted; several processes may sweep at once. Logs a failed sweep and tries again. */
export async function keepSweeping(options: SweepOptions): Promise<void> {
  const freeingMs = (options.leaseSeconds * 1_000) / 3
  const handling = createPause()
  const poll: Sweep = async (given) => {
    await runEach(given.log, [() => pollPulls(given), () => pollIssues(given)])
    handling.wake()
  }
  await Promise.all([
    repeat(options, freeingMs, free),
    repeat(options, sweepingMs, sweep),
    repeat(options, sweepingMs, ({ db, git, log }) =>
      runEach(log, [() => sweepMirrors(db, git), () => sweepPins(db, git)]),
    ),
    repeat(options, pollingMs, poll, options.polling),
    repeat(options, pollingMs, (given) => given.mergeOwnPulls(given.signal)),
    repeat(options, sweepingMs, deleteBranches),
    repeat(options, finishingMs, (given) => given.finishChecks(given.signal)),
    repeat(options, handlingMs, (given) => given.handleComments(given.signal), handling),
    repeat(options, tidyingMs, async ({ tidy, signal }) => tidy?.(signal)),
  ])
}

type Sweep = (options: SweepOptions) => Promise<void>

async function repeat(options: SweepOptions, everyMs: number, work: Sweep, pause = createPause()): Promise<void> {
  while (!options.signal.aborted) {
    await work(options).catch((error: unknown) => options.log.error({ err: error }, 'the sweep failed'))
    await pause.wait(options.clock, everyMs, options.signal)
  }
}

/** Frees the runs of workers that died. */
async function free({ db, log }: SweepOptions): Promise<void> {
  const freed = await freeLostRuns(db)
  if (freed > 0) log.warn({ freed }, 'runs of a worker that died were freed')
}

export async function sweep({
  db,
  log,
  archiveAfterDays,
  upkeepTime,
}: Pick<SweepOptions, 'db' | 'log' | 'archiveAfterDays' | 'upkeepTime'>): Promise<void> {
  await runEach(log, [
    async () => {
      const added = await addMissingRuns(db)
      if (added > 0) log.error({ added }, 'active jobs had no run')
    },
  ])
  const now = await upkeepTime()
  if (!now) return
  await runEach(log, [
    () => notifyOfWaiting(db, now),
    () => sweepNotifications(db, now),
    () => archiveIdleJobs(db, new Date(now.getTime() - archiveAfterDays * dayMs)),
    () => eraseTranscripts(db, now),
    () => forgetMentions(db, new Date(now.getTime() - forgetAfterDays * dayMs)),
    () => sweepHunks(db, now),
    () => sweepIdempotency(db, now),
    () => sweepLimits(db, now),
    () => sweepExpired(db, now),
  ])
}

/** One after another: a part that fails keeps no other one from its work. */
async function runEach(log: Pick<Log, 'error'>, parts: readonly (() => Promise<unknown>)[]): Promise<void> {
  for (const part of parts) {
    await part().catch((error: unknown) => log.error({ err: error }, 'a part of the sweep failed'))
  }
}

/** Checks each job again under its lock: another process may be adding its run at this moment. */
async function addMissingRuns(db: Db): Promise<number> {
  const { rows } = await sql<{ id: string }>`/* jobs.stranded */ select id from jobs where status = 'active'
    and not exists (select 1 from runs where runs.job_id = jobs.id and state <> 'ended')`.execute(db)
  let added = 0
  for (const { id } of rows) if (await addMissingRun(db, id)) added += 1
  return added
}

function addMissingRun(db: Db, jobId: string): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const job = await lockJob(trx, jobId)
    if (job.status !== 'active' || (await lockOpenRun(trx, jobId)) !== undefined) return false
    await addRun(trx, jobId)
    return true
  })
}
