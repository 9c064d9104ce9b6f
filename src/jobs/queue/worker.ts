// The worker: claims waiting runs and executes several at once, each under a lease that it keeps. A notification wakes it
// for each run that begins to wait. While runs wait, it also checks the queue every second: for those whose time comes, and
// for those of a project that has its share. Failures of runs end here. The caller defines the work of a run and the
// effects of its end.

import type { Clock } from '../../lib/clock.ts'
import { toFailure } from '../../lib/failure.ts'
import { createId } from '../../lib/id.ts'
import type { Log } from '../../lib/observability/log.ts'
import type { Metrics } from '../../lib/observability/metrics.ts'
import { span } from '../../lib/observability/trace.ts'
import { createPause } from '../../postgres/pause.ts'
import type { RunRow } from '../../postgres/schema.ts'
import type { Db } from '../../postgres/types.ts'
import { DatabaseAway } from '../../postgres/unavailable.ts'
import { claimRun, hasWaitingRun, renewLease } from './claims.ts'
import { type Lease, type LeasedRun, LeaseLost, type LockFirst } from './lease.ts'
import { HandedBack, refuseExhausted, settle, type Settled, toSeen } from './settle.ts'

export type WorkerOptions = {
  readonly db: Db
  readonly clock: Clock
  readonly log: Log
  readonly metrics: Pick<Metrics, 'runEnded' | 'leaseLost'>
  /** Runs at the same time. One project has at most one less while another project could use the last. */
  readonly concurrency: number
  readonly leaseSeconds: number
  /** False while no run should begin. */
  readonly hasRoom?: () => boolean
  /** How long `stop` lets runs continue before it hands them back. */
  readonly graceMs: number
  /** Locks the parent of a run; called before each lock of the run. */
  readonly lockFirst: LockFirst
  /** Does the work of a run and ends it, or throws an error for `settle`. */
  readonly execute: (run: LeasedRun) => Promise<void>
  readonly settled: Settled
}

export interface Worker {
  readonly id: string
  /** Looks for waiting runs now. */
  wake(): void
  /** The run was ended elsewhere: abort it now. An empty id means that notifications were lost: check every run. */
  abandon(runId: string): void
  /**
   * Claims no more runs, hands back the runs that are not finished after the grace period, and resolves when all are
   * handed back.
   */
  stop(): Promise<void>
}

const pollMs = 1_000
/** While nothing waits. A look at the queue of the embedded database takes some milliseconds of CPU time. */
const idlePollMs = 15_000

export function startWorker(options: WorkerOptions, id = createId('wrk')): Worker {
  const closing = new AbortController()
  const stopping = new AbortController()
  const running = new Set<Promise<void>>()
  const held = new Set<Holding>()
  const pause = createPause(0)
  const start = (run: RunRow) => {
    const work = workOn(options, run, held, stopping.signal).finally(() => {
      running.delete(work)
      pause.wake()
    })
    running.add(work)
  }
  const looping = (async () => {
    while (!closing.signal.aborted) {
      const isEmpty = await claimAll(options, { id, running, start, closing: closing.signal })
      await pause.wait(options.clock, isEmpty ? idlePollMs : pollMs, closing.signal)
    }
  })()
  return {
    id,
    wake: pause.wake,
    abandon: (runId) => abandon(options, held, runId),
    stop: async () => {
      closing.abort()
      await looping
      const grace = new AbortController()
      const ended = Promise.all(running).finally(() => grace.abort())
      await options.clock.sleep(options.graceMs, grace.signal)
      stopping.abort(new HandedBack('the service stops'))
      await ended
    },
  }
}

type Claiming = {
  readonly id: string
  readonly running: ReadonlySet<unknown>
  readonly start: (run: RunRow) => void
  readonly closing: AbortSignal
}

/** Returns true when no run is left that waits. */
async function claimAll(options: WorkerOptions, claiming: Claiming): Promise<boolean> {
  const { db, log, concurrency, leaseSeconds, hasRoom = () => true } = options
  const share = Math.max(1, concurrency - 1)
  try {
    while (!claiming.closing.aborted && claiming.running.size < concurrency && hasRoom()) {
      const run = await claimRun(db, { owner: claiming.id, leaseSeconds, share })
      if (!run) return !(await hasWaitingRun(db))
      claiming.start(run)
    }
  } catch (error) {
    if (error instanceof DatabaseAway) log.warn('runs cannot be claimed: the database is not available')
    else log.error({ err: error }, 'runs could not be claimed')
  }
  return false
}

type Holding = { readonly lease: Lease; readonly lost: AbortController }

/** Executes one claimed run under its lease. Never throws. */
async function workOn(all: WorkerOptions, run: RunRow, held: Set<Holding>, stopping: AbortSignal): Promise<void> {
  const options = { ...all, log: all.log.child({ jobId: run.job_id, runId: run.id, attempt: run.attempts }) }
  const lease = { runId: run.id, fence: run.fence, seconds: options.leaseSeconds }
  const lost = new AbortController()
  const holding = { lease, lost }
  held.add(holding)
  const beating = keepLease(options, holding)
  const { db, clock, lockFirst } = options
  const leased = { run, lease, db, clock, lockFirst, signal: AbortSignal.any([lost.signal, stopping]) }
  try {
    await execute(options, leased).then(
      () => options.metrics.runEnded({ outcome: 'completed', code: 'none' }),
      (error: unknown) => settleWhenPossible(options, leased, error, stopping),
    )
  } catch (error) {
    if (error instanceof LeaseLost) await noteLoss(options, lease)
    else options.log.error({ err: error }, 'a run could not be settled; its lease will expire')
  } finally {
    held.delete(holding)
    lost.abort()
    await beating
  }
}

function execute(options: WorkerOptions, leased: LeasedRun): Promise<void> {
  const { run } = leased
  const names = { 'docent.job.id': run.job_id, 'docent.run.id': run.id, 'docent.run.attempt': run.attempts }
  return span('run', names, async () => {
    refuseExhausted(run)
    await options.execute(leased)
  })
}

const settlePauseMs = 500
const triesWhileStopping = 6

/** Retries while the database is unavailable: until the lease is lost, or a few times when the service stops. */
async function settleWhenPossible(
  options: WorkerOptions,
  leased: LeasedRun,
  error: unknown,
  stopping: AbortSignal,
): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      const how = await settle(leased, error, options.settled)
      const seen = toSeen(error, how)
      if (how.failure) options.log.warn({ err: error, code: seen.code }, words[how.kind])
      return options.metrics.runEnded(seen)
    } catch (problem) {
      if (!(problem instanceof DatabaseAway) || (stopping.aborted && tries > triesWhileStopping)) throw problem
      await options.clock.sleep(settlePauseMs)
    }
  }
}

const words = { waits: 'the run is tried again', failed: 'the run failed' } as const

/**
 * Logs the loss of a lease: quietly for a run that was ended elsewhere (cancelled), otherwise as a warning. Never
 * throws.
 */
async function noteLoss({ db, log, metrics }: WorkerOptions, { runId, fence }: Lease): Promise<void> {
  const find = db.selectFrom('runs').select(['state', 'fence', 'error_code']).where('id', '=', runId)
  const run = await find.executeTakeFirst().catch(() => undefined)
  if (run?.state === 'ended' && run.fence === fence) {
    metrics.runEnded({ outcome: 'failed', code: run.error_code ?? 'none' })
    log.info({ code: run.error_code }, 'the run was ended elsewhere')
    return
  }
  metrics.leaseLost()
  log.warn('the lease is lost: another worker has the run, or its project was deleted')
}

function abandon(options: WorkerOptions, held: ReadonlySet<Holding>, runId: string): void {
  for (const holding of held) {
    if (runId === '') void renew(options, holding)
    else if (holding.lease.runId === runId) holding.lost.abort(new LeaseLost(runId))
  }
}

/** Renews the lease three times in its length; aborts `lost` with `LeaseLost` when it is gone. */
async function keepLease(options: WorkerOptions, holding: Holding): Promise<void> {
  for (;;) {
    await options.clock.sleep((holding.lease.seconds * 1_000) / 3, holding.lost.signal)
    if (holding.lost.signal.aborted) return
    await renew(options, holding)
  }
}

/** Renews the lease once; aborts `lost` when it is gone. Never throws. */
async function renew({ db, log }: WorkerOptions, { lease, lost }: Holding): Promise<void> {
  try {
    if (!(await renewLease(db, lease))) lost.abort(new LeaseLost(lease.runId))
  } catch (error) {
    log.warn({ reason: toFailure(error).message, runId: lease.runId }, 'a lease could not be renewed')
  }
}
